/** Normalizes names: case, separators, diacritics, and suffixes that platforms add. */

/** Letters that Unicode does not decompose. */
const undecomposed: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', đ: 'd', æ: 'ae', œ: 'oe' }

/** Converts a text to lower case without diacritics: `Étapes` becomes `etapes`. */
export function fold(text: string): string {
  return withoutDiacritics(text).toLowerCase()
}

function withoutDiacritics(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f\u3099\u309a]/g, '')
    .replaceAll(/[\u0080-\uffff]/g, (letter) => undecomposed[letter.toLowerCase()] ?? letter)
}

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

/** Normalizes a name to letters and digits: without case, separators and diacritics. */
export const normalizeName = remember((name) => fold(withoutSuffix(name)).replaceAll(/[\0-/:-@[-`{-~]/g, ''))

/** Returns the words of a pointer: `/data/stepStats/0` has data, step and stats. */
export const wordsOf = remember((pointer): readonly string[] =>
  pointer.split('/').flatMap((name) =>
    withoutDiacritics(withoutSuffix(name))
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
