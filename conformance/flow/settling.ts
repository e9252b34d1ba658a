import { type Exchange, succeeded } from '../wire/exchange.ts'
import { type Transport, waitOf } from '../wire/transport.ts'

const longestPause = 2000
/** A wait of this many milliseconds may end in a failure, which must be confirmed. */
const longWaitMs = 2000

/** Waits until a deployment is consistent, which need not be at once. */
export class Settling {
  readonly #transport: Transport
  readonly #limitMs: number
  readonly #onLong: () => void

  /** Calls `onLong` when a wait has taken a quarter of the limit, or two seconds. */
  constructor(transport: Transport, seconds = 10, onLong = () => {}) {
    this.#transport = transport
    this.#limitMs = seconds * 1000
    this.#onLong = onLong
  }

  /** Repeats a call until the answer meets a condition, or the settling time is over. Returns the last answer. */
  async until(read: () => Promise<Exchange>, done: (answer: Exchange) => boolean): Promise<Exchange> {
    const { time } = this.#transport
    const begun = time.now()
    let pause = 100
    let isLong = false
    for (;;) {
      const answer = await read()
      if (done(answer)) return answer
      if (!isLong && time.now() - begun > Math.min(this.#limitMs / 4, longWaitMs)) {
        isLong = true
        this.#onLong()
      }
      // Make the last call at the end of the settling time, not before it.
      const left = this.#limitMs - (time.now() - begun)
      if (left <= 0) return answer
      const wait = Math.min(waitOf(answer.headers, pause), longestPause, left)
      await this.#transport.sleep(wait)
      pause = Math.min(pause * 2, longestPause)
    }
  }

  /**
   * Repeats a refused call: its subject may not be known or ready everywhere yet, and the status of such a refusal is not
   * documented. Refusals of the key or of the call's form are final, and so is a
   * 5xx other than 503.
   */
  async untilKnown(send: () => Promise<Exchange>): Promise<Exchange> {
    const isFinal = ({ status }: Exchange) => [401, 405, 413, 415].includes(status) || (status >= 500 && status !== 503)
    return this.until(send, (answer) => succeeded(answer) || isFinal(answer))
  }
}
