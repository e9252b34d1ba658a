import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import profile from '../../examples/like-a-deployment/profile.json' with { type: 'json' }
import type { StartOptions } from '../../src/node/start-mock.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { openWatchedPage, overflows, sizes, staysHere, unfold, type WatchedPage } from '../support/browser.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { clientOf, execution, freshKey, workflow } from '../support/service.ts'
import { sharedMock, started } from '../support/started.ts'

const folder = fileURLToPath(new URL('../../dist/console', import.meta.url))
const views = ['start', 'executions', 'workflows', 'uploads', 'requests', 'history'] as const

const mock = await sharedMock({ console: folder })

type Options = Parameters<typeof openWatchedPage>[0]

/** Opens the console at a place of it. Fails at the end of the test if the page complained. */
async function openConsole(place = '', options: Options = {}, url = mock.url): Promise<WatchedPage> {
  const watched = await openWatchedPage({ viewport: sizes[0], ...options })
  onTestFinished(() => expect(watched.complaints).toEqual([]))
  watched.page.setDefaultTimeout(30_000)
  await watched.page.goto(`${url}/${place}`)
  await watched.page.getByRole('combobox', { name: 'Tenant' }).waitFor()
  return watched
}

/** Returns functions that call the mock as a front end does. */
function frontEnd(key = freshKey(), url = mock.url) {
  const client = clientOf({ url }, key)
  const call = async (method: string, path: string, body?: unknown) => (await client.call(method, path, body)).json
  const opened = async (): Promise<string> => (await call('POST', '/__admin/tenants')).tenant_id
  const uploaded = async (name = 'contract.pdf', type = 'application/pdf', bytes = Buffer.from('%PDF-1.7')) => {
    const upload = await client.requested(name, bytes.byteLength, type)
    await client.store(upload, new Uint8Array(bytes))
    return (await client.confirm(upload)).json.document_id as string
  }
  const executed = async (change: object = {}) => {
    const { workflow_id } = await call('POST', '/api/v1/workflows', { ...workflow(), ...change })
    return call('POST', `/api/v1/workflows/${workflow_id}/execute`, execution(await uploaded()))
  }
  const load = async (scenario: string) => call('POST', `/__admin/scenarios/${scenario}`)
  return { key, call, opened, uploaded, executed, load }
}

let busy: Promise<{ tenant: string; call: ReturnType<typeof frontEnd>['call'] }> | undefined

/** Returns a tenant with the executions of 90 days, which tests only read, and its calls. */
function busyTenant() {
  const { opened, executed, load, call } = frontEnd()
  busy ??= opened().then(async (tenant) => {
    await load('busy-quarter')
    await executed()
    await call('POST', '/api/v1/workflows', {})
    return { tenant, call }
  })
  return busy
}

/** Opens a view of the console for a new tenant, whose calls are returned too. */
async function openTenant(
  view: string,
  prepare: (mine: ReturnType<typeof frontEnd>) => Promise<unknown> = async () => {},
) {
  const mine = frontEnd()
  const tenant = await mine.opened()
  await prepare(mine)
  return { ...mine, tenant, ...(await openConsole(`#${view}?tenant=${tenant}`)) }
}

/** Starts a mock of its own for the current test. */
const ownMock = async (options: StartOptions = {}) => (await started({ console: folder, ...options })).mock

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

/** Clicks on buttons, one after the other. */
async function click(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await button(page, name).click()
}

/** The rows of a list; `getByRole` would also find the choices of its filters. */
const rows = (page: Page) => page.locator('[role=option]')
const option = (page: Page, text: string) => rows(page).filter({ hasText: text })

test('what a front end does is followed live', async () => {
  const { page, call, executed } = await openTenant('executions')
  await page.getByText('No executions.').waitFor()
  await executed()
  await option(page, 'Supplier contract').waitFor()
  const choice = page.getByRole('combobox', { name: 'Workflow' })
  await expect.poll(() => choice.textContent()).toContain('Supplier contract')
  await page.getByRole('link', { name: 'Requests' }).click()
  await call('POST', '/api/v1/workflows', { name: 'x', steps: [] })
  await option(page, 'invalid-request').click()
  const broken = page.getByText(/The body breaks 1 rule/)
  await broken.first().waitFor()
})

