import { ClientError } from './error.ts'

/** Settings for repeating a call that failed without an answer, or with 429 or 5xx. */
export interface RetryOptions {
  /**
   * Attempts in all.
   *
   * @default 3
   * @example `{ attempts: 5 }`
   */
  readonly attempts?: number
  /**
   * Milliseconds before the second attempt. Each further delay is twice as long.
   *
   * @default 500
   * @example `{ delayMs: 100 }`
   */
  readonly delayMs?: number
}

/** Runs an idempotent operation, and retries it after a missing answer, a 429 or a server error. */
export async function retry<T>(
  run: () => Promise<T>,
  { attempts = 3, delayMs = 500 }: RetryOptions,
  signal?: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= attempts || !isTransient(error)) throw error
      await pause(delayMs * 2 ** (attempt - 1), signal)
    }
  }
}

/** Checks whether the same call may succeed a little later. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false
  const { code, status = 0 } = error
  return code === 'network-error' || status === 429 || status >= 500
}

/** Waits. Rejects with a `ClientError` with the code `aborted` if the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      const message = 'The call was aborted while waiting. Start it again if you need the answer.'
      reject(new ClientError('aborted', message, { cause: signal?.reason }))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
