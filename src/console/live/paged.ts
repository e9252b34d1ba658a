import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Rows, rowsOf } from '../parts/rows.ts'

/** A page of a list that is read from its newest entry to its oldest. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly total: number
  readonly next: string | null
}

export interface Paged<Item> {
  readonly items: readonly Item[]
  readonly rows: Rows<Item>
  /** The number of all entries; undefined before the first page. */
  readonly total?: number
  readonly error?: Error
  /** Loads the next page if the last row that is drawn is near the end. */
  readonly onDrawn: (first: number, last: number) => void
}

interface State<Item> extends Page<Item> {
  readonly name: string
  readonly error?: Error
}

/**
 * Loads a list page by page. `name` says what is listed; another name starts again. When `beat` grows, the first page is loaded again:
 * new entries come to the top, and known ones are replaced.
 */
export function usePaged<Item>(
  load: (before: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
  idOf: (item: Item) => string,
  name: string,
  beat: number,
): Paged<Item> {
  const [state, setState] = useState<State<Item> | undefined>()
  const loadingMore = useRef<AbortController | undefined>(undefined)
  const known = state?.name === name ? state : undefined

  useEffect(() => {
    const loading = new AbortController()
    load(undefined, loading.signal).then(
      (page) => {
        if (loading.signal.aborted) return
        setState((before) => ({ ...(before?.name === name ? mergeFirst(before, page, idOf) : page), name }))
      },
      (error: Error) => {
        if (!loading.signal.aborted) setState({ items: [], total: 0, next: null, name, error })
      },
    )
    return () => loading.abort()
  }, [name, beat])
  useEffect(() => () => loadingMore.current?.abort(), [name])

  const more = async () => {
    if (!known?.next || (loadingMore.current && !loadingMore.current.signal.aborted)) return
    const loading = new AbortController()
    loadingMore.current = loading
    try {
      const page = await load(known.next, loading.signal)
      if (loading.signal.aborted) return
      setState((before) =>
        before?.name === name
          ? { ...before, ...page, items: [...before.items, ...newItems(before.items, page.items, idOf)] }
          : before,
      )
    } catch (error) {
      if (!loading.signal.aborted) setState((before) => before && { ...before, error: error as Error })
    } finally {
      loadingMore.current = undefined
    }
  }
  const items = known?.items ?? none
  return {
    items,
    rows: useMemo(() => rowsOf(items, idOf), [items]),
    ...(known && { total: known.total }),
    ...(known?.error && { error: known.error }),
    onDrawn: (_, last) => {
      if (last >= items.length - nearEnd) more()
    },
  }
}

const none: readonly never[] = []
/** The number of rows before the end at which the next page is loaded. */
const nearEnd = 40

/** Puts a newly loaded first page over the entries that are known. */
export function mergeFirst<Item>(before: Page<Item>, page: Page<Item>, idOf: (item: Item) => string): Page<Item> {
  const fresh = new Set(page.items.map(idOf))
  const known = before.items.filter((item) => !fresh.has(idOf(item)))
  const isWhole = page.next === null
  // Without an entry that both have, something is missing between them, or all is new.
  if (isWhole || known.length === before.items.length) return page
  return { items: [...page.items, ...known], total: page.total, next: before.next }
}

function newItems<Item>(known: readonly Item[], items: readonly Item[], idOf: (item: Item) => string): Item[] {
  const ids = new Set(known.map(idOf))
  return items.filter((item) => !ids.has(idOf(item)))
}
