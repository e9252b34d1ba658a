import { createContext } from 'preact'
import { useCallback, useContext, useEffect, useReducer, useRef, useState } from 'preact/hooks'
import type { Schemas } from '../../contract/operations.ts'
import type { Admin } from './admin.ts'
import type { Live, PageState } from './live.ts'
import type { PageRoute } from './route.ts'

/** The objects and functions that all parts of the page share. */
export interface Shared {
  readonly admin: Admin
  readonly live: Live
  readonly route: PageRoute
  /** Shows another route, or changes a part of this one. `replace` adds no entry to the browser's history. */
  readonly go: (
    change: Partial<Record<keyof PageRoute, PageRoute[keyof PageRoute] | undefined>>,
    replace?: 'replace',
  ) => void
  /** Returns the address of a changed route, for links. */
  readonly linkTo: (change: Partial<Record<keyof PageRoute, PageRoute[keyof PageRoute] | undefined>>) => string
  /** Makes calls, one after the other, and shows their error if they fail. Returns true if they succeeded. */
  readonly attempt: (calls: () => Promise<unknown>) => Promise<boolean>
  /** Shows a short message. */
  readonly say: (text: string) => void
}

export const SharedContext = createContext<Shared | undefined>(undefined)

/** Returns the objects and functions that all parts of the page share. Throws outside the page. */
export function useShared(): Shared {
  const shared = useContext(SharedContext)
  if (!shared) throw new Error('The component is outside the page. Render it inside SharedContext.')
  return shared
}

/** Returns a part of what the page knows from the stream, and draws again when that part changes. */
export function useLive<Part>(select: (state: PageState) => Part): Part {
  const { live } = useShared()
  const [, drawAgain] = useReducer((count: number) => count + 1, 0)
  const part = select(live.state)
  const latest = useRef({ part, select })
  latest.current = { part, select }
  useEffect(() => {
    const look = () => {
      if (latest.current.select(live.state) !== latest.current.part) drawAgain(undefined)
    }
    look()
    return live.subscribe(look)
  }, [live])
  return part
}

/** The time of the tenant's clock in milliseconds, drawn again each second, and up to four times a second if it is fast. */
export function useNow(): number {
  const clock = useLive((state) => state.clock)
  const [, drawAgain] = useReducer((count: number) => count + 1, 0)
  const speed = clock?.speed ?? 0
  useEffect(() => {
    if (speed === 0) return
    const timer = setInterval(() => drawAgain(undefined), speed > 1 ? 250 : 1000)
    return () => clearInterval(timer)
  }, [speed])
  return clock ? Date.parse(clock.now) + (performance.now() - clock.readAt) * clock.speed : Date.now()
}

export interface Loaded<Value> {
  readonly value?: Value
  readonly error?: Error
  readonly isLoading: boolean
  readonly reload: () => void
}

/**
 * Loads a value, and loads it again when a part of `needs` changes. The old value stays until then, unless `needs[0]`, its name, has
 * changed.
 */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  needs: readonly unknown[],
): Loaded<Value> {
  const [state, setState] = useState<{ name: unknown; value?: Value; error?: Error; isLoading: boolean }>({
    name: needs[0],
    isLoading: true,
  })
  const [again, reload] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const loading = new AbortController()
    const [name] = needs
    setState((before) => (before.name === name ? { ...before, isLoading: true } : { name, isLoading: true }))
    load(loading.signal).then(
      (value) => !loading.signal.aborted && setState({ name, value, isLoading: false }),
      (error: Error) => !loading.signal.aborted && setState({ name, error, isLoading: false }),
    )
    return () => loading.abort()
  }, [...needs, again])
  const { value, error, isLoading } = state
  return {
    ...(state.name === needs[0] && value !== undefined && { value }),
    ...(error && { error }),
    isLoading,
    reload: useCallback(() => reload(undefined), []),
  }
}

/** Returns the chosen tenant, read again while events arrive; undefined until it is read, or if all are chosen. */
export function useTenant(isNeeded = true): Schemas['Tenant'] | undefined {
  const { admin, route } = useShared()
  const { tenant: tenant_id } = route
  const beat = useBeat(() => isNeeded)
  const { value } = useLoaded(
    async (signal) =>
      isNeeded && tenant_id !== undefined
        ? (await admin.call('getTenants', { query: { tenant_id }, signal })).tenants[0]
        : undefined,
    [tenant_id, isNeeded, beat],
  )
  return value
}

/** Returns a number that grows when events that `concerns` accepts arrive, at most once in `pauseMs`, or the tenant was replaced. */
export function useBeat(concerns: (event: PageState['events'][number]) => boolean, pauseMs = 1000): number {
  const { live } = useShared()
  const [beat, raise] = useReducer((count: number) => count + 1, 0)
  const ask = useRef(concerns)
  ask.current = concerns
  useEffect(() => {
    let { events: seen, generation, lastEvent } = live.state
    let timer: ReturnType<typeof setTimeout> | undefined
    let last = 0
    const stop = live.subscribe(() => {
      const { events, generation: current, lastEvent: latest } = live.state
      if (latest === lastEvent && current === generation) return
      const lastSeen = seen.at(-1)?.seq ?? 0
      // Without a tenant, the page has no events.
      const isUnknown = current !== generation || events === seen
      const isDue = isUnknown || events.some((event) => event.seq > lastSeen && ask.current(event))
      seen = events
      lastEvent = latest
      generation = current
      if (!isDue || timer !== undefined) return
      timer = setTimeout(
        () => {
          timer = undefined
          last = performance.now()
          raise(undefined)
        },
        Math.max(0, last + pauseMs - performance.now()),
      )
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [live, pauseMs])
  return beat
}
