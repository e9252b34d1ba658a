import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { Rows } from '../parts/virtual-list.tsx'
import { callAdmin } from './admin.ts'
import { useLive, useLoaded } from './hooks.ts'
import { type JournalEvent, rest } from './live.ts'

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

/** Returns the events of a journal as rows, the newest first, from the stream or a page. Their identifiers are their positions. */
export function eventRows(
  first: number,
  last: number,
  fresh: readonly JournalEvent[],
  pages: EventPages,
): Rows<JournalEvent> {
  const count = Math.max(0, last - first + 1)
  return {
    count,
    at(index) {
      const seq = last - index
      const isFresh = seq >= (fresh[0]?.seq ?? Number.POSITIVE_INFINITY)
      const isIt = (event: JournalEvent) => event.seq === seq
      return (isFresh ? fresh.find(isIt) : undefined) ?? pages.get(numberOfPage(seq))?.find(isIt)
    },
    idAt: (index) => String(last - index),
    indexOf: (id) => {
      const index = last - Number(id)
      return index >= 0 && index < count ? index : -1
    },
  }
}

/** The time without scrolling after which rows are loaded, in milliseconds. */
const restMs = 60

/**
 * Loads pages of a tenant's events: those with a visible row, and the page with the selected event. `first` and `last` are the
 * positions of the first and the last event that the mock keeps.
 */
export function usePastEvents(tenant_id: string | undefined, first: number, last: number, selected = 0) {
  const fresh = useLive('events')
  const generation = useLive('generation')
  const [pages, setPages] = useState<EventPages>(new Map())
  const [drawn, setDrawn] = useState({ from: 0, to: 0 })
  const newest = Math.max(last, fresh.at(-1)?.seq ?? 0)
  const rows = useMemo(() => eventRows(first, newest, fresh, pages), [first, newest, fresh, pages])

  const name = `${tenant_id} ${generation}`
  useEffect(() => setPages(new Map()), [name])
  const looked = Array.from({ length: drawn.to - drawn.from }, (_, index) => drawn.from + index)
  const missing = [...looked, newest - selected].find((index) => index >= 0 && index < rows.count && !rows.at(index))
  const page = missing === undefined ? undefined : numberOfPage(newest - missing)
  const { error } = useLoaded(
    async (signal) => {
      if (page === undefined) return
      await rest(restMs, signal)
      const query = { tenant_id, before: (page + 1) * pageSize + 1, limit: pageSize }
      const { events } = await callAdmin('getJournal', { query }, signal)
      const own = (events as unknown as readonly JournalEvent[]).filter(({ seq }) => numberOfPage(seq) === page)
      setPages((before) => withPage(before, page, own))
    },
    [name, page],
  )
  const onDrawn = useCallback((from: number, to: number) => {
    setDrawn((before) => (before.from === from && before.to === to ? before : { from, to }))
  }, [])
  return { rows, onDrawn, error }
}
