import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { openWatchedPage } from '../support/browser.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { serve } from '../support/serve.ts'
import { clientOf, freshKey, workflow } from '../support/service.ts'
import { sharedMock } from '../support/started.ts'

const console = fileURLToPath(new URL('../../dist/console', import.meta.url))
const mock = await sharedMock({ clockSpeed: 0, approvers: 'manual', console })
const { port } = new URL(mock.url)

/** A hostile page on another origin. */
const stranger = await serve(async () => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } }))
afterAll(stranger.close)

/** A call that changes something if it comes from the mock's own origin. */
interface Attack {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly key?: string
}

/** Makes a tenant with a running execution and an upload, and the calls that would change them or the mock. */
async function target(): Promise<Attack[]> {
  const { call, requested, executed } = clientOf(mock)
  const { tenant_id: tenant } = (await call('POST', '/__admin/tenants')).json
  const started = await executed()
  const [{ step_id, assignee }] = started.steps
  const waiting = await requested('a.txt', 5, 'text/plain')
  const json = (method: string, path: string, body: object, of = `?tenant_id=${tenant}`): Attack => ({
    ...{ method, path: path + of, body: JSON.stringify(body) },
  })
  const decision = { decision: 'approved', approver_email: assignee.email }
  const imported = {
    ...{ format: 'countersign-tenant', version: 1, exported_at: '2026-01-01T00:00:00.000Z' },
    ...{ events: [], objects: {} },
  }
  return [
    { method: 'POST', path: '/__admin/tenants', key: freshKey() },
    { ...json('POST', '/__admin/tenants/import', imported, ''), key: freshKey() },
    json('POST', '/__admin/tenants/branch', { as_of: 1, key: freshKey() }),
    json('POST', '/__admin/calls', { operation_id: 'createWorkflow', body: workflow() }),
    { method: 'PUT', path: `/__admin/uploads/${waiting.session_id}/content?tenant_id=${tenant}`, body: 'Hello' },
    json('POST', `/__admin/executions/${started.execution_id}/decision`, { step_id, ...decision }),
    json('POST', '/__admin/clock/advance', { duration: 'PT1H' }),
    json('PUT', '/__admin/clock', { speed: 2 }),
    json('PUT', '/__admin/settings', { approvers: 'instant' }),
    json('POST', '/__admin/next-answers', { operation_id: 'getWorkflow', status: 503 }),
    { method: 'POST', path: `/__admin/scenarios/first-day?tenant_id=${tenant}` },
    { method: 'POST', path: `/__admin/reset?tenant_id=${tenant}` },
    { method: 'POST', path: '/__admin/reset' },
  ]
}

/** Returns all that the mock knows, with its clock stopped. */
async function stateOfAll(): Promise<string> {
  const read = async (path: string) => (await fetch(`${mock.url}/__admin/${path}`)).json()
  const { tenants } = await read('tenants')
  const all = ['journal', 'settings', 'clock', 'next-answers', 'scenarios']
  const each = tenants.flatMap(({ tenant_id: id }: { tenant_id: string }) =>
    ['settings', 'clock', 'next-answers', 'uploads'].map((name) => `${name}?tenant_id=${id}`),
  )
  return JSON.stringify([tenants, await Promise.all([...all, ...each].map(read))])
}

/** The ways in which a page sends a call. */
const ways = {
  cors: ({ method, path, body, key }: Attack) =>
    fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...(key !== undefined && { Authorization: key }) },
      ...(body !== undefined && { body }),
    }),
  // Without a preflight: only these methods and headers are possible.
  'no-cors': ({ path, body = '' }: Attack) => fetch(path, { method: 'POST', mode: 'no-cors', body }),
  beacon: async ({ path, body = '' }: Attack) => {
    navigator.sendBeacon(path, body)
  },
  form: async ({ path, body = '' }: Attack) => {
    const form = document.createElement('form')
    const frame = document.createElement('iframe')
    frame.name = `frame${path}`
    Object.assign(form, { method: 'post', enctype: 'text/plain', action: path, target: frame.name })
    form.append(Object.assign(document.createElement('input'), { name: body, value: '' }))
    document.body.append(frame, form)
    form.submit()
  },
}

