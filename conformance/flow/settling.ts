import { type Exchange, succeeded } from '../wire/exchange.ts'
import { type Transport, waitOf } from '../wire/transport.ts'

/** Longest pause between two looks, in milliseconds. */
const longestPause = 2000
/** A longer wait may well end in a failure, which has to be seen again, in milliseconds. */
const longWaitMs = 2000

/** Waits for what a deployment does a little later, for it need not be consistent at once. */
export class Settling {
  readonly #transport: Transport
  readonly #limitMs: number
  readonly #onPause: (isLong: boolean) => void

  /** `onPause` is called before each pause, and told whether the wait will then have taken two seconds, or a quarter of its limit. */
  constructor(transport: Transport, seconds = 10, onPause: (isLong: boolean) => void = () => {}) {
    this.#transport = transport
    this.#limitMs = seconds * 1000
    this.#onPause = onPause
  }

  /** Looks once, for a run that has already waited for the same in vain. */
  get once(): Settling {
    return new Settling(this.#transport, 0)
  }

  /** Reads again until the answer is as it is wanted, or the time to settle is over; gives the last answer. */
  async until(read: () => Promise<Exchange>, done: (answer: Exchange) => boolean): Promise<Exchange> {
    const { time } = this.#transport
    const begun = time.now()
    let pause = 100
    for (;;) {
      const answer = await read()
      if (done(answer)) return answer
      // The last look is at the end of the time, not before it.
      const passed = time.now() - begun
      const left = this.#limitMs - passed
      if (left <= 0) return answer
      const wait = Math.min(waitOf(answer.headers, pause), longestPause, left)
      this.#onPause(passed + wait > Math.min(this.#limitMs / 4, longWaitMs))
      await this.#transport.sleep(wait)
      pause = Math.min(pause * 2, longestPause)
    }
  }

  /**
   * Sends again a call that the deployment refuses: what the call is about may not be known everywhere yet, or not be ready,
   * and with which status that is said is not shown. A refusal of the key or of the call's form is final, and so is a
   * failure of the server other than that it is not ready (503).
   */
  async untilKnown(send: () => Promise<Exchange>): Promise<Exchange> {
    const isFinal = ({ status }: Exchange) => [401, 405, 413, 415].includes(status) || (status >= 500 && status !== 503)
    return this.until(send, (answer) => succeeded(answer) || isFinal(answer))
  }
}
