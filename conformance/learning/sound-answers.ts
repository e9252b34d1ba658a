/** Tells which calls of a session were carried out, also if a deployment refuses with status 200 and a code of its own. */
import { validators } from '../../src/contract/validators.gen.js'
import { hasOnlyCodes } from '../reading/failure-report.ts'
import type { CallName } from '../session/calls.ts'
import { type Exchange, sentJson, succeeded, succeededBeside } from '../wire/exchange.ts'

/** The fullest successful answer to each call, with whose codes others are compared. */
export class SoundAnswers {
  readonly #fullest = new Map<CallName, Exchange>()

  /** Adds an answer. Ignores answers to requests that the contract refuses, since most of these are refusals. */
  add(call: CallName | undefined, answer: Exchange): void {
    if (call === undefined || !succeeded(answer) || !isAllowed(call, answer)) return
    const known = this.#fullest.get(call)
    if (!known || isFuller(answer, known)) this.#fullest.set(call, answer)
  }

  /** Returns true if a call was carried out. */
  isSuccess(call: CallName | undefined, answer: Exchange): boolean {
    return succeededBeside(answer, call && this.#fullest.get(call))
  }
}

/** Returns true if an answer shows more than another one. A refusal may have a longer text, but shows nothing else. */
function isFuller(answer: Exchange, other: Exchange): boolean {
  const [shows, otherShows] = [answer, other].map(({ json }) => json !== undefined && !hasOnlyCodes(json))
  return shows === otherShows ? answer.bytes.byteLength > other.bytes.byteLength : shows === true
}

function isAllowed(call: CallName, answer: Exchange): boolean {
  if (!(call in validators)) return true
  // Validators fill in defaults.
  return validators[call as keyof typeof validators](structuredClone(sentJson(answer)))
}
