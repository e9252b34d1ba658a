import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { tenantName } from '../contract/tenant-name.ts'
import { callAdmin, isTokenMissing, keepToken } from './live/admin.ts'
import { useAnswer, useBeat, useLive } from './live/hooks.ts'
import { adopt, followAddress, followTenant, go, linkTo } from './live/live.ts'
import { routeOf, type View, views } from './live/route.ts'
import { Choice, Dialog, Field, Pending } from './parts/basics.tsx'
import { capitalized, tenantText } from './parts/format.ts'
import { KeyDialog } from './parts/key-dialog.tsx'
import { Steering } from './steering.tsx'
import { Executions } from './views/executions.tsx'
import { History, Journey } from './views/history.tsx'
import { Requests } from './views/requests.tsx'
import { Start } from './views/start.tsx'
import { Uploads } from './views/uploads.tsx'
import { Workflows } from './views/workflows.tsx'

const pages: Readonly<Record<View, () => ComponentChildren>> = {
  start: Start,
  executions: Executions,
  workflows: Workflows,
  uploads: Uploads,
  requests: Requests,
  history: History,
}

/** The page. */
export function App() {
  const { view, tenant } = useLive('route')
  const needsToken = useLive('needsToken')
  const [tries, setTries] = useState(0)
  useEffect(() => {
    document.title = `${capitalized(view)} · Countersign`
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [view])
  useEffect(() => {
    addEventListener('hashchange', followAddress)
    return () => removeEventListener('hashchange', followAddress)
  }, [])

  // First, to learn whether the page needs a token, and which tenant to show.
  const { value, error, isLoading } = useAnswer('getTenants', { query: { limit: 1 } }, tries)
  const isRefused = isTokenMissing(error)
  const isReady = !isLoading && !error
  useEffect(() => {
    if (isRefused) adopt({ needsToken: true })
  }, [error])
  useEffect(() => {
    if (!isReady || routeOf(location.hash)) return
    const [first] = value?.tenants ?? []
    go(first ? { view: 'executions', tenant: first.tenant_id } : { view: 'start' }, 'replace')
  }, [isReady])
  useEffect(() => (isReady ? followTenant(tenant) : undefined), [isReady, tenant])

  const useToken = async (entered: FormData) => {
    keepToken(String(entered.get('token')))
    // What was refused for the lack of a token is settled.
    adopt({ needsToken: false, message: undefined })
    setTries(tries + 1)
  }
  return (
    <>
      <Header />
      {isReady && <Steering />}
      <main class={view} tabIndex={-1}>
        {error && !isRefused && <Pending error={error} />}
        {isReady && <Shown />}
      </main>
      <Message />
      {needsToken && (
        <Dialog title="Admin token" action="Use" onSubmit={useToken}>
          <p>The mock was started with an admin token. The page keeps it until you close the tab.</p>
          <Field label="Admin token" type="password" name="token" />
        </Dialog>
      )}
    </>
  )
}

/** The message at the bottom of the page, for some seconds. */
function Message() {
  const message = useLive('message')
  useEffect(() => {
    const timer = setTimeout(() => adopt({ message: undefined }), message?.isError ? 12_000 : 5000)
    return () => clearTimeout(timer)
  }, [message])
  return (
    <div class="message" role="status">
      {message && <p class={message.isError ? 'failure' : ''}>{message.text}</p>}
    </div>
  )
}

/** The chosen view. */
function Shown() {
  const { view, tenant } = useLive('route')
  const View = pages[view]
  if (view === 'start' || view === 'requests') return <View />
  if (tenant === undefined) {
    return (
      <p class="hint">
        Choose a tenant above, or <a href="#start">open one</a>. Requests shows those of all tenants.
      </p>
    )
  }
  return (
    <>
      <Journey key={tenant} />
      <View />
    </>
  )
}

/** The name, the tenant that is shown, and the state of the connection. */
function Header() {
  const route = useLive('route')
  const connection = useLive('connection')
  const version = useLive('version')
  const connections = { connecting: 'connecting', open: 'live', lost: 'not connected' }
  return (
    <header>
      <h1>Countersign</h1>
      <nav aria-label="Views">
        {views.map((view) => (
          <a key={view} href={linkTo({ view })} aria-current={view === route.view ? 'page' : undefined}>
            {capitalized(view)}
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
  const { tenant: shown } = useLive('route')
  const [isOpening, setOpening] = useState(false)
  const count = useLive('tenants')
  const beat = useBeat(({ type }) => type === 'ExecutionStarted' || type === 'ExecutionCompleted', 2000)
  const { value } = useAnswer('getTenants', { query: { limit: 200 } }, `${count} ${beat}`)
  const tenants = value?.tenants ?? []
  const isListed = tenants.some(({ tenant_id }) => tenant_id === shown)
  return (
    <>
      <Choice
        label="Tenant"
        value={shown ?? ''}
        options={[
          ['', 'All tenants'],
          ...(shown !== undefined && !isListed ? [[shown, tenantName(shown)] as const] : []),
          ...tenants.map((tenant) => [tenant.tenant_id, tenantText(tenant)] as const),
          ['open', 'Open by key …'],
        ]}
        onChange={(tenant) => {
          if (tenant === 'open') setOpening(true)
          else go({ tenant: tenant || undefined })
        }}
      />
      {isOpening && (
        <KeyDialog
          title="Open the tenant of a key"
          action="Open"
          label="API key"
          proposed="test_console"
          onKey={(key) => callAdmin('openTenant', { key })}
          onClose={() => setOpening(false)}
        >
          <p>Send the key as your front end does. The page forgets it and shows the tenant by a short name.</p>
        </KeyDialog>
      )}
    </>
  )
}
