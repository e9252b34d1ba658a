/** What learning found in a deployment, for a person to confirm or correct: each thing beside two answers that it rests on. */
import { sections } from '../../conformance/reading/parts.ts'
import { type CallName, callOfExchange, type TimedExchange } from '../../conformance/session/calls.ts'
import { escapePointer, isObject, valueAt } from '../contract/json.ts'
import { flawOf, type Profile } from '../profile/profile.ts'
import type { Json } from '../profile/template.ts'
import { type Settable, settableNamed, settingOf, withSetting } from './settled.ts'

/** A thing that was found. */
export interface Found {
  /** As `settled` of a profile has it, such as `locators.key` or `getWorkflow /body/views`. */
  readonly name: string
  readonly setting: Json | undefined
  /** Why it is not sure, if it is not. */
  readonly doubt?: string
  /** What two answers show there, with the calls. */
  readonly shown: readonly { readonly call: string; readonly value: unknown }[]
}

/** An exchange of the session that a profile was learned from. */
type Answer = TimedExchange & { readonly name: string }

/** The doubt of a part that was not found. */
export const notFound = 'it was not found'

/** Returns the places of the lists and objects of an answer, from which one may be chosen. */
function placesIn({ name, json }: Answer): Found['shown'][number] {
  const below = (value: unknown, pointer: string): string[] =>
    Object.entries(isObject(value) ? value : {}).flatMap(([member, one]) =>
      one !== null && typeof one === 'object' ? [`${pointer}/${escapePointer(member)}`] : [],
    )
  const value = below(json, '').flatMap((pointer) => [pointer, ...below(valueAt(json, pointer), pointer)])
  return { call: name, value }
}

/** The doubt of a locator whose place is in no answer. */
export const valueless = 'no answer shows a value there'

/**
 * Returns the promised sections that were not found, then what was found and is not settled: locators, guesses, rules. A settled locator
 * without a value is among them.
 */
export function foundIn(profile: Profile, session: readonly Answer[]): Found[] {
  const { locators = {}, learned, accepts = [], refuses = [], settled = [], approvers } = profile
  const guessed = learned?.guessed ?? {}
  const [details] = answersOf('getWorkflow', session).toReversed()
  const missing = details ? sections.filter((name) => !Object.hasOwn(locators, name)) : []
  const names = [
    ...[...missing, ...Object.keys(locators)].map((name) => `locators.${name}`),
    ...Object.keys(guessed),
    ...(approvers === undefined ? [] : ['approvers']),
    ...accepts.map((rule) => `accepts ${rule}`),
    ...refuses.map((rule) => `refuses ${rule}`),
  ]
  return names.flatMap((name) => {
    const thing = settableNamed(name)
    const isMissing = details && missing.some((one) => name === `locators.${one}`)
    const shown = isMissing ? [placesIn(details)] : answersTo(thing, profile, session)
    const doubt = isMissing ? notFound : isValueless(thing, shown) ? valueless : guessed[name]
    if (settled.includes(name) && doubt !== valueless) return []
    return [{ name, setting: settingOf(profile, thing), ...(doubt !== undefined && { doubt }), shown }]
  })
}

const isValueless = ({ kind }: Settable, shown: Found['shown']) => kind === 'locator' && shown.length === 0

/** The call in whose answers locators look, by the beginnings of their names; all others look in details. */
const callsOfLocators: readonly (readonly [RegExp, CallName])[] = [
  [/^workflow[_.]/, 'createWorkflow'],
  [/^(upload[_.]|session_id$|key$)/, 'requestUpload'],
  [/^(document_id$|confirmation\.)/, 'confirmUpload'],
  [/^execution\.(?!approvers)/, 'executeWorkflow'],
]

