import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { tenantName } from '../contract/tenant-name.ts'
import { type Admin, AdminError } from './live/admin.ts'
import { type Shared, SharedContext, useBeat, useLive, useLoaded, useShared } from './live/hooks.ts'
import type { Live } from './live/live.ts'
import { hashOf, type PageRoute, routeOf, type View, views } from './live/route.ts'
import { Choice, Dialog, Failure, Field } from './parts/basics.tsx'
import { tenantText } from './parts/format.ts'
import { Steering } from './steering.tsx'
import { Executions } from './views/executions.tsx'
import { History, Journey } from './views/history.tsx'
import { Requests } from './views/requests.tsx'
import { Start } from './views/start.tsx'
import { Uploads } from './views/uploads.tsx'
import { Workflows } from './views/workflows.tsx'

const titles: Readonly<Record<View, string>> = {
  start: 'Start',
  executions: 'Executions',
  workflows: 'Workflows',
  uploads: 'Uploads',
  requests: 'Requests',
  history: 'History',
}

type Change = Parameters<Shared['go']>[0]

/** Changes a route. Another view, tenant or event starts without a selection and filters. */
function changed(route: PageRoute, change: Change): PageRoute {
  const { view, tenant, asOf, ...rest } = route
  const isElsewhere = 'tenant' in change || ('view' in change && change.view !== view)
  const kept = isElsewhere ? {} : rest
  const all = { view, tenant, ...('tenant' in change ? {} : { asOf }), ...kept, ...change }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as unknown as PageRoute
}

/** The page. */
export function App({ admin, live }: { readonly admin: Admin; readonly live: Live }) {
  const { route, current, go } = useRoute()
  const { message, say, attempt, needsToken, setNeedsToken } = useMessages()
  const [tries, setTries] = useState(0)

  // First, to learn whether the page needs a token, and which tenant to show.
  const first = useLoaded(
    async (signal) => (await admin.call('getTenants', { query: { limit: 1 }, signal })).tenants[0],
    ['first', tries],
  )
  const isRefused = first.error instanceof AdminError && first.error.needsToken
  useEffect(() => {
    if (isRefused) setNeedsToken(true)
  }, [first.error])
  const isReady = !first.isLoading && !first.error
  useEffect(() => {
    if (!isReady || route) return
    if (first.value) go({ view: 'executions', tenant: first.value.tenant_id }, 'replace')
    else go({ view: 'start' }, 'replace')
  }, [isReady])
  useEffect(() => {
    if (isReady) live.follow(current.tenant)
    return () => live.stop()
  }, [isReady, current.tenant])

  const shared = useMemo<Shared>(
    () => ({ admin, live, route: current, go, linkTo: (change) => hashOf(changed(current, change)), attempt, say }),
    [admin, live, hashOf(current), go, attempt, say],
  )
  const useToken = (token: string) => {
    admin.setToken(token)
    setNeedsToken(false)
    setTries(tries + 1)
  }
  return (
    <SharedContext.Provider value={shared}>
      <Header />
      {isReady && <Steering />}
      <main class={current.view} tabIndex={-1}>
        {first.error && !isRefused && <Failure error={first.error} />}
        {isReady && <Shown />}
      </main>
      <div class="message" role="status">
        {message && <p class={message.isError ? 'failure' : ''}>{message.text}</p>}
      </div>
      {needsToken && <TokenDialog onToken={useToken} />}
    </SharedContext.Provider>
  )
}

/** The message at the bottom of the page, for some seconds; and functions that show one. */
function useMessages() {
  const [message, setMessage] = useState<{ text: string; isError: boolean } | undefined>()
  const [needsToken, setNeedsToken] = useState(false)
  const say = useCallback((text: string) => setMessage({ text, isError: false }), [])
  const attempt = useCallback<Shared['attempt']>(async (calls) => {
    try {
      await calls()
      return true
    } catch (error) {
      if (error instanceof AdminError && error.needsToken) setNeedsToken(true)
      setMessage({ text: (error as Error).message, isError: true })
      return false
    }
  }, [])
  useEffect(() => {
    const timer = setTimeout(() => setMessage(undefined), message?.isError ? 12_000 : 5000)
    return () => clearTimeout(timer)
  }, [message])
  // With a token, what was refused for the lack of one is settled.
  useEffect(() => {
    if (!needsToken) setMessage(undefined)
  }, [needsToken])
  return { message, say, attempt, needsToken, setNeedsToken }
}

