/** Renders answers and identifiers as a profile describes them. */

import { headerValue } from '../contract/header-value.ts'
import { hasNoBody } from '../contract/http.ts'
import type { AnswerName } from '../contract/operations.ts'
import type { IdentifierName, Profile } from './profile.ts'
import {
  type CompiledTemplate,
  compile,
  type Facts,
  isConstant,
  type Json,
  type RandomSource,
  textOf,
} from './template.ts'

/** An answer as a deployment writes it. */
export interface RenderedAnswer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** JSON or text; absent if there is no body. */
  readonly body?: string
  /** True if the body is JSON. A template may have both, for samples of which some had a text. */
  readonly isJson?: true
}

/** Status and headers of an answer, and its text if it has no JSON. */
interface Head extends Pick<RenderedAnswer, 'status' | 'headers'> {
  readonly text: string
}

/** An answer's template, in parts. */
interface AnswerTemplate {
  readonly head: (facts: Facts, random: RandomSource, thing: string) => Head
  readonly body: CompiledTemplate | undefined
}

/** Renders the answers of a deployment. */
export class Style {
  readonly #identifiers: Partial<Record<IdentifierName, CompiledTemplate>>
  readonly #uploadUrl: CompiledTemplate | undefined
  readonly #answers: Partial<Record<AnswerName, AnswerTemplate>>
  readonly #refusals: Readonly<Record<string, AnswerTemplate>>
  /** True if the answer to an upload request shows the identifier that its document will have. */
  readonly showsDocumentEarly: boolean
  /** True if a template shows the MD5 of an object. */
  readonly needsMd5: boolean
  /** True if a template shows the SHA-256 of an object. */
  readonly needsSha256: boolean

  /** Throws a `TemplateError` if a template of the profile cannot be used. */
  constructor({ identifiers = {}, uploadUrl, answers = {}, refusals = {} }: Profile) {
    this.#identifiers = mapValues(identifiers, compile)
    this.#uploadUrl = uploadUrl === undefined ? undefined : compile(uploadUrl)
    this.#answers = mapValues(answers, answerTemplate)
    this.#refusals = mapValues(refusals, answerTemplate)
    this.showsDocumentEarly = JSON.stringify(answers.requestUpload ?? null).includes('"/answer/document_id"')
    const templates = JSON.stringify([answers, refusals])
    this.needsMd5 = templates.includes('"/object/md5"')
    this.needsSha256 = templates.includes('"/object/sha256"') || templates.includes('"/answer/sha256"')
  }

  /** Makes an identifier; undefined if the profile does not say how. */
  identifier(name: IdentifierName, facts: Facts, random: RandomSource): string | undefined {
    const value = this.#identifiers[name]?.render(facts, random)
    const text = textOf(value).toWellFormed()
    return text === '' ? undefined : text
  }

  /** Returns the path and query of an upload URL; undefined if the profile does not say how they look. */
  uploadPath(facts: Facts, random: RandomSource, thing = String(facts.session_id)): string | undefined {
    const value = this.#uploadUrl?.render(facts, random, thing)
    return typeof value === 'string' && value.startsWith('/') ? value : undefined
  }

  /** Returns true if the profile has an answer for a call. */
  knows(operation: AnswerName): boolean {
    return this.#answers[operation] !== undefined
  }

  /** Renders a successful answer. `thing` names what it is about. */
  answer(operation: AnswerName, facts: Facts, random: RandomSource, thing: string): RenderedAnswer | undefined {
    const template = this.#answers[operation]
    return template && renderAnswer(template, facts, random, thing)
  }

  /** Prepares a successful answer that is sent many times. */
  prepare(
    operation: AnswerName,
    facts: Facts,
    random: RandomSource,
    thing: string,
  ): ((facts: Facts) => RenderedAnswer) | undefined {
    const template = this.#answers[operation]
    if (!template) return undefined
    const body = template.body?.prepare(facts, random, thing)
    return (now) => withBody(template.head(now, random, thing), body?.(now, random))
  }

  /** Renders a refusal; of a code that was never seen, as one of its kind. */
  refusal(code: string, facts: Facts, random: RandomSource): RenderedAnswer | undefined {
    const name = [code, ...kindOf(code)].find((one) => Object.hasOwn(this.#refusals, one))
    const template = name === undefined ? undefined : this.#refusals[name]
    return template && renderAnswer(template, facts, random, '')
  }
}

/** Codes that deployments refuse in the same way. */
const kinds = [
  [
    'invalid-request',
    'invalid-json',
    'file-name-mismatch',
    'key-of-another-session',
    'file-too-large',
    'body-too-large',
    'unsupported-media-type',
  ],
  ['missing-key', 'key-with-scheme', 'not-a-test-key', 'misplaced-key'],
  ['workflow-not-found', 'session-not-found', 'execution-not-found', 'unknown-path', 'method-not-allowed'],
  ['document-not-confirmed', 'object-not-stored'],
  [
    'SignatureDoesNotMatch',
    'AccessDenied',
    'InvalidArgument',
    'MissingContentLength',
    'NotImplemented',
    'MethodNotAllowed',
    'InvalidObjectState',
    'BadDigest',
    'InvalidRequest',
  ],
]

const kindOf = (code: string) => kinds.find((kind) => kind.includes(code)) ?? []

function answerTemplate(template: Json): AnswerTemplate {
  const { body, ...head } = template as { readonly [name: string]: Json }
  return { head: compileHead(head), body: body === undefined ? undefined : compile(body) }
}

/** Compiles the template of status, headers and text. A constant one is read once. */
function compileHead(template: Json): AnswerTemplate['head'] {
  if (isConstant(template)) {
    const head = headOf(template)
    return () => head
  }
  const compiled = compile(template)
  return (facts, random, thing) => headOf(compiled.render(facts, random, thing))
}

function renderAnswer(
  { head, body }: AnswerTemplate,
  facts: Facts,
  random: RandomSource,
  thing: string,
): RenderedAnswer {
  const value = body?.render(facts, random, thing)
  return withBody(head(facts, random, thing), body && JSON.stringify(value))
}

function headOf(head: unknown): Head {
  const { status, headers = {}, text } = head as { status?: number | null; headers?: object; text?: unknown }
  return {
    status: status ?? 200,
    headers: Object.entries(headers)
      .map(([name, value]) => [name, headerValue(name, textOf(value))] as const)
      .filter(([, value]) => value !== ''),
    text: textOf(text),
  }
}

function withBody({ status, headers, text }: Head, json?: string): RenderedAnswer {
  const body = json ?? text
  return {
    status,
    headers,
    ...(body !== '' && !hasNoBody(status) && { body, ...(json !== undefined && { isJson: true }) }),
  }
}

function mapValues<Name extends string, From, To>(
  values: Partial<Readonly<Record<Name, From>>>,
  change: (value: From) => To,
): Record<Name, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value as From)])) as Record<
    Name,
    To
  >
}
