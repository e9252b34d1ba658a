import type { ComponentChildren } from 'preact'
import type { AdminOperationId } from '../../contract/operations.ts'
import { useShared } from '../live/hooks.ts'
import { type Page, type Paged, usePaged } from '../live/paged.ts'
import { Failure, Halves } from './basics.tsx'
import type { Rows } from './rows.ts'
import { VirtualList } from './virtual-list.tsx'

/** A list with its filters, and what is selected in it. */
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
  return (
    <Halves
      what={what}
      isOpen={route[by] !== undefined}
      backTo={linkTo({ [by]: undefined })}
      left={
        <>
          <div class="filters">{filters}</div>
          {error && <Failure error={error} />}
          <VirtualList
            label={what.replace(/^./, (first) => first.toUpperCase())}
            {...{ rows, rowHeight, row, selected, ...(onDrawn && { onDrawn }) }}
            onSelect={(to) => go({ [by]: by === 'id' ? to : Number(to) }, 'replace')}
            empty={isLoading ? 'Loading …' : empty}
          />
        </>
      }
      right={detail}
    />
  )
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
