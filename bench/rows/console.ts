import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../test/support/chromium.ts'
import { Connection } from '../harness/client.ts'
import { expectStatus } from '../harness/load.ts'
import { type Finding, measureAlone, type Row, spreadOf } from '../harness/row.ts'
import { type Server, startMockCommand } from '../harness/servers.ts'
import { createWorkflowRequest, key } from '../harness/service-client.ts'
import { openMeasuredPage } from '../harness/watched-page.ts'

const perSecond = 200
const seconds = 60
/** Until then, the page has as many requests as it keeps, and all of its code is compiled. */
const warmSeconds = 15

/** The console in Chromium: how long it takes, its longest task, and following a front end for a minute. */
export const row: Row = {
  name: 'console',
  async measure() {
    const server = await startMockCommand('--scenario', 'busy-quarter')
    const browser = await launchChromium()
    try {
      return [
        await measureAlone('opening 90 days of busy-quarter in the console', 's', { atMost: 1 }, () =>
          secondsToRows(browser, server),
        ),
        await measureAlone(
          'longest task of the page over 90 days: open, scroll, select, travel; processor time',
          's',
          { atMost: 0.1 },
          () => longestTask(browser, server),
          3,
        ),
        ...(await followed(browser, server)),
      ]
    } finally {
      await browser.close()
      await server.stop()
    }
  },
}

async function tenantOf({ url }: Server): Promise<string> {
  const answer = await fetch(`${url}/__admin/tenants`, { method: 'POST', headers: { Authorization: key } })
  return ((await answer.json()) as { tenant_id: string }).tenant_id
}

async function openList(page: Page, { url }: Server, tenant: string): Promise<void> {
  await page.goto(`${url}/#executions?tenant=${tenant}`)
  await page.locator('[role=option]').first().waitFor()
}

async function secondsToRows(browser: Browser, server: Server): Promise<number> {
  const tenant = await tenantOf(server)
  const { page } = await openMeasuredPage(browser)
  const begun = performance.now()
  await openList(page, server, tenant)
  const took = (performance.now() - begun) / 1000
  await page.context().close()
  return took
}

async function longestTask(browser: Browser, server: Server): Promise<number> {
  const tenant = await tenantOf(server)
  const { page, longestTask } = await openMeasuredPage(browser)
  const longest = await longestTask(async () => {
    await openList(page, server, tenant)
    await page.locator('.list').hover()
    for (let count = 0; count < 100; count += 1) {
      await page.mouse.wheel(0, 400)
      await wait(16)
    }
    await page.locator('.list').focus()
    for (let count = 0; count < 20; count += 1) {
      await page.keyboard.press('ArrowUp')
      await wait(30)
    }
    await page.goto(`${server.url}/#history?tenant=${tenant}`)
    await page.getByRole('slider').focus()
    for (let count = 0; count < 10; count += 1) {
      await page.keyboard.press('PageDown')
      await wait(100)
    }
    for (const view of ['workflows', 'uploads', 'executions']) {
      await page.getByRole('link', { name: view, exact: false }).first().click()
      await wait(500)
    }
  })
  await page.context().close()
  return longest
}

/** The part of the stream that the page has read. */
interface Seen {
  readonly first: number
  readonly last: number
  readonly missed: number
}

/** Counts the requests that the page reads, without keeping them. */
function countRequests(): void {
  const seen = { first: 0, last: 0, missed: 0 }
  Object.assign(globalThis, { seen })
  const { parse } = JSON
  JSON.parse = (text, reviver) => {
    const value = parse(text, reviver)
    if (value?.restarts === undefined || !Array.isArray(value.requests)) return value
    seen.missed += value.lost
    for (const { request_id } of value.requests) {
      if (seen.last > 0) seen.missed += Number(request_id) - seen.last - 1
      else seen.first = Number(request_id)
      seen.last = Number(request_id)
    }
    return value
  }
}

/** Follows requests that are sent at a steady pace, and counts those that the page does not see. */
async function followed(browser: Browser, server: Server): Promise<Finding[]> {
  const tenant = await tenantOf(server)
  const { page, heap } = await openMeasuredPage(browser, countRequests)
  await page.goto(`${server.url}/#requests?tenant=${tenant}`)
  await page.getByText('live', { exact: true }).waitFor()
  const seen = () => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen)
  await send(server, perSecond * warmSeconds)
  const before = await heap()
  const sent = perSecond * (seconds - warmSeconds)
  await send(server, sent)
  const total = perSecond * seconds
  for (let tries = 0; (await seen()).last < total && tries < 100; tries += 1) await wait(50)
  const { first, last, missed } = await seen()
  const after = await heap()
  await page.context().close()
  const finding = (what: string, value: number, unit: Finding['unit'], atMost: number): Finding => ({
    ...{ what, figure: spreadOf([value]), unit, goal: { atMost }, rounds: 1 },
  })
  return [
    finding(`of ${total} requests at ${perSecond}/s, missed by the page`, missed + total - (last - first + 1), '', 0),
    finding(`heap of that page at the end, above that after ${warmSeconds} s`, after - before, 'MiB', 2),
  ]
}

/** Sends `count` requests, in groups of as many connections. */
async function send({ url }: Server, count: number): Promise<void> {
  const width = 5
  const open = await Promise.all(Array.from({ length: width }, () => Connection.open(url)))
  const request = createWorkflowRequest(url)
  const begun = performance.now()
  for (let sent = 0; sent < count; sent += width) {
    const due = begun + (sent / perSecond) * 1000
    await wait(Math.max(0, due - performance.now()))
    await Promise.all(open.map(async (connection) => expectStatus(201, await connection.send(request))))
  }
  for (const connection of open) connection.close()
}
