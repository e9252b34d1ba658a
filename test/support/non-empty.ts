/** Returns the items of a list. Throws if it is empty, because a loop over it would test nothing. */
export function nonEmpty<T>(list: Iterable<T>): T[] {
  const items = [...list]
  if (items.length === 0) throw new Error('This list is empty, so nothing is tested. Check where it comes from.')
  return items
}
