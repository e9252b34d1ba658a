import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { callAdmin } from '../live/admin.ts'
import { useBeat, useLive, useScope } from '../live/hooks.ts'
import { go, linkTo } from '../live/live.ts'
import { Pending } from './basics.tsx'
import { capitalized, countText } from './format.ts'
import { isNarrow, rowsOf, VirtualList, type VirtualListProps } from './virtual-list.tsx'

/** A list with its filters on the left and what is selected in it on the right; on a narrow screen one of them. */
export function ListView<Item>(
  props: VirtualListProps<Item> & {
    /** What is listed, in the plural. */
    readonly what: string
    readonly error?: Error | undefined
    readonly isLoading: boolean
    /** The part of the route that names the selected row. @default 'id' */
    readonly by?: 'id' | 'as_of'
    readonly filters: ComponentChildren
    readonly detail: ComponentChildren
  },
) {
  const { what, error, isLoading, by = 'id', filters, empty, detail, ...list } = props
  const isOpen = useLive('route')[by] !== undefined
  const { left, right } = useFocusOn(isOpen)
  return (
    <div class={isOpen ? 'halves open' : 'halves'}>
      <section class="left" aria-label={`List of ${what}`} ref={left}>
        <div class="filters">{filters}</div>
        {error && <Pending error={error} />}
        <VirtualList
          {...list}
          label={capitalized(what)}
          onSelect={(to) => go({ [by]: to }, 'replace')}
          empty={isLoading ? 'Loading …' : empty}
        />
      </section>
      <section class="right" aria-label="Details" tabIndex={-1} ref={right}>
        {isOpen && (
          <a class="back" href={linkTo({ [by]: undefined })}>
            ← All {what}
          </a>
        )}
        {detail}
      </section>
    </div>
  )
}

/** Moves the focus to the half that a narrow screen shows. */
function useFocusOn(isOpen: boolean) {
  const left = useRef<HTMLElement>(null)
  const right = useRef<HTMLElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    const changed = isOpen !== wasOpen.current
    wasOpen.current = isOpen
    if (!isNarrow()) return
    if (isOpen) right.current?.focus()
    else if (changed) left.current?.querySelector<HTMLElement>('[role=listbox]')?.focus()
  }, [isOpen])
  return { left, right }
}

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
