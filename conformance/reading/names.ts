/** Normalizes names: case, separators, and suffixes that platforms add. */

/** Removes the suffix that Salesforce adds to custom fields and relations: `Order__c`, `Steps__r`. */
function withoutSuffix(name: string): string {
  return name.replace(/__[a-z]$/i, '')
}

/** The limits of the cache of `remember`: the number of names, and the length of each. */
const mostNames = 20_000
const longestName = 120

/** Caches the results of a function by name. Answers repeat their names in thousands of members. */
export function remember<Result extends {}>(compute: (name: string) => Result): (name: string) => Result {
  const known = new Map<string, Result>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const result = compute(name)
    if (known.size >= mostNames) known.clear()
    if (name.length <= longestName) known.set(name, result)
    return result
  }
}

/** Normalizes a name to letters and digits: without case and separators. */
export const normalizeName = remember((name) =>
  withoutSuffix(name)
    .toLowerCase()
    .replaceAll(/[\0-/:-@[-`{-~]/g, ''),
)

/** Returns the words of a pointer: `/data/stepStats/0` has data, step and stats. */
export const wordsOf = remember((pointer): readonly string[] =>
  pointer.split('/').flatMap((name) =>
    withoutSuffix(name)
      .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
      .replaceAll(/([A-Z])([A-Z][a-z]{2})/g, '$1 $2')
      .toLowerCase()
      .split(/[\0-@[-`{-~]+/)
      .filter(Boolean),
  ),
)

/** Returns true if two names are the same in any spelling. A serializer may remove `is` from the name of a boolean. */
export function isSameName(shown: string, name: string): boolean {
  const [one, other] = [normalizeName(shown), normalizeName(name)]
  return one === other || (/^is[A-Z_]/.test(name) && `is${one}` === other)
}