/** Opens a page at an address, sends calls in one of the ways, and waits until all are answered or refused. */
async function sendFrom(address: string, way: keyof typeof ways, attacks: readonly Attack[], url: string) {
  const { page } = await openWatchedPage()
  await page.goto(address)
  const sent: Promise<unknown>[] = []
  page.on('request', (request) => {
    if (request.url().includes('/__admin/')) sent.push(request.response())
  })
  const calls = attacks.map((one) => ({ ...one, path: url + one.path }))
  // The function is a text, since each way is another one.
  await page.evaluate(`Promise.allSettled(${JSON.stringify(calls)}.map(${ways[way]}))`)
  await expect.poll(() => sent.length).toBe(attacks.length)
  await Promise.all(sent)
}

test('each call of the attacks changes something if it comes from the own origin', async () => {
  const attacks = await target()
  const own = `${mock.url}/__admin/health`
  for (const attack of nonEmpty(attacks)) {
    const before = await stateOfAll()
    await sendFrom(own, 'cors', [attack], '')
    expect(await stateOfAll(), attack.path).not.toBe(before)
  }
})

test.each(nonEmpty(Object.keys(ways) as (keyof typeof ways)[]))(
  'no call by %s of another page changes anything',
  async (way) => {
    const attacks = await target()
    const before = await stateOfAll()
    await sendFrom(stranger.url, way, attacks, mock.url)
    // Another name of this machine is another site.
    await sendFrom(stranger.url.replace('127.0.0.1', 'localhost'), way, attacks, mock.url)
    // The page sees its own origin, and the mock the name that was rebound.
    await sendFrom(`http://evil.example:${port}/__admin/health`, way, attacks, '')
    expect(await stateOfAll()).toBe(before)
  },
)

test.each(['127.0.0.1', 'localhost'])('no page can frame the console, at %s neither', async (name) => {
  const { page, requests } = await openWatchedPage()
  await page.goto(stranger.url.replace('127.0.0.1', name))
  await page.evaluate((src) => {
    const frame = Object.assign(document.createElement('iframe'), { src })
    document.body.append(frame)
    return new Promise((resolve) => frame.addEventListener('load', resolve))
  }, `${mock.url}/`)
  expect(requests.filter((url) => /__(console|admin)/.test(url))).toEqual([])
  expect(await page.frames()[1]?.content()).not.toContain('__console')
})

test('a page that opens the console has no handle of it', async () => {
  const { page } = await openWatchedPage()
  await page.goto(stranger.url)
  const opened = page.context().waitForEvent('page')
  await page.evaluate((url) => void Object.assign(globalThis, { opened: open(url) }), `${mock.url}/`)
  const popup = await opened
  await popup.getByRole('combobox', { name: 'Tenant' }).waitFor()
  expect(await popup.evaluate(() => opener)).toBeNull()
  expect(await page.evaluate(() => (globalThis as unknown as { opened: Window }).opened.closed)).toBe(true)
})

test('an address with markup is a text to the console, and changes nothing', async () => {
  await target()
  const before = await stateOfAll()
  const { page, complaints } = await openWatchedPage()
  const markup = encodeURIComponent('"><img src=x onerror="document.title = 1"><script>document.title = 1</script>')
  for (const hash of [
    `executions?tenant=${markup}`,
    `executions?tenant=000000000000&id=${markup}`,
    markup,
    'requests?id=../reset',
  ]) {
    await page.goto('about:blank')
    await page.goto(`${mock.url}/#${hash}`)
    await page.getByRole('combobox', { name: 'Tenant' }).waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.title()).toContain('Countersign')
  }
  // Refusals of unknown tenants and requests are expected; a policy that had to stop a script is not.
  expect(complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([])
  expect(await stateOfAll()).toBe(before)
})
