/** The views of the page, in the order of its navigation. */
export const views = ['start', 'executions', 'workflows', 'uploads', 'requests', 'history'] as const

export type View = (typeof views)[number]

/** The view, tenant and selection of the page. The address holds them, so that they survive a reload and can be shared as a link. */
export interface PageRoute {
  readonly view: View
  /** The tenant; all if left out. */
  readonly tenant?: string
  /** The event that the tenant is shown as of; as it is now if left out. */
  readonly asOf?: number
  /** The workflow, execution, upload or request that is selected. */
  readonly id?: string
  /** Filters of the list. */
  readonly workflow?: string
  readonly status?: string
}

/** Returns the fragment of the address for a route. */
export function hashOf({ view, tenant, asOf, id, workflow, status }: PageRoute): string {
  const query = new URLSearchParams()
  if (tenant !== undefined) query.set('tenant', tenant)
  if (asOf !== undefined) query.set('as_of', String(asOf))
  if (workflow !== undefined) query.set('workflow', workflow)
  if (status !== undefined) query.set('status', status)
  if (id !== undefined) query.set('id', id)
  return `#${view}${query.size > 0 ? `?${query}` : ''}`
}

/** Returns the route of a fragment; undefined if it names no view. */
export function routeOf(hash: string): PageRoute | undefined {
  const [name = '', search = ''] = hash.replace(/^#/, '').split('?')
  const view = views.find((one) => one === name)
  if (!view) return undefined
  const query = new URLSearchParams(search)
  const asOf = query.get('as_of')
  const text = (key: string) => query.get(key) ?? undefined
  const all = { tenant: text('tenant'), workflow: text('workflow'), status: text('status'), id: text('id') }
  return {
    view,
    ...(asOf !== null && /^\d{1,12}$/.test(asOf) && { asOf: Number(asOf) }),
    ...(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Partial<typeof all> &
      object),
  } as PageRoute
}
