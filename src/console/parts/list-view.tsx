import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { AdminOperationId } from '../../contract/operations.ts'
import { useShared } from '../live/hooks.ts'
import { type Page, type Paged, usePaged } from '../live/paged.ts'
import { Failure } from './basics.tsx'
import { isNarrow } from './narrow.ts'
import type { Rows } from './rows.ts'
import { VirtualList } from './virtual-list.tsx'

/** A list with its filters on the left and what is selected in it on the right; on a narrow screen one of them. */
export function ListView<Item>(props: {
  /** What is listed, in the plural. */
  readonly what: string
  readonly list: {
    readonly rows: Rows<Item>
    readonly onDrawn?: (first: number, last: number) => void
    readonly error?: Error
  }
  readonly isLoading: boolean
  readonly rowHeight: number
  readonly row: (item: Item) => ComponentChildren
  readonly selected: string | undefined
  /** The part of the route that names the selected row. @default 'id' */
  readonly by?: 'id' | 'asOf'
  readonly filters: ComponentChildren
  readonly empty: ComponentChildren
  readonly detail: ComponentChildren
}) {
  const { what, list, isLoading, rowHeight, row, selected, by = 'id', filters, empty, detail } = props
  const { route, go, linkTo } = useShared()
  const { rows, onDrawn, error } = list
  const isOpen = route[by] !== undefined
  const { left, right } = useFocusOn(isOpen)
  return (
    <div class={isOpen ? 'halves open' : 'halves'}>
      <section class="left" aria-label={`List of ${what}`} ref={left}>
        <div class="filters">{filters}</div>
        {error && <Failure error={error} />}
        <VirtualList
          label={what.replace(/^./, (first) => first.toUpperCase())}
          {...{ rows, rowHeight, row, selected, ...(onDrawn && { onDrawn }) }}
          onSelect={(to) => go({ [by]: by === 'id' ? to : Number(to) }, 'replace')}
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

const calls = { workflows: 'listWorkflows', executions: 'listExecutions', uploads: 'listUploads' } as const

/** Lists what the tenant has, page by page: as it is, again when `beat` grows, or as it was. */
export function useTenantList<Item>(
  what: keyof typeof calls,
  idOf: (item: Item) => string,
  beat: number,
  filters: Readonly<Record<string, string | undefined>> = {},
): Paged<Item> {
  const { admin, route } = useShared()
  const { tenant: tenant_id = '', asOf: as_of } = route
  const call: AdminOperationId = calls[what]
  return usePaged<Item>(
    async (before, signal) => {
      const query = { tenant_id, as_of, ...filters, before, limit: 200 }
      const { [what]: items, ...page } = (await admin.call(call, { query, signal })) as Record<string, unknown>
      return { ...page, items } as Page<Item>
    },
    idOf,
    JSON.stringify([tenant_id, as_of, filters]),
    as_of === undefined ? beat : 0,
  )
}
