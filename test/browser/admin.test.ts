import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningMock, startMock } from '../../src/node/start-mock.ts'
import { launchChromium, openWatchedPage } from '../support/chromium.ts'
import { freshKey, workflow } from '../support/service.ts'

let browser: Browser
let mock: RunningMock
let port: string

/** A hostile page on another origin. */
const stranger = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html>'))

beforeAll(async () => {
  mock = await startMock({ port: 0 })
  port = new URL(mock.url).port
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  // DNS rebinding: a name of the attacker that now resolves to this machine.
  browser = await launchChromium(['--host-resolver-rules=MAP evil.example 127.0.0.1'])
})

afterAll(async () => {
  await browser.close()
  stranger.close()
  await mock.close()
})

/** Returns whether a workflow still exists after an attack by the page. */
async function survives(address: string, attack: (mockUrl: string) => unknown): Promise<boolean> {
  const headers = { Authorization: freshKey(), 'Content-Type': 'application/json' }
  await fetch(`${mock.url}/api/v1/workflows`, { method: 'POST', headers, body: JSON.stringify(workflow()) })
  const { page } = await openWatchedPage(browser)
  await page.goto(address)
  const answered = new Promise<void>((resolve) => {
    const look = (of: { url(): string }) => of.url().endsWith('/__admin/reset') && resolve()
    page.on('response', look).on('requestfailed', look)
  })
  await page.evaluate(attack, mock.url)
  await answered
  await page.context().close()
  const journal = await fetch(`${mock.url}/__admin/journal`, { headers: { Authorization: headers.Authorization } })
  return (await journal.json()).events.length === 1
}

const strangerUrl = () => `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`

test("a page of the mock's own origin can call the admin API", async () => {
  const reset = (url: string) => fetch(`${url}/__admin/reset`, { method: 'POST' })
  expect(await survives(`${mock.url}/__admin/health`, reset)).toBe(false)
})

test.each([
  [
    'asks without CORS',
    // Settled, not awaited for its answer: the browser refuses to show it, and `survives` looks at what it did.
    (url: string) => Promise.allSettled([fetch(`${url}/__admin/reset`, { method: 'POST', mode: 'no-cors' })]),
  ],
  ['asks with CORS', (url: string) => Promise.allSettled([fetch(`${url}/__admin/reset`, { method: 'POST' })])],
  ['sends a beacon', (url: string) => navigator.sendBeacon(`${url}/__admin/reset`)],
  [
    'sends a form',
    (url: string) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: `${url}/__admin/reset` })
      document.body.append(form)
      form.submit()
    },
  ],
])('a page on another origin that %s changes nothing', async (_, attack) => {
  expect(await survives(strangerUrl(), attack)).toBe(true)
})

test('a page whose name was rebound to this machine changes and reads nothing', async () => {
  const { page } = await openWatchedPage(browser)
  const answer = await page.goto(`http://evil.example:${port}/__admin/journal`)
  expect(answer?.status()).toBe(403)
  await page.context().close()
  const reset = () => fetch('/__admin/reset', { method: 'POST' })
  expect(await survives(`http://evil.example:${port}/__admin/health`, reset)).toBe(true)
})
