/** How names are spelled: in any case, with any separator, with or without diacritics and what platforms add to them. */

/** Letters that Unicode does not decompose. */
const undecomposed: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', đ: 'd', æ: 'ae', œ: 'oe' }

/** Lower case without diacritics: `Étapes` becomes `etapes`. */
export function fold(text: string): string {
  return plain(text).toLowerCase()
}

function plain(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f\u3099\u309a]/g, '')
    .replaceAll(/[\u0080-\uffff]/g, (letter) => undecomposed[letter.toLowerCase()] ?? letter)
}

/** Without the suffix that Salesforce gives custom fields and relations: `Order__c`, `Steps__r`. */
function undecorated(name: string): string {
  return name.replace(/__[a-z]$/i, '')
}

/** Limits of what `remember` keeps: the number of names, and the characters of each. */
const mostNames = 5000
const longestName = 120

/** Returns the function with a memory: answers repeat their names in thousands of members. */
function remember<Result extends {}>(compute: (name: string) => Result): (name: string) => Result {
  const known = new Map<string, Result>()
  return (name) => {
    const result = known.get(name) ?? compute(name)
    if (known.size >= mostNames) known.clear()
    if (name.length <= longestName) known.set(name, result)
    return result
  }
}

/** Returns a name as letters and digits only, without regard to case, separators and diacritics. */
export const bare = remember((name) => fold(undecorated(name)).replaceAll(/[\0-/:-@[-`{-~]/g, ''))

/** Returns the words of a pointer: `/data/stepStats/0` has data, step and stats. */
export const wordsOf = remember((pointer): readonly string[] =>
  pointer.split('/').flatMap((name) =>
    plain(undecorated(name))
      .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
      .replaceAll(/([A-Z])([A-Z][a-z]{2})/g, '$1 $2')
      .toLowerCase()
      .split(/[\0-@[-`{-~]+/)
      .filter(Boolean),
  ),
)

/** Whether two names are the same in another spelling. A serializer may drop `is` from the name of a boolean. */
export function isSameName(shown: string, name: string): boolean {
  const [one, other] = [bare(shown), bare(name)]
  return one === other || (/^is[A-Z_]/.test(name) && `is${one}` === other)
}
