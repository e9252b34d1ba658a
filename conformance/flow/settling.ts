import { plainAnswer } from '../evidence/evidence.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import { type Transport, waitOf } from '../wire/transport.ts'

/** The longest pause between two calls, in milliseconds. */
const longestPause = 2000
/** A wait of this many milliseconds may end in a failure, which must be confirmed. */
const longWaitMs = 1400

/** An execution that has not changed for this many milliseconds is taken to be idle. */
const stillMs = 2000

/** Waits until a deployment is consistent, which need not be at once. */
export class Settling {
  readonly #transport: Transport
  readonly #limitMs: number
  readonly #onPause: (isLong: boolean) => void
  readonly #ends: ReadonlyMap<StepName, number>

  /**
   * Calls `onPause` before each pause; `isLong` says whether the wait will then exceed 1.4 seconds or a quarter of its limit.
   * `ends` has the times at which steps have ended, on the clock of the transport.
   */
  constructor(
    transport: Transport,
    seconds = 10,
    onPause: (isLong: boolean) => void = () => {},
    ends: ReadonlyMap<StepName, number> = new Map(),
  ) {
    this.#transport = transport
    this.#limitMs = seconds * 1000
    this.#onPause = onPause
    this.#ends = ends
  }

  /** Waits for an effect of a step that has ended, so that the time since then counts. With `atMostMs`, it need not come. */
  since(step: StepName, atMostMs?: number): Settling {
    const now = this.#transport.time.now()
    const left = (atMostMs ?? this.#limitMs) - (now - (this.#ends.get(step) ?? now))
    return this.#within(left, atMostMs === undefined ? this.#onPause : () => this.#onPause(false))
  }

  /** Makes only one call, for a run that has already waited for the same in vain. */
  get once(): Settling {
    return this.#within(0)
  }

  /** Waits for at most half of the settling time and 1.5 seconds, for effects that may never come. */
  get briefly(): Settling {
    return this.#within(Math.min(this.#limitMs / 2, 1500))
  }

  #within(ms: number, onPause?: (isLong: boolean) => void): Settling {
    return new Settling(this.#transport, Math.max(ms, 0) / 1000, onPause, this.#ends)
  }

  /**
   * Repeats a call until the answer, in its plain form, meets a condition, or the settling time is over. Returns the last answer. Each pause is
   * `growth` times as long as the one before it.
   */
  async until(read: () => Promise<Exchange>, done: (answer: Exchange) => boolean, growth = 2): Promise<Exchange> {
    const { time } = this.#transport
    const begun = time.now()
    let pause = 100
    for (;;) {
      const answer = plainAnswer(await read())
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

  /** Repeats a call like `until`, but also ends once the answers stop changing. */
  async whileMoving(
    read: () => Promise<Exchange>,
    hasMoved: (earlier: Exchange, later: Exchange) => boolean,
    done: (answer: Exchange) => boolean,
    growth = 1.3,
  ): Promise<Exchange> {
    const { time } = this.#transport
    let movedAt = time.now()
    let last: Exchange | undefined
    const isOver = (answer: Exchange) => {
      if (last && hasMoved(last, answer)) movedAt = time.now()
      last = answer
      return done(answer) || time.now() - movedAt >= stillMs
    }
    return this.until(read, isOver, growth)
  }
}
