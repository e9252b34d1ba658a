import { type Exchange, succeeded } from '../wire/exchange.ts'
import { type Transport, waitOf } from '../wire/transport.ts'

/** The longest pause between two calls, in milliseconds. */
const longestPause = 2000
/** A wait of this many milliseconds may end in a failure, which must be confirmed. */
const longWaitMs = 2000

/** Waits until a deployment is consistent, which need not be at once. */
export class Settling {
  readonly #transport: Transport
  readonly #limitMs: number
  readonly #onPause: (isLong: boolean) => void

  /** Calls `onPause` before each pause; `isLong` says whether the wait will then exceed two seconds or a quarter of its limit. */
  constructor(transport: Transport, seconds = 10, onPause: (isLong: boolean) => void = () => {}) {
    this.#transport = transport
    this.#limitMs = seconds * 1000
    this.#onPause = onPause
  }

  /** Makes only one call, for a run that has already waited for the same in vain. */
  get once(): Settling {
    return new Settling(this.#transport, 0)
  }

  /** Waits for at most half of the settling time and 1.5 seconds, for effects that may never come. */
  get briefly(): Settling {
    return new Settling(this.#transport, Math.min(this.#limitMs / 2000, 1.5))
  }

  /**
   * Repeats a call until the answer meets a condition, or the settling time is over. Returns the last answer. Each pause is
   * `growth` times as long as the one before it.
   */
  async until(read: () => Promise<Exchange>, done: (answer: Exchange) => boolean, growth = 2): Promise<Exchange> {
    const { time } = this.#transport
    const begun = time.now()
    let pause = 100
    for (;;) {
      const answer = await read()
      if (done(answer)) return answer
      // Make the last call at the end of the settling time, not before it.
      const passed = time.now() - begun
      const left = this.#limitMs - passed
      if (left <= 0) return answer
      const wait = Math.min(waitOf(answer.headers, pause), longestPause, left)
      this.#onPause(passed + wait > Math.min(this.#limitMs / 4, longWaitMs))
      await this.#transport.sleep(wait)
      pause = Math.min(pause * growth, longestPause)
    }
  }

  /**
   * Repeats a refused call: its subject may not be known or ready everywhere yet, and the status of such a refusal is not
   * documented. Refusals of the key, the method or the media type are final, and so is a 5xx other than 503.
   */
  async untilKnown(send: () => Promise<Exchange>): Promise<Exchange> {
    const isFinal = ({ status }: Exchange) => [401, 405, 415].includes(status) || (status >= 500 && status !== 503)
    return this.until(send, (answer) => succeeded(answer) || isFinal(answer))
  }
}
