/** Tells which calls of a session were carried out, also if a deployment refuses with status 200 and a code of its own. */
import { validators } from '../../src/contract/validators.gen.js'
import type { CallName } from '../session/calls.ts'
import { type Exchange, sentJson, succeeded, succeededBeside } from '../wire/exchange.ts'

/** The longest successful answer to each call, with whose codes others are compared. */
export class SoundAnswers {
  readonly #fullest = new Map<CallName, Exchange>()

  /** Adds an answer. Ignores answers to requests that the contract refuses, since most of these are refusals. */
  add(call: CallName | undefined, answer: Exchange): void {
    if (call === undefined || !succeeded(answer) || !isAllowed(call, answer)) return
    const known = this.#fullest.get(call)
    if (!known || known.bytes.byteLength < answer.bytes.byteLength) this.#fullest.set(call, answer)
  }

  /** Returns true if a call was carried out. */
  isSuccess(call: CallName | undefined, answer: Exchange): boolean {
    return succeededBeside(answer, call && this.#fullest.get(call))
  }
}

function isAllowed(call: CallName, answer: Exchange): boolean {
  if (!(call in validators)) return true
  // Validators fill in defaults.
  return validators[call as keyof typeof validators](structuredClone(sentJson(answer)))
}
