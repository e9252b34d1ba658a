/** Detects errors in the body of a 2xx answer (gap.invalid-request-status). */
import { isObject } from '../../src/contract/json.ts'
import { membersOf, oncePerAnswer, parentOf } from './locate.ts'
import { remember } from './names.ts'
import { endsWithRole, isJoined, isNamed, mentionsRole, type Role, termsOf } from './vocabulary.ts'

/**
 * Returns the name of the member that reports a failed call, in one of the usual envelopes, at most one level deep. Returns
 * undefined if there is none.
 */
export const failureIn = oncePerAnswer(findFailure, { isSingle: true })

function findFailure(json: unknown): string | undefined {
  if (!isObject(json)) return undefined
  const inner = Object.entries(json).flatMap(([name, value]) =>
    isObject(value) && isNamed(name, 'head') ? [[`${name}.`, value] as const] : [],
  )
  const explained = isExplained(json)
  for (const [prefix, envelope] of [['', json] as const, ...inner]) {
    const counts = Object.entries(envelope).filter(([name, value]) => typeof value === 'number' && !isCode(name))
    const failed = Object.entries(envelope).find(([name, value]) => fails(name, value, explained, counts.length > 1))
    if (failed) return `${prefix}${failed[0]}`
  }
  return undefined
}

/** Returns true if there is a message beside the code. Only then the code belongs to the answer. */
function isExplained(json: object): boolean {
  return Object.keys(json).some((name) => endsWithRole(name, 'message') || isNamed(name, 'content'))
}

const isCode = remember(
  (name) => endsWithRole(name, 'code') || endsWithRole(name, 'number') || endsWithRole(name, 'time'),
)

/** Returns true if a member reports a failure. Among several numbers, success and failed are counts. */
function fails(name: string, value: unknown, isExplained: boolean, isCount: boolean): boolean {
  if (isCount && typeof value === 'number' && !isCode(name)) return false
  if (saysSound(name)) return value === false || value === 0 || value === 'false'
  if (saysFault(name)) return isSomething(value)
  if (isNamed(name, 'verdict') && typeof value === 'string' && isNamed(value, 'refused')) return true
  return isExplained && isAnswersCode(name) && isFailureCode(value)
}

/** Returns true if a name is a word with a role, alone or after `is` or `has`. */
const saysOf = (name: string, role: Role) => isNamed(name, role) || isJoined(name, 'asking', role)

const explainsFault = (name: string) =>
  (['code', 'number', 'message', 'explanation', 'label'] as const).some((role) => isJoined(name, 'fault', role))

const saysSound = remember((name) => saysOf(name, 'success') || saysOf(name, 'fine'))
const saysFault = remember((name) => saysOf(name, 'fault') || explainsFault(name))

const isAnswersCode = (name: string) => isNamed(name, 'code') || isJoined(name, 'answer', 'code')

/** Returns true if a code means failure: 401, 40100, "401", "E401" or "NOT_FOUND"; not 0, 200 or "OK". */
function isFailureCode(value: unknown): boolean {
  const text = String(value)
  const [, prefix] = text.match(/^([a-z]{0,5})[-_ ]?[45]\d\d(?:\d\d)?$/i) ?? []
  if (prefix === '' || (prefix && isNamed(prefix, 'codePrefix'))) return true
  return text.length < 60 && mentionsRole(termsOf(text), 'refused') && !saysSuccess(text)
}

/** Returns true if a value has content: a text that does not mean 'none', or an object with such a text. */
function isSomething(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return isTold(value) && !isNamed(String(value), 'denial', 'fine')
  return membersOf(value).some((member) => typeof member.value !== 'object' && isTold(member.value))
}

function isTold(value: unknown): boolean {
  const text = String(value ?? '').trim()
  return text !== '' && !/^0+$/.test(text) && !isNamed(text, 'empty') && !saysSuccess(text)
}

