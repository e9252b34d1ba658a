import MiniSearch from 'minisearch'

/** Something that the documentation says, as the search knows it. */
export interface Entry {
  /** The kind of place, as the results name it. */
  readonly kind: string
  readonly title: string
  readonly text: string
  /** The place, relative to the page of the search. */
  readonly href: string
}

/** Returns the words of a text: names such as `isSequential` and `document-not-confirmed` as a whole and in parts. */
function wordsOf(text: string): string[] {
  const names = text.match(/[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*/gu) ?? []
  return names.flatMap((name) => {
    const inside = name.split(/[-_.]|(?<=[a-z])(?=[A-Z])/)
    return inside.length > 1 ? [name, ...inside] : [name]
  })
}

/**
 * Returns a function that finds the entries with all words of a query, the best first. A word in the title counts most. The beginning
 * of a word and a word with a slightly different spelling, such as `expires` for `expired`, are found too.
 */
export function searchOf(entries: readonly Entry[]): (query: string) => Entry[] {
  const index = new MiniSearch<Entry & { readonly id: number }>({
    fields: ['title', 'text'],
    tokenize: wordsOf,
    searchOptions: {
      // Names are not split here, since each of their parts would have to be found.
      tokenize: (query) => query.split(/\s+/),
      boost: { title: 4 },
      prefix: true,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  })
  index.addAll(entries.map((entry, id) => ({ ...entry, id })))
  return (query) => index.search(query.trim()).flatMap(({ id }) => entries[id] ?? [])
}
