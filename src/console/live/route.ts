/** The views of the page, in the order of its navigation. */
export const views = ['start', 'executions', 'workflows', 'uploads', 'requests', 'history'] as const

export type View = (typeof views)[number]

/** The view, tenant and selection of the page. The address holds them, so that they survive a reload and can be shared as a link. */
export interface PageRoute {
  readonly view: View
  /** The tenant; all if left out. */
  readonly tenant?: string
  /** The event that the tenant is shown as of; as it is now if left out. */
  readonly as_of?: number
  /** Filters of the list. */
  readonly workflow?: string
  readonly status?: string
  /** The workflow, execution, upload or request that is selected. */
  readonly id?: string
}

/** A change of parts of a route. What is undefined is removed. */
export type RouteChange = Readonly<Partial<Record<keyof PageRoute, string | number | undefined>>>

const parts = ['tenant', 'as_of', 'workflow', 'status', 'id'] as const

/** Returns the fragment of the address for a route. */
export function hashOf(route: RouteChange): string {
  const query = new URLSearchParams()
  for (const part of parts) if (route[part] !== undefined) query.set(part, String(route[part]))
  return `#${route.view}${query.size > 0 ? `?${query}` : ''}`
}

/** Returns the fragment of a changed route. Another view or tenant starts without a selection and filters. */
export function hashAfter(route: PageRoute, change: RouteChange): string {
  const { view, tenant, as_of, ...selection } = route
  const isSameTenant = !('tenant' in change)
  const isHere = isSameTenant && (change.view ?? view) === view
  return hashOf({ view, tenant, ...(isSameTenant && { as_of }), ...(isHere && selection), ...change })
}

/** Returns the route of a fragment; undefined if it names no view. */
export function routeOf(hash: string): PageRoute | undefined {
  const [name, search = ''] = hash.slice(1).split('?')
  const view = views.find((one) => one === name)
  if (!view) return undefined
  const { as_of = '', ...texts } = Object.fromEntries(new URLSearchParams(search))
  return { ...texts, ...(/^\d{1,12}$/.test(as_of) && { as_of: Number(as_of) }), view }
}
