import { useEffect, useRef, useState } from 'preact/hooks'
import type { AdminOperationId, Answer, Schemas } from '../../contract/operations.ts'
import { type AdminRequest, callAdmin } from './admin.ts'
import { type PageState, pageState, subscribe } from './live.ts'

/** Returns a number, and a function that makes it grow and draws again. */
function useCount(): readonly [number, () => void] {
  const [count, setCount] = useState(0)
  return [count, () => setCount((before) => before + 1)]
}

/** Returns something made of the state of the page, and draws again when that changes. */
function useSelected<Part>(select: (state: PageState) => Part): Part {
  const [, drawAgain] = useCount()
  const part = select(pageState())
  const latest = useRef({ part, select })
  latest.current = { part, select }
  useEffect(() => {
    const look = () => {
      if (latest.current.select(pageState()) !== latest.current.part) drawAgain()
    }
    look()
    return subscribe(look)
  }, [])
  return part
}

/** Returns a part of the state of the page, and draws again when it changes. */
export function useLive<Name extends keyof PageState>(name: Name): PageState[Name] {
  return useSelected((state) => state[name])
}

/** Returns the query of calls about what is shown: the chosen tenant, as it is or as it was. */
export function useScope(): { readonly tenant_id: string | undefined; readonly as_of: number | undefined } {
  const { tenant: tenant_id, as_of } = useLive('route')
  return { tenant_id, as_of }
}

/** The time of the tenant's clock in milliseconds, drawn again each second, and up to four times a second if it is fast. */
export function useNow(): number {
  const clock = useLive('clock')
  const [, drawAgain] = useCount()
  const speed = clock?.speed ?? 0
  useEffect(() => {
    if (speed === 0) return
    const timer = setInterval(drawAgain, speed > 1 ? 250 : 1000)
    return () => clearInterval(timer)
  }, [speed])
  return clock ? Date.parse(clock.now) + (performance.now() - clock.readAt) * clock.speed : Date.now()
}

interface Loaded<Value> {
  readonly value?: Value
  readonly error?: Error
  readonly isLoading: boolean
}

/** Loads a value, again when a part of `needs` changes. The old value stays until then, unless `needs[0]`, its name, has changed. */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  needs: readonly unknown[],
): Loaded<Value> {
  const [name] = needs
  const [state, setState] = useState<Loaded<Value> & { readonly name: unknown }>({ name, isLoading: true })
  useEffect(() => {
    const loading = new AbortController()
    const show = (loaded: { value: Value } | { error: Error }) => {
      if (!loading.signal.aborted) setState({ name, isLoading: false, ...loaded })
    }
    setState((before) => ({ ...(before.name === name && before), name, isLoading: true }))
    load(loading.signal).then(
      (value) => show({ value }),
      (error: Error) => show({ error }),
    )
    return () => loading.abort()
  }, needs)
  return state.name === name ? state : { isLoading: true }
}

/** Loads the answer of a call, or nothing without a request. Loads it again when `beat` changes, or `reload` is called. */
export function useAnswer<Id extends AdminOperationId>(id: Id, request: AdminRequest<Id> | undefined, beat?: unknown) {
  const [again, reload] = useCount()
  const loaded = useLoaded<Answer<Id>['body'] | undefined>(
    async (signal) => request && callAdmin(id, request, signal),
    [JSON.stringify(request), beat, again],
  )
  return { ...loaded, reload }
}

/** Returns the chosen tenant, read again while events arrive; undefined until it is read, or if all are chosen. */
export function useTenant(): Schemas['Tenant'] | undefined {
  const { tenant_id } = useScope()
  const request = tenant_id === undefined ? undefined : { query: { tenant_id } }
  return useAnswer('getTenants', request, useBeat()).value?.tenants[0]
}

/** Returns a value that changes when events that `concerns` accepts arrive, at most once in `pauseMs`, or the tenant was replaced. */
export function useBeat(
  concerns: (event: PageState['events'][number]) => boolean = () => true,
  pauseMs = 1000,
): string {
  const latest = useSelected(({ route, events, generation, last_event }) => {
    // Without a tenant, the page has no events.
    const seq = route.tenant === undefined ? last_event : events.findLast(concerns)?.seq
    return `${generation} ${seq}`
  })
  const [beat, setBeat] = useState(latest)
  const last = useRef(0)
  useEffect(() => {
    if (latest === beat) return
    const change = () => {
      last.current = performance.now()
      setBeat(latest)
    }
    const timer = setTimeout(change, Math.max(0, last.current + pauseMs - performance.now()))
    return () => clearTimeout(timer)
  }, [latest])
  return beat
}
