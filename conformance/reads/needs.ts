/** Whether the answers of a deployment have what a front end reads. This says nothing about the document. */

import { callAt } from '../../src/contract/call-at.ts'
import { escapePointer, isObject, pointerSteps } from '../../src/contract/json.ts'
import type { ReadPlace } from '../../src/reads/reads-file.ts'
import { type JsonType, typeOfJson } from '../../src/reads/tracker.ts'
import type { Finding } from '../reading/finding.ts'
import { lastName } from '../reading/locate.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import { historyOf, type Transcript } from '../wire/record.ts'

/** Whether a deployment gives what the front end reads at a place. */
export interface Need extends ReadPlace {
  readonly verdict: NeedVerdict
  /** Empty if it is given. */
  readonly message: string
  /** The place where the suite found the value instead, if it did. */
  readonly elsewhere?: string
  /** The answers that show it, by their places in the transcript. */
  readonly exchanges: readonly number[]
}

/** `given`: the answers have it. `missing`: they do not, or it is of another type. `undecided`: no answer could show it. */
export type NeedVerdict = 'given' | 'missing' | 'undecided'

/** The needs of a front end. `unmet` if one is missing, `undecided` if no place could be decided. */
export interface NeedsReport {
  readonly verdict: 'met' | 'unmet' | 'undecided'
  readonly needs: readonly Need[]
}

/** Judges the places that a front end reads, only from the transcript of a run. Findings tell where the deployment has a value instead. */
export function judgeNeeds(
  places: readonly ReadPlace[],
  transcript: Transcript,
  findings: readonly Finding[],
): NeedsReport {
  const answers = answersOf(transcript)
  // Nothing breaks if a member is missing that was never there.
  const needed = places.filter(({ uses }) => uses.some((use) => use === 'value' || use === 'all' || use === 'names'))
  const needs = needed.map((place) => judgeNeed(place, answers, findings))
  const isUnmet = needs.some(({ verdict }) => verdict === 'missing')
  const isDecided = needs.some(({ verdict }) => verdict !== 'undecided')
  return { verdict: isUnmet ? 'unmet' : isDecided ? 'met' : 'undecided', needs }
}

interface SeenAnswer extends Pick<ReadPlace, 'operation' | 'status'> {
  readonly index: number
  readonly isSuccess: boolean
  readonly json: unknown
}

/** Returns the complete answers to documented calls. */
function answersOf(transcript: Transcript): SeenAnswer[] {
  return historyOf(transcript).log.flatMap((answer, index) => {
    if ('failure' in answer || answer.isCut || answer.isSentAgain) return []
    const { request, status, json } = answer satisfies Exchange
    const operation = callAt(request.method, request.url)
    return operation ? [{ index, operation, status, isSuccess: succeeded(answer), json }] : []
  })
}

function judgeNeed(place: ReadPlace, all: readonly SeenAnswer[], findings: readonly Finding[]): Need {
  const { operation, status, types, uses } = place
  const isSuccess = status < 400
  const answers = all.filter(
    (answer) =>
      answer.operation === operation && (isSuccess ? answer.isSuccess : !answer.isSuccess && answer.status === status),
  )
  const kind = isSuccess ? `successful answer of ${operation}` : `answer of ${operation} with status ${status}`
  const seen = answers.map(({ index, json }) => ({ index, ...lookAt(json, pointerSteps(place.place), '') }))
  const having = (test: (type: JsonType) => boolean) => seen.filter((one) => one.found.some(test))
  const isOnlyNull = types.every((one) => one === 'null')
  const isOther = (type: JsonType) => type !== 'null' && !types.includes(type) && !isOnlyNull
  const right = having((type) => types.includes(type) || (type !== 'null' && isOnlyNull))
  const without = seen.filter(({ missing }) => missing !== undefined)
  const result = (verdict: NeedVerdict, message: string, from: typeof seen): Need => ({
    ...place,
    ...{ verdict, message, exchanges: from.map(({ index }) => index) },
  })
  const [odd] = seen.flatMap(({ found }) => found.filter(isOther))
  if (odd !== undefined)
    return result(
      'missing',
      `It is ${named(odd)}; the front end read ${types.map(named).join(' or ')}.`,
      having(isOther),
    )
  if (without.length > 0 && right.length === 0) {
    const elsewhere = elsewhereOf(place, findings)
    return {
      ...result('missing', `No ${kind} has ${without[0]?.missing}.`, without),
      ...(elsewhere !== undefined && { elsewhere }),
    }
  }
  const isOptional = types.includes('null') || uses.includes('absent') || uses.includes('asked')
  if (without.length > 0 && !isOptional)
    return result('undecided', `${without.length} of ${seen.length} answers do not have it.`, without)
  if (right.length > 0) return result('given', '', right)
  const isNull = having((type) => type === 'null').length > 0
  const empty = isNull ? 'It was always null.' : 'The lists or objects that would have it were empty.'
  return result('undecided', seen.length === 0 ? `There was no ${kind}.` : empty, [])
}

const named = (type: JsonType) => (type === 'null' ? 'null' : `${type === 'object' ? 'an' : 'a'} ${type}`)

/** The types that a value has at a place, and the part of the place that is missing. */
interface Look {
  readonly found: readonly JsonType[]
  readonly missing?: string
}

function lookAt(value: unknown, [step, ...rest]: readonly string[], at: string): Look {
  const type = typeOfJson(value)
  if (type === undefined) return { found: [], missing: at || 'a JSON body' }
  if (step === undefined) return { found: [type] }
  if (type === 'null') return { found: [] }
  const place = `${at}/${escapePointer(step)}`
  if (step === '*' && Array.isArray(value)) {
    const looks = value.map((item: unknown) => lookAt(item, rest, place))
    const [missing] = looks.flatMap((look) => look.missing ?? [])
    return { found: looks.flatMap(({ found }) => found), ...(missing !== undefined && { missing }) }
  }
  return isObject(value) && Object.hasOwn(value, step)
    ? lookAt(value[step], rest, place)
    : { found: [], missing: place }
}

/** The answers of findings by operation. */
const findingAnswers: Readonly<Record<string, string>> = {
  createWorkflow: 'created',
  getWorkflow: 'details',
  executeWorkflow: 'executed',
  requestUpload: 'upload',
  confirmUpload: 'confirmation',
}

/** Returns the number of lists around a place: steps have a name, and so have their approvers. */
const listsAround = (place: string) => place.split('/*').length

/** Says where the suite found what the contract has at a place. */
function elsewhereOf({ operation, place }: ReadPlace, findings: readonly Finding[]): string | undefined {
  const name = lastName(place)
  const found = findings.find(
    ({ what, answer, place: own }) =>
      answer === findingAnswers[operation] &&
      what.slice(what.lastIndexOf('.') + 1) === name &&
      listsAround(own) === listsAround(place) &&
      own !== place,
  )
  return found && `${found.what} at ${found.place}`
}