test('the reader of an execution decides its steps, and sees why each was routed', async () => {
  const { page, call, tenant } = await openTenant('executions', ({ executed }) => executed())
  await option(page, 'Supplier contract').click()
  await page.getByRole('cell', { name: 'lena@example.com (chosen)' }).waitFor()
  await click(page, 'Approve')
  await page.getByText('ines@example.com is the only approver of the step.').waitFor()
  await click(page, 'Reject')
  await page.getByRole('heading', { name: 'Supplier contract rejected' }).waitFor()
  const { executions } = await call('GET', `/__admin/executions?tenant_id=${tenant}`)
  expect(executions).toMatchObject([{ status: 'rejected' }])
})

test('a request from before the page was opened shows its errors without scrolling', async () => {
  const { page } = await openTenant('requests', ({ call }) =>
    call('POST', '/api/v1/workflows', { steps: [{ name: 'Legal review', order: 0 }] }),
  )
  const error = page.getByRole('listitem').filter({ hasText: '/steps/0/order must be >= 1, but is 0' })
  await error.waitFor()
  expect((await error.boundingBox())?.y).toBeLessThan(700)
  expect(await page.getByLabel('Body of the request').textContent()).toContain('Legal review')
})

test('on a narrow screen, candidates and completion times can be read', async () => {
  const { tenant, call } = await busyTenant()
  const { executions } = await call('GET', '/__admin/executions?limit=2')
  const { execution_id, workflow_id } = executions[1]
  const { page } = await openConsole(`#executions?tenant=${tenant}&id=${execution_id}`, { viewport: sizes[1] })
  const candidates = page.locator('.scroll').first()
  await candidates.waitFor({ state: 'attached' })
  await unfold(page)
  expect(await candidates.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  await page.goto(`${mock.url}/#workflows?tenant=${tenant}&id=${workflow_id}`)
  const name = page.locator('.histogram text').first()
  await name.waitFor()
  expect((await name.boundingBox())?.height).toBeGreaterThan(10)
})

test('the page sets all that can be set, of its tenant alone', async () => {
  const other = frontEnd()
  await other.opened()
  const { page, call } = await openTenant('requests')
  const set = async (figure: string, values: Record<string, string>) => {
    await click(page, figure)
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value)
    await click(page, 'Set')
  }
  await page.getByRole('combobox', { name: 'Approvers' }).selectOption('manual')
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('3600')
  await set('Latency: none', { 'To, in ms': '20' })
  await set('Latency: 0–20 ms', { 'Median, in ms': '1.5', '99th percentile, in ms': '18' })
  await button(page, 'Latency: p50 1.5, p99 18 ms').waitFor()
  await set('Rate limit: none', { 'Calls per second': '500' })
  await button(page, 'Rate limit: 500 / s').waitFor()
  await click(page, 'Faults: none', 'Add a fault', 'Set faults')
  await button(page, 'Faults: 1 fault').waitFor()
  expect(await call('GET', '/__admin/settings')).toEqual({
    approvers: 'manual',
    latency: { min_ms: 0, max_ms: 20, p50_ms: 1.5, p99_ms: 18 },
    faults: [{ probability: 0.1, status: 503 }],
    rate_limit: 500,
  })
  expect((await call('GET', '/__admin/clock')).speed).toBe(3600)
  expect((await other.call('GET', '/__admin/settings')).approvers).toBe('auto')
  await button(page, /^State/).click()
  await click(page, 'Reset')
  for (const name of ['Latency: none', 'Rate limit: none']) await button(page, name).waitFor()
})

