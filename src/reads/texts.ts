/** The bodies of answers as texts, until code parses them. */
import type { OperationId } from '../contract/operations.ts'

/** A call that was answered. */
export interface AnsweredRead {
  readonly operation: OperationId
  readonly status: number
  /** The test that was running when code read the body as text. */
  readonly test?: string
}

/** The most texts that are remembered. */
const mostTexts = 200

/** Remembers which call a text answers. A text that is never parsed may be used in any way, and nothing says how. */
export class AnswerTexts {
  /** Equal texts are parsed in the order in which they came. */
  readonly #waiting = new Map<string, AnsweredRead[]>()
  readonly #unparsed: (call: AnsweredRead) => void

  /** `unparsed` is called for each text that is forgotten before it was parsed. */
  constructor(unparsed: (call: AnsweredRead) => void) {
    this.#unparsed = unparsed
  }

  /** Remembers a body that code reads as text. If it is neither a JSON object nor a list, it has no members to track. */
  remember(text: string, call: AnsweredRead): void {
    if (!/^\s*[[{]/.test(text)) return
    const waiting = this.#waiting.get(text)
    if (waiting) waiting.push(call)
    else this.#waiting.set(text, [call])
    const [oldest] = this.#waiting
    if (this.#waiting.size <= mostTexts || !oldest) return
    this.#waiting.delete(oldest[0])
    for (const call of oldest[1]) this.#unparsed(call)
  }

  /** Returns the call that a text answers, and forgets the text. */
  take(text: string): AnsweredRead | undefined {
    const waiting = this.#waiting.get(text)
    const call = waiting?.shift()
    if (waiting?.length === 0) this.#waiting.delete(text)
    return call
  }

  /** Returns the calls whose texts were not parsed so far. */
  unparsed(): AnsweredRead[] {
    return [...this.#waiting.values()].flat()
  }

  /** Forgets all texts. */
  clear(): void {
    for (const call of this.unparsed()) this.#unparsed(call)
    this.#waiting.clear()
  }
}
