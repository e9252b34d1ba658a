/** Tells which calls of a session were carried out, also if a deployment refuses with status 200 and a code of its own. */
import type { AnswerName } from '../../src/contract/operations.ts'
import { validators } from '../../src/contract/validators.gen.js'
import { hasOnlyCodes, hasOtherCode } from '../reading/failure-report.ts'
import { type Exchange, sentJson, succeeded, succeededBeside } from '../wire/exchange.ts'

/** The most different answers of a call that are kept if they show only codes. */
const mostBare = 20

/** The successful answers to one call. */
interface Successes {
  /** The longest answer that shows more than codes. */
  fullest: Exchange | undefined
  /** Different answers that are empty or show only codes, by their text. */
  readonly bare: Map<string, Exchange>
}

const none: Successes = { fullest: undefined, bare: new Map() }

/** Keeps successful answers to each call. The codes of other answers are compared with theirs. */
export class SoundAnswers {
  readonly #answers = new Map<AnswerName, Successes>()

  /** Adds an answer. Ignores answers to requests that the contract refuses, since most of these are refusals. */
  add(call: AnswerName | undefined, answer: Exchange): void {
    if (call === undefined || !succeeded(answer) || !isAllowed(call, answer)) return
    const own: Successes = this.#answers.get(call) ?? { fullest: undefined, bare: new Map() }
    this.#answers.set(call, own)
    if (showsMore(answer)) own.fullest = longest([own.fullest, answer])
    else if (own.bare.size < mostBare) {
      const text = JSON.stringify(answer.json) ?? ''
      if (!own.bare.has(text)) own.bare.set(text, answer)
    }
  }

  /** Returns true if a call was carried out. A read that answers 202 shows nothing yet (RFC 9110, section 15.3.3), unless all do. */
  isSuccess(call: AnswerName | undefined, answer: Exchange): boolean {
    const control = call && this.#controlOf(call)
    if (call === 'getWorkflow' && answer.status === 202 && control?.status !== 202) return false
    return succeededBeside(answer, control)
  }

  /** Refusals show only a code. If all answers do or are empty, that of a success is the code of another call that shows more. */
  #controlOf(call: AnswerName): Exchange | undefined {
    const { fullest, bare } = this.#answers.get(call) ?? none
    if (fullest) return fullest
    const others = [...this.#answers.values()].flatMap((one) => one.fullest ?? [])
    const isAlike = (answer: Exchange) => others.some((other) => !hasOtherCode(answer.json, other.json))
    const alike = longest([...bare.values()].filter(isAlike))
    return (alike?.json === undefined ? longest(others) : alike) ?? longest([...bare.values()])
  }
}

const showsMore = ({ json }: Exchange) => json !== undefined && !hasOnlyCodes(json)

/** Returns the longest answer; of several, the first. */
function longest(answers: readonly (Exchange | undefined)[]): Exchange | undefined {
  const lengthOf = (answer: Exchange | undefined) => answer?.bytes.byteLength ?? -1
  return answers.reduce((best, one) => (lengthOf(one) > lengthOf(best) ? one : best), undefined)
}

function isAllowed(call: AnswerName, answer: Exchange): boolean {
  if (!(call in validators)) return true
  // Validators fill in defaults.
  return validators[call as keyof typeof validators](structuredClone(sentJson(answer)))
}