/** Names the tenant that a dialog makes, and waits until the page shows it. Returns the types of its events. */
async function intoNewTenant(page: Page, tenant: string, confirmation: string): Promise<string[]> {
  const key = freshKey()
  await page.getByLabel('API key of the new tenant').fill(key)
  await page.getByRole('dialog').getByRole('button', { name: confirmation, exact: true }).click()
  await page.waitForFunction((before) => !location.hash.includes(before), tenant)
  return typesOf(frontEnd(key).call)
}

const typesOf = async (call: ReturnType<typeof frontEnd>['call']): Promise<string[]> =>
  (await call('GET', '/__admin/journal')).events.map(({ type }: { type: string }) => type)

test('the slider shows a tenant as it was, and a branch goes on from there', async () => {
  const { page, call, tenant } = await openTenant('history', ({ executed }) => executed())
  await option(page, 'WorkflowCreated').click()
  await page.getByText('After event 1 of').waitFor()
  await page.getByRole('link', { name: 'executions', exact: true }).click()
  await page.getByText('No executions.').waitFor()
  await click(page, 'Branch here …')
  expect(await intoNewTenant(page, tenant, 'Branch')).toEqual(['WorkflowCreated'])
  expect((await typesOf(call)).length).toBeGreaterThan(5)
})

test('an exported tenant is imported under another key', async () => {
  const { page, call, tenant } = await openTenant('history', ({ executed }) => executed())
  const [download] = await Promise.all([page.waitForEvent('download'), click(page, 'Export')])
  await click(page, 'Import …')
  await page.getByLabel('File').setInputFiles(await download.path())
  expect(await intoNewTenant(page, tenant, 'Import')).toEqual(await typesOf(call))
})

