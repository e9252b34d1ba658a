/**
 * Removes from templates what belongs to the session that they were learned from: identifiers, names that were sent, and times.
 * A mock must never show them as its own.
 */
import { escapePointer } from '../../src/contract/json.ts'
import type { Json } from '../../src/profile/template.ts'
import { membersOf } from '../reading/locate.ts'
import { readTime } from '../reading/times.ts'
import { type Exchange, sentJson } from '../wire/exchange.ts'
import type { IdentifierRole, Introduced } from './roles.ts'
import type { AnswerSample, Guess } from './sample.ts'
import { indexOfWord, textTemplate } from './text.ts'

/** The data of a session: each text with its kind, the longest first. */
export interface SessionData {
  readonly texts: readonly (readonly [text: string, kind: string])[]
  /** The names of workflows as some services make identifiers of them: in lower case, with hyphens. */
  readonly slugs: readonly (readonly [text: string, kind: string])[]
  /** The long words that only one answer has. */
  readonly once: ReadonlySet<string>
  /** Templates of the places that have a new value in each answer, such as the identifier of a request, by their pointers. */
  readonly fresh: ReadonlyMap<string, Json>
}

/** Where the contract's answers and the facts of a refusal have data of a kind. */
const places: Readonly<Record<string, { readonly answer: readonly string[]; readonly refusal: readonly string[] }>> = {
  step_id: { answer: ['/answer/steps/0/step_id'], refusal: ['/request/steps/0/step_id'] },
  step_name: { answer: ['/answer/steps/0/name'], refusal: ['/request/steps/0/name'] },
  approver_email: { answer: ['/answer/steps/0/approvers/0/email'], refusal: ['/request/steps/0/approvers/0/email'] },
  approver_name: { answer: ['/answer/steps/0/approvers/0/name'], refusal: ['/request/steps/0/approvers/0/name'] },
  name: { answer: ['/answer/name'], refusal: ['/request/name'] },
  description: { answer: ['/answer/description'], refusal: ['/request/description'] },
  submitter_email: {
    answer: ['/answer/submitter_email', '/answer/recent_executions/0/submitter_email'],
    refusal: ['/request/submitter_email'],
  },
  file_name: { answer: ['/answer/file_name', '/request/file_name'], refusal: ['/request/file_name'] },
  workflow: { answer: ['/answer/workflow_id', '/path/workflow_id'], refusal: ['/path/workflow_id'] },
  execution: { answer: ['/answer/execution_id', '/answer/recent_executions/0/execution_id'], refusal: [] },
  document: {
    answer: ['/answer/document_id', '/answer/recent_executions/0/document_id'],
    refusal: ['/request/document_id'],
  },
  session: { answer: ['/answer/session_id', '/session_id'], refusal: ['/request/session_id'] },
  key: { answer: ['/answer/key', '/key'], refusal: ['/request/completed_files/0/key'] },
  uploadUrl: { answer: ['/answer/upload_url'], refusal: [] },
  domain: { answer: [], refusal: [] },
}

/** Returns the domain of an address of a lesson, which has digits. A company's own domain may be in its answers anyway. */
function lessonDomain(value: unknown): string | undefined {
  const at = typeof value === 'string' ? value.lastIndexOf('@') : -1
  const domain = at < 0 ? '' : String(value).slice(at)
  return /\d/.test(domain) ? domain : undefined
}

/** The shortest text that is recognised as data. Shorter ones occur by chance. */
const shortest = 5
const longWord = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9]{16,}/gi