function saysSuccess(text: string): boolean {
  const terms = termsOf(text)
  return mentionsRole(terms, 'success') && !terms.some(({ word }) => word === 'not')
}

/**
 * Returns true if the answer to a request that should be refused resembles the answer to the valid one, with nearly all of
 * its members. An error in its own envelope does not, whatever its status, nor does one with another code, or with another
 * message if the answer is only a message.
 */
export function isAlike(answer: unknown, control: unknown): boolean {
  if (hasOtherCode(answer, control) || saysOtherwise(answer, control)) return false
  const wanted = placesOf(control)
  const there = placesOf(answer)
  return [...wanted].filter((place) => there.has(place)).length >= wanted.size * 0.8
}

/**
 * Returns true if an answer has another code than a valid answer to the same call at the same place: `A17` in the place of `0000`.
 * The code stands beside a message, in the answer itself or in its head, and a root element may enclose both.
 */
export function hasOtherCode(answer: unknown, control: unknown): boolean {
  const sound = codesIn(control)
  return [...codesIn(answer)].some(([place, code]) => sound.has(place) && sound.get(place) !== code)
}

/** Returns true if an answer has codes beside messages, and nothing else but members of the same objects and empty texts. */
export function hasOnlyCodes(answer: unknown): boolean {
  const heads = [...codesIn(answer).keys()].map(parentOf)
  const rest = membersOf(answer).filter(
    ({ pointer, value }) => value !== null && typeof value !== 'object' && !heads.includes(parentOf(pointer)),
  )
  return heads.length > 0 && rest.every(({ value }) => value === '')
}

/** Returns the codes of an answer that stand beside a message, by place. */
const codesIn = oncePerAnswer((json): ReadonlyMap<string, string> => {
  const [root, content] = contentOfRoot(json)
  const parts = isObject(content) ? [[root, content] as const, ...headsIn(content, root)] : []
  const codes = parts
    .filter(([, part]) => isExplained(part))
    .flatMap(([place, part]) =>
      Object.entries(part).flatMap(([name, value]) =>
        isAnswersCode(name) && typeof value !== 'object' ? [[`${place}/${name}`, String(value)] as const] : [],
      ),
    )
  return new Map(codes)
})

const headsIn = (content: object, root: string) =>
  Object.entries(content).flatMap(([name, value]) =>
    isObject(value) && (isNamed(name, 'head') || isJoined(name, 'answer', 'head'))
      ? [[`${root}/${name}`, value] as const]
      : [],
  )

/** Returns the content of an answer below its root element, an object that is the only member, with its place. */
function contentOfRoot(json: unknown): [place: string, content: unknown] {
  const [only, ...others] = isObject(json) ? Object.entries(json) : []
  return only && others.length === 0 && isObject(only[1]) ? [`/${only[0]}`, only[1]] : ['', json]
}

/** Returns true if two answers that are only messages differ. Ignores words with digits, which may be identifiers. */
function saysOtherwise(answer: unknown, control: unknown): boolean {
  const texts = [answer, control].map(messageIn)
  return texts.every((text) => text !== undefined) && texts[0] !== texts[1]
}

function messageIn(json: unknown): string | undefined {
  const members = isObject(json) ? Object.entries(json) : []
  const isMessage = ([name, value]: [string, unknown]) =>
    isNamed(name, 'message', 'explanation', 'state', 'verdict') && typeof value === 'string'
  if (members.length === 0 || !members.every(isMessage)) return undefined
  const words = members.flatMap(([, value]) => String(value).split(' '))
  return words.filter((word) => !/\d/.test(word)).join(' ')
}

/** Returns the pointers at which an answer has values, with all list indexes as 0. */
const placesOf = oncePerAnswer((json): ReadonlySet<string> => {
  const filled = membersOf(json).filter(({ value }) => value !== null && value !== '' && typeof value !== 'object')
  return new Set(filled.map(({ pointer }) => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/0')))
})