/** Returns two answers of the session that show a thing. */
function answersTo(thing: Settable, profile: Profile, session: readonly Answer[]): Found['shown'] {
  if (thing.kind !== 'locator' && thing.kind !== 'place') return []
  const pointer = thing.kind === 'locator' ? (profile.locators as Record<string, string>)[thing.name] : thing.pointer
  const call =
    thing.kind === 'place'
      ? thing.answer
      : (callsOfLocators.find(([begin]) => begin.test(thing.name))?.[1] ?? 'getWorkflow')
  const found = answersOf(call, session).flatMap((answer) => {
    const shown =
      thing.kind === 'locator'
        ? answer.json
        : { status: answer.status, body: answer.json, headers: Object.fromEntries(answer.headers) }
    const value = valuesAt(shown, pointer ?? '')
    return value === undefined ? [] : [{ call: answer.name, value }]
  })
  const texts = found.map(({ value }) => JSON.stringify(value))
  const other = found.find((_, index) => texts[index] !== texts[0]) ?? found[1]
  return found.slice(0, 1).concat(other ?? [])
}

/** Returns the answers to the accepted calls of a kind. */
const answersOf = (call: string, session: readonly Answer[]) =>
  session.filter((one) => one.status < 400 && callOfExchange(one) === call)

/** Returns the value at a pointer whose `*` is the first item that has the rest. */
function valuesAt(json: unknown, pointer: string): unknown {
  const at = pointer.indexOf('/*')
  if (at < 0) return valueAt(json, pointer)
  const list = valueAt(json, pointer.slice(0, at))
  const items = Array.isArray(list) ? list : isObject(list) ? Object.values(list) : []
  return items.map((item) => valuesAt(item, pointer.slice(at + 2))).find((value) => value !== undefined)
}

/** What a person says of a thing: that it is right, that there is no such thing, or what is right. */
export type Correction =
  | { readonly is: 'right' }
  | { readonly is: 'none' }
  | { readonly is: 'other'; readonly text: string }

/**
 * Returns the profile with a thing settled. A correction of a locator is a JSON Pointer, that of a place a template or a plain value,
 * and that of the approvers one of their modes. Returns a sentence that says what is wrong with a correction that cannot be used.
 */
export function settle(
  profile: Profile,
  { name }: Pick<Found, 'name'>,
  correction: Correction,
  session: readonly Answer[],
): Profile | string {
  const thing = settableNamed(name)
  const { [name]: _, ...guessed } = profile.learned?.guessed ?? {}
  const settled = [...new Set([...(profile.settled ?? []), name])]
  const learned = profile.learned && { ...profile.learned, guessed }
  const known = { ...profile, ...(learned && { learned }), settled }
  if (correction.is === 'right') {
    const place = thing.kind === 'locator' ? settingOf(profile, thing) : undefined
    const isKept = place === undefined || !isValueless(thing, answersTo(thing, profile, session))
    return isKept ? known : `No answer shows a value at ${place}. Type the right place, or - if there is none.`
  }
  if (correction.is === 'none') {
    if (thing.kind === 'approvers') return 'Executions always go on in some way. Type auto, instant or manual.'
    return withSetting(known, thing, thing.kind === 'place' ? leftOut : undefined)
  }
  const { text } = correction
  if (thing.kind === 'rule') return 'A rule is there or not. Press Enter to keep it, or type - to remove it.'
  if (thing.kind === 'locator' && !text.startsWith('/'))
    return 'A place is a JSON Pointer, such as /data/id. It begins with a slash.'
  const changed = withSetting(known, thing, thing.kind === 'place' ? templateIn(text) : text)
  const flaw = flawOf(changed)
  if (flaw !== undefined) return `This cannot be used: ${flaw}.`
  if (thing.kind === 'locator' && answersTo(thing, changed, session).length === 0)
    return `No answer shows a value at ${text}. Look into session.har for the place.`
  return changed
}

/** The template of a member that is left out. */
const leftOut: Json = { $case: '/now', values: {} }

/** Returns JSON as it is, and any other text as a text. */
function templateIn(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    // A text without quotes.
    return text
  }
}
