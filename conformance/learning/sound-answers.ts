/** Tells which calls of a session were carried out, also if a deployment refuses with status 200 and a code of its own. */
import { validators } from '../../src/contract/validators.gen.js'
import { hasOnlyCodes, hasOtherCode } from '../reading/failure-report.ts'
import type { CallName } from '../session/calls.ts'
import { type Exchange, sentJson, succeeded, succeededBeside } from '../wire/exchange.ts'

/** The successful answers to each call, with whose codes others are compared. */
export class SoundAnswers {
  readonly #answers = new Map<CallName, Exchange[]>()
  readonly #controls = new Map<CallName, Exchange | undefined>()

  /** Adds an answer. Ignores answers to requests that the contract refuses, since most of these are refusals. */
  add(call: CallName | undefined, answer: Exchange): void {
    if (call === undefined || !succeeded(answer) || !isAllowed(call, answer)) return
    this.#answers.set(call, [...(this.#answers.get(call) ?? []), answer])
    this.#controls.clear()
  }

  /** Returns true if a call was carried out. */
  isSuccess(call: CallName | undefined, answer: Exchange): boolean {
    return succeededBeside(answer, call && this.#controlOf(call))
  }

  #controlOf(call: CallName): Exchange | undefined {
    if (!this.#controls.has(call)) this.#controls.set(call, this.#findControl(call))
    return this.#controls.get(call)
  }

  /** Refusals show only a code. If all answers do or are empty, that of a success is the code of another call that shows more. */
  #findControl(call: CallName): Exchange | undefined {
    const own = this.#answers.get(call) ?? []
    const others = [...this.#answers.values()].flatMap((answers) => longest(answers.filter(showsMore)) ?? [])
    const isAlike = (answer: Exchange) => others.some((other) => !hasOtherCode(answer.json, other.json))
    const alike = longest(own.filter(isAlike))
    return longest(own.filter(showsMore)) ?? (alike?.json === undefined ? longest(others) : alike) ?? longest(own)
  }
}

const showsMore = ({ json }: Exchange) => json !== undefined && !hasOnlyCodes(json)

function longest(answers: readonly Exchange[]): Exchange | undefined {
  return answers.toSorted((a, b) => b.bytes.byteLength - a.bytes.byteLength)[0]
}

function isAllowed(call: CallName, answer: Exchange): boolean {
  if (!(call in validators)) return true
  // Validators fill in defaults.
  return validators[call as keyof typeof validators](structuredClone(sentJson(answer)))
}
