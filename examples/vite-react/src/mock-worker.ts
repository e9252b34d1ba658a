import { handlers } from 'countersign/msw'
import { setupWorker } from 'msw/browser'

/** Puts the mock into this page, where an hour passes in a second. What it knows is gone with the page. */
export async function startMockWorker(): Promise<void> {
  const worker = setupWorker(...handlers({ baseUrl: import.meta.env.VITE_API_URL, clockSpeed: 3600 }))
  await worker.start({ onUnhandledRequest: 'bypass' })
}
