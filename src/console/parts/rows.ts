/** The rows of a list, which may be loaded on demand. */
export interface Rows<Item> {
  readonly count: number
  /** Returns a row; undefined while it is being loaded. */
  at(index: number): Item | undefined
  idAt(index: number): string
  /** Returns the place of a row; -1 if there is none. */
  indexOf(id: string): number
}

/** Returns the rows of items that are all there. */
export function rowsOf<Item>(items: readonly Item[], idOf: (item: Item) => string): Rows<Item> {
  return {
    count: items.length,
    at: (index) => items[index],
    idAt: (index) => idOf(items[index] as Item),
    indexOf: (id) => items.findIndex((item) => idOf(item) === id),
  }
}