/** Collects the data of a session. */
export function sessionDataOf(session: readonly Introduced[]): SessionData {
  const texts = new Map<string, string>()
  const add = (text: unknown, kind: string) => {
    if (typeof text === 'string' && text.length >= shortest && !texts.has(text)) texts.set(text, kind)
  }
  const slugs = new Set<string>()
  const counts = new Map<string, number>()
  for (const { exchange, roles } of session) {
    for (const [role, text] of Object.entries(roles) as [IdentifierRole, string][]) add(text, role)
    for (const { pointer, value } of membersOf(sentJson(exchange))) {
      add(value, kindOfSent(pointer))
      if (pointer === '/name')
        slugs.add(
          String(value)
            .toLowerCase()
            .replaceAll(/[^a-z0-9]+/g, '-'),
        )
      add(lessonDomain(value), 'domain')
    }
    for (const word of wordsOf(exchange)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const once = [...counts].flatMap(([word, count]) => (count === 1 ? [word] : []))
  return {
    texts: [...texts].filter(([, kind]) => kind in places).toSorted(([a], [b]) => b.length - a.length),
    slugs: [...slugs].filter(({ length }) => length >= shortest).map((text) => [text, 'name'] as const),
    once: new Set(once),
    fresh: freshPlaces(session),
  }
}

/** The fewest answers that show that a place always has a new value. */
const fewest = 6

/** Finds the places of answers that have a new value in each answer of all calls, which no request sends. */
function freshPlaces(session: readonly Introduced[]): Map<string, Json> {
  const places = new Map<string, AnswerSample[]>()
  const sent = new Set<unknown>()
  for (const { exchange, roles } of session) {
    for (const role of Object.values(roles)) sent.add(role)
    for (const { value } of membersOf(sentJson(exchange))) sent.add(value)
    const { at } = exchange
    const headers = [...exchange.headers].map(([name, value]) => ({ pointer: `/headers/${name}`, value }))
    const body = membersOf(exchange.json).map(({ pointer, value }) => ({ pointer: `/body${pointer}`, value }))
    for (const { pointer, value } of [...headers, ...body] as { pointer: string; value: unknown }[]) {
      if (typeof value !== 'string' || !/\d/.test(value) || value.length < shortest || readTime(value)) continue
      const sample = { facts: { now: new Date(at).toISOString() }, value, items: [], thing: '', at }
      places.set(pointer, [...(places.get(pointer) ?? []), sample])
    }
  }
  const made = [...places].flatMap(([pointer, samples]): [string, Json][] => {
    const values = samples.map(({ value }) => String(value))
    const isFresh = samples.length >= fewest && new Set(values).size === values.length
    const template = isFresh && !values.some((value) => sent.has(value)) ? textTemplate(samples) : undefined
    return template !== undefined && /"per":"call"/.test(JSON.stringify(template)) ? [[pointer, template]] : []
  })
  return new Map(made)
}

function kindOfSent(pointer: string): string {
  const [, inStep, inApprover] = /^\/steps\/\d+(\/approvers\/\d+)?\/(\w+)$/.exec(pointer) ?? []
  if (inApprover !== undefined) {
    if (inStep !== undefined) return `approver_${inApprover}`
    return inApprover === 'step_id' ? 'step_id' : `step_${inApprover}`
  }
  return pointer.slice(1)
}

/** Returns the long words of an answer that have letters and digits, as new identifiers have. */
function wordsOf({ headers, bytes }: Exchange): Set<string> {
  const text = `${[...headers].map(([, value]) => value).join(' ')} ${new TextDecoder().decode(bytes)}`
  return new Set((text.match(longWord) ?? []).filter(isMixed))
}

const isMixed = (word: string) => /\d/.test(word) && /[A-Za-z]/.test(word)

interface Context {
  readonly data: SessionData
  readonly isRefusal: boolean
  /** Returns true if the contract's answer has a value at a pointer. */
  readonly has: (pointer: string) => boolean
  readonly guess: (guess: Guess) => void
}

/** Returns a template of an answer without data of its session. `has` says which facts the answer's samples have. */
export function withoutSessionData(template: Json, context: Context, pointer = ''): Json {
  const fresh = context.data.fresh.get(pointer)
  // What follows a fact stays.
  if (fresh !== undefined && !/"\$(time)?":"(?!\/now")/.test(JSON.stringify(template))) return fresh
  if (typeof template === 'string') return ofText(template, context, pointer)
  if (template === null || typeof template !== 'object') return template
  if (Array.isArray(template)) {
    return template.map((item, index) => withoutSessionData(item as Json, context, `${pointer}/${index}`))
  }
  const entries = Object.entries(template)
  const instruction = entries.find(([name]) => name.startsWith('$'))?.[0]
  if (instruction === '$text') return ofParts(template as { $text: Json[] }, context, pointer)
  return Object.fromEntries(
    entries.flatMap(([name, member]): [string, Json][] => {
      const inner = member as Json
      const isTemplate = instruction === undefined || templatesOf[instruction]?.includes(name)
      if (!isTemplate) return [[name, inner]]
      if (instruction !== undefined && name === 'values') {
        const values = Object.entries(inner as object).map(([key, one]) => [
          key,
          withoutSessionData(one as Json, context, pointer),
        ])
        return [[name, Object.fromEntries(values)]]
      }
      const place = instruction === undefined ? `${pointer}/${escapePointer(name)}` : pointer
      if (instruction === undefined && context.data.texts.some(([text]) => name.includes(text))) {
        context.guess({ pointer: place, why: 'its name belongs to the session, and no fact explains it' })
        return []
      }
      return [[name, withoutSessionData(inner, context, place)]]
    }),
  )
}

/** The members of instructions that are templates. */
const templatesOf: Readonly<Record<string, readonly string[]>> = {
  $: ['or'],
  $each: ['item'],
  $concat: ['$concat', 'or'],
  $entries: ['key', 'value', 'also'],
  $case: ['values', 'else'],
  $if: ['present', 'absent'],
  $members: ['$members'],
}

const why = 'it belongs to the session, and no fact explains it'

function ofText(text: string, context: Context, pointer: string): Json {
  const parts = partsOf(text, context, pointer)
  const [only = null] = parts
  return parts.length === 1 ? only : { $text: parts }
}

function ofParts(template: { readonly $text: readonly Json[] }, context: Context, pointer: string): Json {
  const isNew = (part: Json | undefined) => part !== null && typeof part === 'object' && '$new' in part
  const made = template.$text.flatMap((part, index): readonly Json[] => {
    if (typeof part !== 'string') return [withoutSessionData(part, context, pointer)]
    // The beginning of a text whose rest would be made anew.
    const start = isNew(template.$text[index + 1]) && context.data.texts.find(([text]) => isStartOf(part, text))
    if (!start) return partsOf(part, context, pointer)
    context.guess({ pointer, why })
    return [part.slice(0, -lastWord(part).length), referenceTo(start[1], start[0], context)]
  })
  if (JSON.stringify(made) === JSON.stringify(template.$text)) return template
  return { ...template, $text: made.filter((part, index) => !(isNew(part) && isReference(made[index - 1]))) }
}

const isReference = (part: Json | undefined) => part !== null && typeof part === 'object' && '$' in part
const lastWord = (text: string) => text.slice(text.lastIndexOf(' ') + 1)
const isStartOf = (part: string, text: string) => {
  const word = lastWord(part)
  return word.length >= shortest && /\d/.test(word) && text.startsWith(word)
}

/**
 * Cuts a text at the data in it, and makes references, new values and times of them. A word that only one answer has, such as
 * the identifier of a request, is made anew without a guess.
 */
function partsOf(text: string, context: Context, pointer: string): Json[] {
  const around = (at: number, known: string, middle: Json) => {
    const [before, after] = [text.slice(0, at), text.slice(at + known.length)]
    const more = (rest: string) => (rest === '' ? [] : partsOf(rest, context, pointer))
    return [...more(before), middle, ...more(after)]
  }
  for (const [known, kind] of context.data.texts) {
    const at = known.length >= 12 ? text.indexOf(known) : indexOfWord(text, known)
    if (at < 0) continue
    context.guess({ pointer, why })
    return around(at, known, referenceTo(kind, known, context))
  }
  const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/.exec(text)
  const read = time && readTime(time[0])
  if (time && read) {
    const [form = 'iso'] = read.forms
    const zone = read.zone === undefined ? {} : { zone: read.zone }
    context.guess({ pointer, why })
    return around(time.index, time[0], { $time: '/now', form, ...zone })
  }
  for (const match of text.matchAll(longWord)) {
    if (isMixed(match[0]) && context.data.once.has(match[0])) return around(match.index, match[0], newLike(match[0]))
  }
  return [text]
}

/** Refers to data of the same kind in the call that is answered, or makes a new text of the same length. */
function referenceTo(kind: string, known: string, { isRefusal, has }: Context): Json {
  if (kind === 'domain') return '@example.com'
  const found = isRefusal ? places[kind]?.refusal[0] : places[kind]?.answer.find(has)
  return found === undefined ? newLike(known) : { $: found, or: '' }
}

function newLike(word: string): Json {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word)) return { $new: 'uuid', per: 'call' }
  const kind = /^\d+$/.test(word)
    ? 'digits'
    : /^[0-9a-f]+$/.test(word)
      ? 'hex'
      : /^[0-9A-F]+$/.test(word)
        ? 'hex-upper'
        : 'letters-digits'
  return { $new: kind, length: word.length, per: 'call' }
}
