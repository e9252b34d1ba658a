import { ClientError } from './error.ts'

/** How often a call is repeated that failed without an answer, or with 429 or 5xx. */
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

/** Does something that may be done twice, again where no answer came or the other side has trouble of its own. */
export async function retried<T>(
  run: () => Promise<T>,
  { attempts = 3, delayMs = 500 }: RetryOptions,
  signal?: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= attempts || !isPassing(error)) throw error
      await pause(delayMs * 2 ** (attempt - 1), signal)
    }
  }
}

/** Whether the same call may well succeed a little later. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false
  const { code, status = 0 } = error
  return code === 'network-error' || status === 429 || status >= 500
}

/** Waits. Rejects with an aborted `ClientError` when the signal says so. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(aborted(signal))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

function aborted(signal?: AbortSignal): ClientError {
  const message = 'Failed to finish: because it was aborted while waiting. Start it again if need be.'
  return new ClientError('aborted', message, { cause: signal?.reason })
}
