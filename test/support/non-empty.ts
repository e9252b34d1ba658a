/** The items of a list that must not be empty, since a loop over nothing tests nothing. */
export function nonEmpty<T>(list: Iterable<T>): T[] {
  const items = [...list]
  if (items.length === 0) throw new Error('This list is empty, so nothing is tested. Check where it comes from.')
  return items
}
