import { handlers } from 'countersign/msw'
import { setupWorker } from 'msw/browser'

/** Starts the mock in this page. An hour passes each second. Reloading the page discards the state. */
export async function startMockWorker(): Promise<void> {
  const worker = setupWorker(...handlers({ baseUrl: import.meta.env.VITE_API_URL, clockSpeed: 3600 }))
  await worker.start({ onUnhandledRequest: 'bypass' })
}

/** Records what the components read. In the console of the browser, `reads.download()` saves it. */
export async function recordComponents(): Promise<void> {
  const { trackReads } = await import('countersign/reads')
  Object.assign(globalThis, { reads: trackReads({ reader: () => document.body.dataset.test }) })
}
