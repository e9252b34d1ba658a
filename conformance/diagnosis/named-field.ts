/** Finds the field that a refusal mentions: by its name, by a word for it, or by the value that was sent. */
import type { RequirementId } from '../catalogue/catalogue.ts'
import { membersOf, normalizeName } from '../reading/locate.ts'
import { mentionsRole, termsOf } from '../reading/vocabulary.ts'
import { type Exchange, sentJson } from '../wire/exchange.ts'

/** A field of a request, with the requirement that is broken if a refusal names only this field. */
export interface Field {
  readonly name: string
  readonly id: RequirementId
  /** A word, without separators, that refers to the field anywhere in a message. @default the name, unless it is a common word */
  readonly word?: string
  /** True if a message that contains the sent value refers to the field. @default false */
  readonly byValue?: boolean
}

export const executionFields: readonly Field[] = [
  { name: 'document_id', id: 'flow.document-id-refers-to-upload', word: 'document', byValue: true },
  { name: 'submitter_email', id: 'execution.submitter-email', word: 'submitter' },
  { name: 'execution_mode', id: 'execution.mode-standard' },
  { name: 'priority', id: 'execution.priority-high', word: 'priority' },
]

/** The part of a refusal that is read, in bytes. */
const mostRead = 4000

/** Returns the only field that a refusal names; undefined if it names none or several. */
export function fieldNamedIn(answer: Exchange, fields: readonly Field[]): Field | undefined {
  const { json, bytes } = answer
  const text = new TextDecoder().decode(bytes.subarray(0, mostRead))
  const sent = sentJson(answer) as Readonly<Record<string, unknown>> | undefined
  const whole = normalizeName(text)
  const named = new Set((json === undefined ? [text] : [...textsIn(json)]).flatMap(namesIn))
  const found = fields.filter(({ name, word = isCommon(name) ? undefined : normalizeName(name), byValue }) => {
    const value = String(sent?.[name] ?? '')
    return (
      (word !== undefined && whole.includes(word)) ||
      named.has(normalizeName(name)) ||
      (byValue === true && value !== '' && text.includes(value))
    )
  })
  return found.length === 1 ? found[0] : undefined
}

/** Returns true if a name is also an ordinary word, which a message may use for something else. */
const isCommon = (name: string) => /^[a-z]+$/.test(name)

/** Members of an error that describe the error itself. */
const ofError = ['type', 'instance', 'title', 'code']

/** Returns the texts of a refusal, and the names of fields that its errors are grouped by: `{ errors: { type: [ … ] } }`. */
function* textsIn(json: unknown): Generator<string> {
  for (const { pointer, name, value } of membersOf(json)) {
    const around = pointer.split('/').slice(1, -1)
    // The items of a list have the list's name.
    if (Array.isArray(value) && around.some((one) => mentionsRole(termsOf(one), 'fault'))) yield name
    if (typeof value === 'string' && !ofError.includes(name)) yield value
  }
}

/** Returns the names in a message: its first word, paths such as `steps[0].type`, and words in quotes. */
function namesIn(text: string): string[] {
  const words = text.slice(0, mostRead).split(/\s+/)
  return words.flatMap((word, index) => {
    const bare = word.replace(/[,.:;!?]{1,3}$/, '')
    const isQuoted = /^['"`“‘].*['"`”’]$/.test(bare)
    const inner = isQuoted ? bare.slice(1, -1) : bare
    const segments = inner.split(/[./[\]]+/).filter((segment) => segment !== '' && !/^\d+$/.test(segment))
    const isPath = /[[\]./]/.test(inner) && !inner.includes(':')
    return isQuoted || isPath || index === 0 ? segments.slice(-1).map(normalizeName) : []
  })
}
