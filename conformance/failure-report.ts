/** Errors that are answered with a 2xx and told in the body (gap.invalid-request-status). */
import { bare, membersOf } from './locate.ts'

/** Whether a body says of itself that the call failed, in one of the usual envelopes; what it says may stand one level deep. */
export function reportsFailure(json: unknown): boolean {
  if (!isObject(json)) return false
  const inner = Object.entries(json).flatMap(([name, value]) =>
    isObject(value) && /^(meta|head|header|status|result|response)$/i.test(name) ? [value] : [],
  )
  const isExplained = Object.keys(json).some((name) => /(message|msg|reason|detail|info|data)$/.test(bare(name)))
  return [json, ...inner].some((envelope) =>
    Object.entries(envelope).some(([name, value]) => fails(bare(name), value, isExplained)),
  )
}

/** A number that is called code may be anything's; with a message beside it, it is the answer's. */
function fails(name: string, value: unknown, isExplained: boolean): boolean {
  if (/^(success|succeeded|successful|issuccess|ok|isok)$/.test(name)) {
    return value === false || value === 0 || value === 'false'
  }
  if (/^(is|has)?(errors?|failed|failure)$/.test(name)) return isSomething(value)
  if (/^(error|err|fault|exception)(code|no|message|msg|type|description|details?|text|reason)$/.test(name)) {
    return isSomething(value)
  }
  if (/^(status|result|type)$/.test(name) && typeof value === 'string' && failureWord.test(value)) return true
  return (
    isExplained && /^(result|return|ret|status|response|app|http)?(code|status)$/.test(name) && isFailureCode(value)
  )
}

const failureWord = /^(ng|error|fail|failed|failure|unauthori[sz]ed|forbidden|denied|not[-_ ]?found)$/i

/** 401 and 40100, "401" and "E401", "NOT_FOUND"; not 0, 200 or "OK". */
function isFailureCode(value: unknown): boolean {
  const text = String(value)
  return (
    /^(e|err|error|http)?[-_ ]?[45]\d\d(\d\d)?$/i.test(text) ||
    (text.length < 60 && /error|fail|unauth|forbid|denied|invalid|not[-_ ]?found|bad[-_ ]?request/i.test(text))
  )
}

function isSomething(value: unknown): boolean {
  if (value === null || typeof value !== 'object') {
    return Boolean(value) && !/^(0+|false|null|none|no|ok|success)$/i.test(String(value))
  }
  return Object.keys(value).length > 0
}

/**
 * Whether an answer to a request that ought to be refused has what the answer to the sound one had: nearly all of its
 * members. An error in an envelope of its own kind has not, whatever its status says.
 */
export function isAlike(answer: unknown, control: unknown): boolean {
  const wanted = placesOf(control)
  const there = placesOf(answer)
  return [...wanted].filter((place) => there.has(place)).length >= wanted.size * 0.8
}

/** Where an answer has values, in whichever item of a list. */
function placesOf(json: unknown): Set<string> {
  const filled = membersOf(json).filter(({ value }) => value !== null && value !== '' && typeof value !== 'object')
  return new Set(filled.map(({ pointer }) => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/0')))
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
