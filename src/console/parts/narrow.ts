/** Checks whether the screen is so narrow that a list and its details take turns; the style has the same limit. */
export function isNarrow(): boolean {
  return matchMedia('(max-width: 800px)').matches
}