test('pictures and texts are previewed, and no upload becomes active', async () => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const active = '<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = "active"</script></svg>'
  const { page } = await openTenant('uploads', async ({ uploaded }) => {
    await uploaded('pixel.png', 'image/png', Buffer.from(pixel, 'base64'))
    await uploaded('active.svg', 'image/svg+xml', Buffer.from(active))
    await uploaded('active.html', 'text/html', Buffer.from('<script>document.title = "active"</script>'))
  })
  await option(page, 'pixel.png').click()
  const picture = page.getByRole('img', { name: 'Preview of pixel.png' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  for (const name of ['active.svg', 'active.html']) {
    await option(page, name).click()
    await page.getByRole('group', { name: 'Content' }).getByText('document.title = "active"').waitFor()
  }
  expect(await page.title()).toBe('Uploads · Countersign')
})

test('hostile names and large bodies are shown as text', async () => {
  const { page, executed, call } = await openTenant('executions')
  await executed({ name: '<img src=x onerror=alert(1)>\u202e{{7*7}}', description: 'x'.repeat(2000) })
  await option(page, '<img src=x onerror=alert(1)>').waitFor()
  await page.getByRole('link', { name: 'Requests' }).click()
  await call('POST', '/api/v1/workflows', { ...workflow(), description: 'y'.repeat(900_000) })
  await option(page, 'invalid-request').click()
  await page.getByText(/^The first .* of the body/).waitFor()
  expect([await page.locator('img').count(), await overflows(page)]).toEqual([0, false])
})

/** Waits until nothing is loading. */
const settled = (page: Page) =>
  page.waitForFunction(
    () => document.querySelector('main')?.textContent && !document.body.textContent?.includes('Loading …'),
  )

/** Returns what axe-core finds in light colors, and what cannot be read in dark ones. */
async function findings(page: Page): Promise<string[]> {
  const inScheme = async (colorScheme: 'dark' | 'light', options: object): Promise<string[]> => {
    await page.emulateMedia({ colorScheme })
    return page.evaluate(`axe.run(document, ${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(
      ({ violations }) => violations.map(({ id, nodes }) =>
        id + ' in ${colorScheme} colors: ' + nodes.map(({ html }) => html.slice(0, 120)).join(' ')))`)
  }
  // Colors do not depend on the width.
  const isWide = (page.viewportSize()?.width ?? 0) > 800
  return [...(isWide ? await inScheme('dark', { runOnly: ['color-contrast'] }) : []), ...(await inScheme('light', {}))]
}

test.each(nonEmpty(sizes))('at $width pixels every view fits and axe-core finds nothing', async (viewport) => {
  const { tenant } = await busyTenant()
  // The page's policy allows no other script, so it is bypassed.
  const { page } = await openConsole('', { viewport, bypassCSP: true })
  await page.evaluate(axe.source)
  const found: string[] = []
  const look = async (view: string) => {
    await settled(page)
    found.push(...(await findings(page)).map((one) => `${view}: ${one}`))
    if (await overflows(page)) found.push(`${view} is too wide`)
  }
  for (const view of [...views, 'history?as_of=5', 'executions?as_of=700']) {
    await page.goto(`${mock.url}/#${view}${view.includes('?') ? '&' : '?'}tenant=${tenant}`)
    await look(view)
    if (view === 'start' || view.startsWith('history') || viewport.width > 800) continue
    await rows(page).first().click()
    await look(`${view} in detail`)
  }
  expect(found).toEqual([])
})

test('the keyboard alone reaches an execution and approves it', async () => {
  const { page } = await openTenant('executions', async ({ executed }) => {
    await executed()
    await executed({ name: 'Press release' })
  })
  await option(page, 'Press release').waitFor()
  const tabTo = async (role: string, name: string | RegExp) => {
    const target = page.getByRole(role as 'button', { name }).first()
    await target.waitFor()
    for (let presses = 0; presses < 60; presses += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach ${name}.`)
  }
  await tabTo('listbox', 'Executions')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('heading', { name: 'Supplier contract running' }).waitFor()
  await tabTo('button', 'Approve')
  await page.keyboard.press('Enter')
  await page.getByText('ines@example.com is the only approver of the step.').waitFor()
})

/** Returns the text of what has the focus: of a button with the list item that it is in. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: active } = document
    const place = active?.closest('li')?.querySelector('h3, .strong')?.textContent ?? ''
    return active === document.body ? 'nothing' : `${active?.textContent} ${place}`.trim()
  })

test('after a decision the keyboard is at the next one, and at the end at the result', async () => {
  const { page } = await openTenant('executions', ({ executed }) => executed())
  await option(page, 'Supplier contract').click()
  await button(page, 'Approve').focus()
  for (const next of ['Approve Finance', '✓ approved']) {
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toContain(next)
  }
})

test('the keyboard alone leads a newcomer from the start to a timeline', async () => {
  const { page, requests } = await openConsole('', {}, (await ownMock()).url)
  await page.getByLabel('API key').fill(freshKey())
  for (const next of ['Create workflow', 'Upload', 'Execute', 'Approve Legal', 'Approve Finance', 'is approved']) {
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toContain(next)
  }
  await page.getByRole('link', { name: 'See its timeline' }).press('Enter')
  await page.getByRole('figure', { name: /^Timeline/ }).waitFor()
  expect(requests.filter((url) => !staysHere(url))).toEqual([])
})

const like = profile as Profile

test('the start uploads a large file, also if answers are those of a deployment', async () => {
  const { url } = await ownMock({ like, storagePort: 0 })
  const { page } = await openConsole('#start', {}, url)
  await click(page, 'Open', 'Create workflow')
  const bytes = Buffer.alloc(1_500_000, 'x')
  await page.getByLabel(/^File/).setInputFiles({ name: 'large.bin', mimeType: 'application/zip', buffer: bytes })
  await click(page, 'Upload', 'Execute')
  await page.getByText('Execution exe_').waitFor()
  await page.getByRole('link', { name: 'Uploads' }).click()
  await option(page, '1.5 MB').waitFor()
})

test('the history goes back to the first event, and a link leads to any of them', async () => {
  const { tenant, call } = await busyTenant()
  const { page } = await openConsole(`#history?tenant=${tenant}&as_of=700`)
  await page.getByRole('heading', { name: /event 700$/ }).waitFor()
  await expect.poll(() => page.locator('[aria-selected=true]').textContent()).toMatch(/^700/)
  await page.getByRole('listbox', { name: 'Events' }).focus()
  await page.keyboard.press('End')
  await page.getByRole('heading', { name: 'WorkflowCreated event 1' }).waitFor()
  const { events } = await call('GET', '/__admin/journal?limit=1')
  expect(await page.locator('.count').textContent()).toBe(`${events[0].seq.toLocaleString('en-GB')} events`)
  expect(await rows(page).count()).toBeLessThan(80)
})

test('a tenant whose first events were dropped says that it cannot go back', async () => {
  const small = await ownMock({ maxExecutions: 20, approvers: 'instant' })
  const { opened, executed, load, call } = frontEnd(freshKey(), small.url)
  const tenant = await opened()
  await load('busy-quarter')
  await executed()
  const { tenants } = await call('GET', '/__admin/tenants')
  expect(tenants[0].first_event).toBeGreaterThan(1)
  const { page } = await openConsole(`#history?tenant=${tenant}`, {}, small.url)
  await page.getByText(/has dropped the events before event [\d,]+, so earlier states/).waitFor()
  expect(await page.getByRole('slider').count()).toBe(0)
  await page.getByRole('button', { name: 'Export', disabled: true }).waitFor()
  await rows(page).nth(3).click()
  await page.getByRole('group', { name: 'The event as JSON' }).waitFor()
})

test('the keyboard reaches the end of 90 days, and only visible rows are drawn', async () => {
  const { tenant } = await busyTenant()
  const { page } = await openConsole(`#executions?tenant=${tenant}`)
  await option(page, 'Press release').first().waitFor()
  const list = page.getByRole('listbox', { name: 'Executions' })
  await list.focus()
  for (let presses = 0; presses < 30; presses += 1) await page.keyboard.press('PageDown')
  await page.keyboard.press('End')
  const total = Number((await page.locator('.count').textContent())?.match(/\d+/)?.[0])
  await expect
    .poll(() => page.locator('[role=option][aria-selected=true]').getAttribute('aria-posinset'))
    .toBe(String(total))
  expect(total).toBeGreaterThan(200)
  expect(await rows(page).count()).toBeLessThan(60)
})

test('with a profile an answer stands beside that of the contract', async () => {
  const styled = await ownMock({ like })
  const { opened, call } = frontEnd(freshKey(), styled.url)
  const { page } = await openConsole(`#requests?tenant=${await opened()}`, {}, styled.url)
  await page.getByText('No requests yet.').waitFor()
  await call('POST', '/api/v1/workflows', workflow())
  await option(page, '/api/v1/workflows').click()
  const ours = page.getByRole('group', { name: 'Answer of the contract' })
  await ours.getByText('"workflow_id"').waitFor()
  const theirs = page.getByRole('group', { name: 'Answer of the deployment' })
  await theirs.locator('.differs').filter({ hasText: '"workflowId"' }).waitFor()
})

test('the page asks for the admin token once', async () => {
  const { page } = await openWatchedPage()
  await page.goto((await ownMock({ adminToken: 'a-token' })).url)
  for (const token of ['wrong', 'a-token']) {
    await page.getByRole('textbox', { name: 'Admin token' }).fill(token)
    await click(page, 'Use')
  }
  await page.getByLabel('API key').waitFor()
  await page.reload()
  await page.getByLabel('API key').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('the key of a tenant stays in no part of the page', async () => {
  const { page, requests } = await openConsole('#start')
  const key = freshKey()
  await page.getByRole('combobox', { name: 'Tenant' }).selectOption('open')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('API key').fill(key)
  await dialog.getByRole('button', { name: 'Open', exact: true }).click()
  await page.waitForFunction(() => location.hash.includes('tenant='))
  const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie]))
  expect([kept, page.url(), ...requests].filter((text) => text.includes(key))).toEqual([])
})
