import type { Browser, CDPSession, Page } from 'playwright-core'

/** A page of Chromium, with what it costs. */
export interface MeasuredPage {
  readonly page: Page
  /** Does some work and returns the longest task of the page's main thread meanwhile, in seconds of processor time. */
  longestTask(work: () => Promise<unknown>): Promise<number>
  /** Returns the heap of the page after garbage collection, in MiB. */
  heap(): Promise<number>
}

/** Opens a page in a profile of its own. `script` runs in it before its own. */
export async function openMeasuredPage(browser: Browser, script?: () => void): Promise<MeasuredPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  if (script) await page.addInitScript(script)
  const session = await context.newCDPSession(page)
  return {
    page,
    async longestTask(work) {
      await browser.startTracing(page, { categories: ['toplevel'] })
      await work()
      return longestTaskIn(JSON.parse((await browser.stopTracing()).toString()).traceEvents)
    },
    heap: () => heapOf(session),
  }
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

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1024 / 1024
}
