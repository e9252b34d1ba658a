import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../test/support/chromium.ts'
import { key } from '../harness/connection.ts'
import { inTurns, type Row } from '../harness/measure.ts'
import { afterRow, startMock } from '../harness/processes.ts'

/** The console in Chromium: how long it takes to open, and its longest task. */
export const console: Row = async () => {
  const { url } = await startMock('--scenario', 'busy-quarter')
  const tenant = await fetch(`${url}/__admin/tenants`, { method: 'POST', headers: { Authorization: key } })
  const { tenant_id } = (await tenant.json()) as { tenant_id: string }
  const addressOf = (view: string) => `${url}/#${view}?tenant=${tenant_id}`
  const browser = await launchChromium()
  afterRow(() => browser.close())
  const [opening = []] = await inTurns(7, () => secondsToOpen(browser, addressOf))
  const [longest = []] = await inTurns(3, () => longestTask(browser, addressOf))
  const what = 'longest task of the page over 90 days: open, scroll, select, travel; processor time'
  return [
    { what: 'opening 90 days of busy-quarter in the console', unit: 's', ours: opening, goal: { atMost: 1 } },
    { what, unit: 's', ours: longest, goal: { atMost: 0.1 } },
  ]
}

type AddressOf = (view: string) => string

async function openList(page: Page, addressOf: AddressOf): Promise<void> {
  await page.goto(addressOf('executions'))
  await page.locator('[role=option]').first().waitFor()
}

async function secondsToOpen(browser: Browser, addressOf: AddressOf): Promise<number> {
  const page = await browser.newPage()
  const begun = performance.now()
  await openList(page, addressOf)
  const took = (performance.now() - begun) / 1000
  await page.close()
  return took
}

/** Returns the longest task of the page's main thread, in seconds of processor time. */
async function longestTask(browser: Browser, addressOf: AddressOf): Promise<number> {
  const page = await browser.newPage()
  await browser.startTracing(page, { categories: ['toplevel'] })
  await openList(page, addressOf)
  await page.locator('.list').hover()
  const repeat = async (times: number, ms: number, act: () => Promise<void>) => {
    for (let count = 0; count < times; count += 1) {
      await act()
      await wait(ms)
    }
  }
  await repeat(100, 16, () => page.mouse.wheel(0, 400))
  await page.locator('.list').focus()
  await repeat(20, 30, () => page.keyboard.press('ArrowUp'))
  await page.goto(addressOf('history'))
  await page.getByRole('slider').focus()
  await repeat(10, 100, () => page.keyboard.press('PageDown'))
  for (const view of ['workflows', 'uploads', 'executions']) {
    await page.getByRole('link', { name: view, exact: false }).first().click()
    await wait(500)
  }
  const trace = await browser.stopTracing()
  await page.close()
  return longestTaskIn(JSON.parse(trace.toString()).traceEvents)
}

/** An event of a trace. Durations are in microseconds; `tdur` is processor time. */
interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

function longestTaskIn(events: readonly TraceEvent[]): number {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mains = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(threadOf),
  )
  const tasks = events.filter((event) => event.name.endsWith('RunTask') && mains.has(threadOf(event)))
  if (tasks.length === 0) throw new Error('The trace has no task of the page. Check the names of events in it.')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1e6
}