/** Returns the route in the address (undefined if there is none), the current route, and a function that changes it. */
function useRoute() {
  const [route, setRoute] = useState(() => routeOf(location.hash))
  useEffect(() => {
    const look = () => setRoute(routeOf(location.hash))
    addEventListener('hashchange', look)
    return () => removeEventListener('hashchange', look)
  }, [])
  const current: PageRoute = route ?? { view: 'start' }
  const latest = useRef(current)
  latest.current = current
  const go = useCallback<Shared['go']>((change, replace) => {
    const hash = hashOf(changed(latest.current, change))
    if (replace) history.replaceState(null, '', hash)
    else if (location.hash !== hash) history.pushState(null, '', hash)
    setRoute(routeOf(hash))
  }, [])
  useEffect(() => {
    document.title = `${titles[current.view]} · Countersign`
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current.view])
  return { route, current, go }
}

/** The chosen view. */
function Shown() {
  const { route } = useShared()
  const { view, tenant } = route
  if (view === 'start') return <Start />
  if (view === 'requests') return <Requests />
  if (tenant === undefined) {
    return (
      <p class="hint">
        Choose a tenant above, or <a href={hashOf({ view: 'start' })}>open one</a>. Requests shows those of all tenants.
      </p>
    )
  }
  return (
    <>
      <Journey key={tenant} />
      {view === 'executions' && <Executions />}
      {view === 'workflows' && <Workflows />}
      {view === 'uploads' && <Uploads />}
      {view === 'history' && <History />}
    </>
  )
}

/** The name, the tenant that is shown, and the state of the connection. */
function Header() {
  const { route, go, linkTo, attempt } = useShared()
  const connection = useLive((state) => state.connection)
  const version = useLive((state) => state.version)
  const refusal = useLive((state) => state.refusal)
  useEffect(() => {
    if (!refusal) return
    attempt(() => Promise.reject(refusal))
    // The mock may have been started again, without its tenants.
    if (refusal.status === 404) go({ tenant: undefined, view: 'start' }, 'replace')
  }, [refusal])
  const connections = { connecting: 'connecting', open: 'live', lost: 'not connected' }
  return (
    <header>
      <h1>Countersign</h1>
      <nav aria-label="Views">
        {views.map((view) => (
          <a key={view} href={linkTo({ view })} aria-current={view === route.view ? 'page' : undefined}>
            {titles[view]}
          </a>
        ))}
      </nav>
      <TenantChoice />
      <p class={`connection ${connection}`} role="status" title={version && `Version ${version}`}>
        {connections[connection]}
      </p>
    </header>
  )
}

/** Chooses the tenant that is shown, or opens another one. */
function TenantChoice() {
  const { admin, route, go, attempt } = useShared()
  const [isOpening, setOpening] = useState(false)
  const [key, setKey] = useState('test_console')
  const count = useLive((state) => state.tenants)
  const generation = useLive((state) => state.generation)
  const beat = useBeat(({ type }) => type === 'ExecutionStarted' || type === 'ExecutionCompleted', 2000)
  const { value } = useLoaded(
    (signal) => admin.call('getTenants', { query: { limit: 200 }, signal }),
    ['tenants', count, generation, beat],
  )
  const tenants = value?.tenants ?? []
  const isListed = tenants.some(({ tenant_id }) => tenant_id === route.tenant)
  const open = () =>
    attempt(async () => {
      const { tenant_id: tenant } = await admin.call('openTenant', { key })
      go({ tenant })
    })
  return (
    <>
      <Choice
        label="Tenant"
        value={route.tenant ?? ''}
        options={[
          ['', 'All tenants'],
          ...(route.tenant !== undefined && !isListed ? [[route.tenant, tenantName(route.tenant)] as const] : []),
          ...tenants.map((tenant) => [tenant.tenant_id, tenantText(tenant)] as const),
          ['open', 'Open by key …'],
        ]}
        onChange={(tenant) => {
          if (tenant === 'open') setOpening(true)
          else go({ tenant: tenant || undefined })
        }}
      />
      {isOpening && (
        <Dialog title="Open the tenant of a key" action="Open" onClose={() => setOpening(false)} onSubmit={open}>
          <p>Send the key as your front end does. The page forgets it and shows the tenant by a short name.</p>
          <Field label="API key" value={key} onInput={setKey} />
        </Dialog>
      )}
    </>
  )
}

function TokenDialog({ onToken }: { readonly onToken: (token: string) => void }) {
  const [token, setToken] = useState('')
  return (
    <Dialog
      title="Admin token"
      action="Use"
      onClose={() => undefined}
      onSubmit={async () => {
        onToken(token)
        return true
      }}
    >
      <p>The mock was started with an admin token. The page keeps it until you close the tab.</p>
      <Field label="Admin token" type="password" value={token} onInput={setToken} />
    </Dialog>
  )
}
