/** Something that the documentation says, as the search knows it. */
export interface Entry {
  /** The kind of place, as the results name it. */
  readonly kind: string
  readonly title: string
  readonly text: string
  /** The place, relative to the page of the search. */
  readonly href: string
}

/** Returns the words of a text in lower case: names such as `isSequential` and `document-not-confirmed` as a whole and in parts. */
function wordsOf(text: string): string[] {
  const names = text.match(/[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*/gu) ?? []
  const parts = names.flatMap((name) => {
    const inside = name.split(/[-_.]|(?<=[a-z])(?=[A-Z])/)
    return inside.length > 1 ? [name, ...inside] : [name]
  })
  return parts.map((part) => part.toLowerCase())
}

/** Rates how well one word of a query fits a text: 3 for the word, 2 for its beginning, 1 for a part of it, 0 for none. */
function rateOf(word: string, words: readonly string[]): number {
  if (words.includes(word)) return 3
  if (words.some((one) => one.startsWith(word))) return 2
  return word.length > 2 && words.some((one) => one.includes(word)) ? 1 : 0
}

/** Returns a function that finds the entries with all words of a query, the best first. A word in the title counts most. */
export function searchOf(entries: readonly Entry[]): (query: string) => Entry[] {
  const known = entries.map((entry) => ({ entry, title: wordsOf(entry.title), text: wordsOf(entry.text) }))
  return (query) => {
    const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
    if (wanted.length === 0) return []
    return known
      .map(({ entry, title, text }) => {
        const rates = wanted.map((word) => rateOf(word, title) * 4 + rateOf(word, text))
        return { entry, rate: rates.includes(0) ? 0 : rates.reduce((sum, rate) => sum + rate, 0) }
      })
      .filter(({ rate }) => rate > 0)
      .sort((a, b) => b.rate - a.rate)
      .map(({ entry }) => entry)
  }
}
