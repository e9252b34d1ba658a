import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { callAdmin } from '../live/admin.ts'
import { useBeat, useLive, useScope } from '../live/hooks.ts'
import { countText } from './format.ts'
import { ListView } from './list-view.tsx'
import { rowsOf } from './virtual-list.tsx'

/** The call that lists things of a kind, and the member that identifies one of them. */
const kinds = {
  workflow: ['listWorkflows', 'workflow_id'],
  execution: ['listExecutions', 'execution_id'],
  upload: ['listUploads', 'session_id'],
} as const

/** All things of a kind that a tenant has, as it is or as it was, and the selected one. */
export function TenantList<Item>(props: {
  readonly kind: keyof typeof kinds
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly filters?: ComponentChildren
  readonly row: (item: Item) => ComponentChildren
  readonly empty: ComponentChildren
  /** Shows the selected one, which may be on a page that is not loaded. */
  readonly detail: (id: string, item: Item | undefined) => ComponentChildren
}) {
  const { kind, query, filters, row, empty, detail } = props
  const idOf = (item: Item) => String(item[kinds[kind][1] as keyof Item])
  const { items, total, error, onDrawn } = usePages<Item>(kind, idOf, query)
  const rows = useMemo(() => rowsOf(items, idOf), [items])
  const { id: selected = items[0] && idOf(items[0]) } = useLive('route')
  return (
    <ListView
      {...{
        what: `${kind}s`,
        rows,
        onDrawn,
        error,
        isLoading: total === undefined,
        rowHeight: 54,
        row,
        empty,
        selected,
      }}
      filters={
        <>
          {filters}
          <p class="count">{total === undefined ? '…' : countText(total, kind)}</p>
        </>
      }
      detail={
        selected !== undefined &&
        detail(
          selected,
          items.find((item) => idOf(item) === selected),
        )
      }
    />
  )
}

/** A page of a list that is read from its newest entry to its oldest. */
interface Page<Item> {
  readonly items: readonly Item[]
  readonly total: number
  readonly next: string | null
}

const nothing = { items: [], total: 0, next: null }

/** The number of rows before the end at which the next page is loaded. */
const nearEnd = 40

/**
 * Loads a list page by page. When something happens, the first page is loaded again: new entries come to the top, and known ones are
 * replaced.
 */
function usePages<Item>(
  kind: keyof typeof kinds,
  idOf: (item: Item) => string,
  more: Readonly<Record<string, string | undefined>> = {},
) {
  const [call, idName] = kinds[kind]
  const query = { ...useScope(), ...more }
  const name = JSON.stringify(query)
  const beat = useBeat((event) => event[idName] !== undefined)
  const [state, setState] = useState<(Page<Item> & { readonly name: string; readonly error?: Error }) | undefined>()
  const known = state?.name === name ? state : undefined
  const [before, setBefore] = useState<string | undefined>()

  const load = (from?: string) => {
    const loading = new AbortController()
    const show = (change: (known: Page<Item> | undefined) => Page<Item> & { readonly error?: Error }) => {
      if (!loading.signal.aborted) setState((was) => ({ ...change(was?.name === name ? was : undefined), name }))
    }
    callAdmin(call, { query: { ...query, before: from, limit: 200 } }, loading.signal).then(
      ({ total, next, ...rest }) => {
        const page = { items: Object.values(rest)[0] as readonly Item[], total, next }
        show((known) => (known ? (from === undefined ? mergeFirst : mergeNext)(known, page, idOf) : page))
      },
      (error: Error) => {
        show((known) => ({ ...(known ?? nothing), error }))
        setBefore(undefined)
      },
    )
    return () => loading.abort()
  }
  useEffect(() => load(), [name, query.as_of === undefined && beat])
  useEffect(() => (before !== undefined && before === known?.next ? load(before) : undefined), [name, before])
  const { items, next } = known ?? nothing
  const onDrawn = (_: number, last: number) => {
    if (next !== null && last >= items.length - nearEnd) setBefore(next)
  }
  return { items, total: known?.total, error: known?.error, onDrawn }
}

/** Puts a newly loaded first page over the entries that are known. */
export function mergeFirst<Item>(before: Page<Item>, page: Page<Item>, idOf: (item: Item) => string): Page<Item> {
  const { items, next } = mergeNext(page, before, idOf)
  // Without an entry that both have, something is missing between them, or all is new.
  if (page.next === null || items.length === page.items.length + before.items.length) return page
  return { items, total: page.total, next }
}

/** Puts a page behind the entries that are known. */
function mergeNext<Item>(known: Page<Item>, { items, total, next }: Page<Item>, idOf: (item: Item) => string) {
  const ids = new Set(known.items.map(idOf))
  return { items: [...known.items, ...items.filter((item) => !ids.has(idOf(item)))], total, next }
}
