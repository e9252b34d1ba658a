/** Errors that are answered with a 2xx and told in the body (gap.invalid-request-status). */
import { bare, membersOf } from './locate.ts'

/**
 * The member by which a body says of itself that the call failed, in one of the usual envelopes; it may stand one level
 * deep. Nothing where it says no such thing.
 */
export function failureIn(json: unknown): string | undefined {
  if (!isObject(json)) return undefined
  const inner = Object.entries(json).filter(
    ([name, value]) => isObject(value) && /^(meta|head|header|status|result|response)$/i.test(name),
  )
  const explained = isExplained(json)
  for (const [prefix, envelope] of [
    ['', json] as const,
    ...inner.map(([name, value]) => [`${name}.`, value] as const),
  ]) {
    const counts = Object.entries(envelope).filter(([name, value]) => typeof value === 'number' && !isCode(bare(name)))
    const failed = Object.entries(envelope).find(([name, value]) =>
      fails(bare(name), value, explained, counts.length > 1),
    )
    if (failed) return `${prefix}${failed[0]}`
  }
  return undefined
}

/** A number that is called code may be anything's; with a message beside it, it is the answer's. */
function isExplained(json: object): boolean {
  return Object.keys(json).some((name) => /(message|msg|reason|detail|info)$|^data$/.test(bare(name)))
}

const isCode = (name: string) => /(code|status|no|errno|time|timestamp)$/.test(name)

/** Among several numbers, one that is called success or failed counts what has come out so. */
function fails(name: string, value: unknown, isExplained: boolean, isCount: boolean): boolean {
  if (isCount && typeof value === 'number' && !isCode(name)) return false
  if (/^(success|succeeded|successful|issuccess|ok|isok)$/.test(name)) {
    return value === false || value === 0 || value === 'false'
  }
  if (/^(is|has)?(errors?|failed|failure)$/.test(name)) return isSomething(value)
  if (/^(error|err|fault|exception)(code|no|message|msg|type|description|details?|text|reason)$/.test(name)) {
    return isSomething(value)
  }
  if (/^(status|result|type)$/.test(name) && typeof value === 'string' && failureWord.test(value)) return true
  return isExplained && isAnswersCode(name) && isFailureCode(value)
}

const isAnswersCode = (name: string) => /^(result|return|ret|status|response|app|http|biz)?(code|status)$/.test(name)

const failureWord = /^(ng|error|fail|failed|failure|unauthori[sz]ed|forbidden|denied|not[-_ ]?found)$/i

/** 401 and 40100, "401" and "E401", "NOT_FOUND"; not 0, 200 or "OK". */
function isFailureCode(value: unknown): boolean {
  const text = String(value)
  return (
    /^(e|err|error|http)?[-_ ]?[45]\d\d(\d\d)?$/i.test(text) ||
    (text.length < 60 &&
      /error|fail|unauth|forbid|denied|invalid|not[-_ ]?found|bad[-_ ]?request/i.test(text) &&
      !saysSuccess(text))
  )
}

/** Whether a value tells of something: a text that is no word for nothing, or whatever has such a value in it. */
function isSomething(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return isTold(value) && !/^(no|ok)$/i.test(String(value))
  return membersOf(value).some((member) => typeof member.value !== 'object' && isTold(member.value))
}

function isTold(value: unknown): boolean {
  const text = String(value ?? '').trim()
  return text !== '' && !/^(0+|false|null|none)$/i.test(text) && !saysSuccess(text)
}

function saysSuccess(text: string): boolean {
  return (
    /(^|[^a-z])(success|successful|successfully|succeeded|no[-_ ]?errors?)([^a-z]|$)/i.test(text) &&
    !/\bnot\b/i.test(text)
  )
}

/**
 * Whether an answer to a request that ought to be refused has what the answer to the sound one had: nearly all of its
 * members. An error in an envelope of its own kind has not, whatever its status says, nor has one that is told by another
 * code, or by another message where the answer is nothing else.
 */
export function isAlike(answer: unknown, control: unknown): boolean {
  if (hasOtherCode(answer, control) || saysOtherwise(answer, control)) return false
  const wanted = placesOf(control)
  const there = placesOf(answer)
  return [...wanted].filter((place) => there.has(place)).length >= wanted.size * 0.8
}

function hasOtherCode(answer: unknown, control: unknown): boolean {
  if (!isObject(answer) || !isObject(control) || !isExplained(control)) return false
  const sound = new Map(Object.entries(control))
  return Object.entries(answer).some(
    ([name, value]) => isAnswersCode(bare(name)) && sound.has(name) && String(value) !== String(sound.get(name)),
  )
}

/** Whether two answers that are nothing but messages differ in their words; what has a digit in it may name something. */
function saysOtherwise(answer: unknown, control: unknown): boolean {
  const texts = [answer, control].map(messageIn)
  return texts.every((text) => text !== undefined) && texts[0] !== texts[1]
}

function messageIn(json: unknown): string | undefined {
  const members = isObject(json) ? Object.entries(json) : []
  const isMessage = ([name, value]: [string, unknown]) =>
    /^(message|msg|status|state|result|detail|info|text)$/.test(bare(name)) && typeof value === 'string'
  if (members.length === 0 || !members.every(isMessage)) return undefined
  const words = members.flatMap(([, value]) => String(value).split(' '))
  return words.filter((word) => !/\d/.test(word)).join(' ')
}

/** Where an answer has values, in whichever item of a list. */
function placesOf(json: unknown): Set<string> {
  const filled = membersOf(json).filter(({ value }) => value !== null && value !== '' && typeof value !== 'object')
  return new Set(filled.map(({ pointer }) => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/0')))
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
