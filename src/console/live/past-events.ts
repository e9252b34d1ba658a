import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { Rows } from '../parts/rows.ts'
import { useLive, useShared } from './hooks.ts'
import type { JournalEvent } from './live.ts'

/** The number of events of a page, and of pages that are kept. */
export const pageSize = 200
export const mostPages = 10

/** Pages of a journal by their number, the latest used last. Page 0 begins with event 1. */
export type EventPages = ReadonlyMap<number, readonly JournalEvent[]>

/** Returns the number of the page that has an event. */
export function numberOfPage(seq: number): number {
  return Math.floor((seq - 1) / pageSize)
}

/** Returns the pages with another one, without the least recently used beyond the limit. */
export function withPage(pages: EventPages, page: number, events: readonly JournalEvent[]): EventPages {
  const others = [...pages].filter(([number]) => number !== page)
  return new Map([...others.slice(1 - mostPages), [page, events]])
}

/** Returns an event, from the stream or a page; undefined if it has to be loaded. */
function eventAt(seq: number, fresh: readonly JournalEvent[], pages: EventPages): JournalEvent | undefined {
  const isFresh = seq >= (fresh[0]?.seq ?? Number.POSITIVE_INFINITY)
  const found = isFresh ? fresh.find((event) => event.seq === seq) : undefined
  return found ?? pages.get(numberOfPage(seq))?.find((event) => event.seq === seq)
}

/** Returns the events of a journal as rows, the newest first. Their identifiers are their positions. */
export function eventRows(
  first: number,
  last: number,
  fresh: readonly JournalEvent[],
  pages: EventPages,
): Rows<JournalEvent> {
  const count = Math.max(0, last - first + 1)
  return {
    count,
    at: (index) => eventAt(last - index, fresh, pages),
    idAt: (index) => String(last - index),
    indexOf: (id) => {
      const index = last - Number(id)
      return index >= 0 && index < count ? index : -1
    },
  }
}

/** The events of a tenant, loaded as they are looked at. */
export interface PastEvents {
  readonly rows: Rows<JournalEvent>
  readonly onDrawn: (first: number, last: number) => void
  readonly error?: Error
}

/** The time without scrolling after which rows are loaded, in milliseconds. */
const restMs = 60

/**
 * Loads pages of a tenant's events: those with a visible row, and the page with the selected event. `first` and `last` are the
 * positions of the first and the last event that the mock keeps.
 */
export function usePastEvents(tenantId: string, first: number, last: number, selected: number | undefined): PastEvents {
  const { admin } = useShared()
  const fresh = useLive((state) => state.events)
  const generation = useLive((state) => state.generation)
  const [pages, setPages] = useState<EventPages>(new Map())
  const [error, setError] = useState<Error | undefined>()
  const [drawn, setDrawn] = useState({ from: 0, to: 0 })
  const newest = Math.max(last, fresh.at(-1)?.seq ?? 0)
  const rows = useMemo(() => eventRows(first, newest, fresh, pages), [first, newest, fresh, pages])

  useEffect(() => setPages(new Map()), [tenantId, generation])
  const looked = Array.from({ length: drawn.to - drawn.from }, (_, index) => newest - drawn.from - index)
  const missing = [...looked, ...(selected ? [selected] : [])].find(
    (seq) => seq >= first && seq <= newest && !eventAt(seq, fresh, pages),
  )
  const page = missing === undefined ? undefined : numberOfPage(missing)
  useEffect(() => {
    if (page === undefined) return
    const loading = new AbortController()
    const query = { tenant_id: tenantId, before: (page + 1) * pageSize + 1, limit: pageSize }
    const load = async () => {
      const { events } = await admin.call('getJournal', { query, signal: loading.signal })
      const own = (events as unknown as readonly JournalEvent[]).filter(({ seq }) => numberOfPage(seq) === page)
      setPages((before) => withPage(before, page, own))
      setError(undefined)
    }
    const timer = setTimeout(() => {
      load().catch((failure: Error) => !loading.signal.aborted && setError(failure))
    }, restMs)
    return () => {
      clearTimeout(timer)
      loading.abort()
    }
  }, [tenantId, generation, page])

  const onDrawn = useCallback((from: number, to: number) => {
    setDrawn((before) => (before.from === from && before.to === to ? before : { from, to }))
  }, [])
  return { rows, onDrawn, ...(error && { error }) }
}
