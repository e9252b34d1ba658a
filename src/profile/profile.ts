import { isHeaderName, isStatus, type WithheldReason, withheld } from '../contract/http.ts'
import { deepestJson, escapePointer, isObject, isTooDeep } from '../contract/json.ts'
import { type AnswerName, type OperationId, operations } from '../contract/operations.ts'
import { answerMembers } from './answer-members.gen.ts'
import { derivedMembers } from './facts.ts'
import { locatorNames, profileNames } from './profile-names.gen.ts'
import { compile, type Json, TemplateError } from './template.ts'

/** A description of a deployment: hints for the suite, and templates with which the mock answers like it. */
export interface Profile {
  /** The version of the format. Absent in profiles with hints alone. */
  readonly version?: 1
  /** How the profile was learned. */
  readonly learned?: {
    readonly at: string
    /** The number of answers that it was learned from. */
    readonly answers: number
    /** The places that are guesses, with the reason, such as `getWorkflow /body/views`. */
    readonly guessed?: Readonly<Record<string, string>>
    /** The places at which the deployment and a mock with this profile differed from the start. */
    readonly differs?: readonly string[]
    /** What the deployment answers to the open questions of the document, by their ids. */
    readonly questions?: Readonly<Record<string, string>>
  }
  /** What a person has confirmed or corrected, such as `locators.key`: it is never guessed again. */
  readonly settled?: readonly string[]
  /** The identifiers that the deployment makes: templates of `workflow`, `execution`, `session`, `document`, `tenant` and `key`. */
  readonly identifiers?: Partial<Readonly<Record<IdentifierName, Json>>>
  /** The template of the path and query of an upload URL. */
  readonly uploadUrl?: Json
  /** The path of the service before `/api/v1`, if it has one. The mock answers with it, and without. */
  readonly basePath?: string
  /**
   * The templates of successful answers, by operation. With one of `listWorkflows`, `GET /api/v1/workflows` is answered too, and with
   * one of `getExecution`, `executionPaths`.
   */
  readonly answers?: Partial<Readonly<Record<AnswerName, Json>>>
  /** The paths of a single execution, such as `/api/v1/executions/{execution_id}`. @default none */
  readonly executionPaths?: readonly string[]
  /** The templates of refusals, by the contract's problem code. */
  readonly refusals?: Readonly<Record<string, Json>>
  /**
   * The requests that the deployment accepts although the contract refuses them: problem codes, and violations such as
   * `createWorkflow required /description`.
   */
  readonly accepts?: readonly string[]
  /** The requests that the deployment refuses although the contract accepts them, such as `requestUpload minimum /file_size`. */
  readonly refuses?: readonly string[]
  /**
   * True for the parts that pages on other origins may call, and whether with credentials. The options of a mock decide first.
   *
   * @default both may be called, without credentials
   */
  readonly cors?: { readonly service?: boolean; readonly storage?: boolean; readonly credentials?: boolean }
  /** True if files are uploaded to another origin than that of the service. `startMock` follows it. @default false */
  readonly hasStorageOrigin?: boolean
  /** The time until the details list an execution, and show a change of it, in milliseconds. @default 0 */
  readonly executionDelayMs?: number
  /** The time until the figures of the details follow from it, in milliseconds. @default that of executions */
  readonly figuresDelayMs?: number
  /** The default mode of the mock's approvers: executions went on like this. */
  readonly approvers?: 'auto' | 'instant' | 'manual'
  /** The pace of all approvers. The mock's take as long, and approve. @default their own pace */
  readonly pace?: {
    /** The time until the first steps of an execution are taken up, in milliseconds. */
    readonly pickUpMs: number
    /** The time from when a step is taken up to its decision, in milliseconds. */
    readonly stepMs: number
  }
  /** The places of values: JSON Pointers (RFC 6901) into the answers named in the schema. */
  readonly locators?: Partial<Record<LocatorName, string>>
  /** The seconds that a deployment may take to show a change. @default 10 */
  readonly settleSeconds?: number
  /** Regular expression that the deployment's test-mode keys match. */
  readonly testKeyPattern?: string
  /**
   * Headers that every call of the service carries beside its own, and no call of storage. On the command line, a value of
   * `env:NAME` is taken from the environment.
   */
  readonly headers?: Readonly<Record<string, string>>
}

/** The things for which a deployment makes identifiers. Of a key, the part after the tenant; of a tenant, its name in keys. */
export type IdentifierName = (typeof identifierNames)[number]

export const identifierNames = ['workflow', 'execution', 'session', 'tenant', 'key', 'document'] as const

/** Headers that the suite sets itself, or that belong to the connection. */
const ownHeaders =
  'authorization content-type content-length host connection transfer-encoding expect upgrade cookie2'.split(' ')

/** Says what is wrong with a header in one sentence that never repeats its value, if anything is. */
export function headerFlaw(name: string, value: string): string | undefined {
  if (!isHeaderName(name)) return 'the name of a header has other characters than letters, digits and hyphens'
  if (ownHeaders.includes(name.toLowerCase())) return `the header ${name} is set by the suite itself`
  if (!/^[\x20-\x7e]+$/.test(value)) return `the header ${name} has no value, or characters outside ASCII in it`
  return undefined
}

export type LocatorName = (typeof locatorNames)[number]

/** Returns true if a profile may have a locator of this name. */
export function isLocatorName(name: string): name is LocatorName {
  return (locatorNames as readonly string[]).includes(name)
}

/** A path of the service with an execution in it, and perhaps its workflow. */
const executionPath = /^\/api\/v1(\/[\w.~-]+|\/\{workflow_id\})*\/\{execution_id\}\/?$/

/** The longest time for a step or an execution, in milliseconds: 30 days. */
const mostMs = 2_592_000_000

/** Describes the first mistake in a profile. A test compares these rules with the schema. */
export function flawOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'it is not an object'
  if (isTooDeep(value)) return `it is nested more than ${deepestJson} levels deep`
  const { locators = {}, settleSeconds = 10, testKeyPattern = '', headers = {} } = value
  const unknown = unknownIn(value, profileNames)
  if (unknown) return unknown
  if (value.version !== undefined && value.version !== 1) {
    const newer = typeof value.version === 'number' && value.version > 1
    return `/version is ${JSON.stringify(value.version)?.slice(0, 20)}, and only 1 is known${newer ? '; update countersign' : ''}`
  }
  const { accepts = [], refuses = [], settled = [], learned: origin = {} } = value
  const { guessed = {}, differs = [], questions = {} } = isObject(origin) ? origin : {}
  for (const name of ['executionDelayMs', 'figuresDelayMs'] as const) {
    const { [name]: ms = 0 } = value
    if (!(typeof ms === 'number' && ms >= 0 && ms <= 300_000)) return `/${name} is not a number from 0 to 300000`
  }
  const inPart = flawInPace(value.pace) ?? flawInCors(value.cors)
  if (inPart) return inPart
  for (const [name, list] of Object.entries({ accepts, refuses, settled, 'learned/differs': differs })) {
    if (!Array.isArray(list) || list.some((one) => typeof one !== 'string')) return `/${name} is not a list of texts`
  }
  for (const [name, texts] of Object.entries({ guessed, questions })) {
    if (!isObject(texts) || Object.values(texts).some((text) => typeof text !== 'string'))
      return `/learned/${name} is not an object of texts`
  }
  const { hasStorageOrigin = false } = value
  if (typeof hasStorageOrigin !== 'boolean') return '/hasStorageOrigin is neither true nor false'
  const { basePath = '/approvals', executionPaths = [] } = value
  if (!isText(basePath, /^(\/[\w.~-]+)+$/)) return '/basePath is not a path, such as /approvals'
  if (!Array.isArray(executionPaths) || !executionPaths.every((path) => isText(path, executionPath)))
    return '/executionPaths is not a list of paths, such as /api/v1/executions/{execution_id}'
  const learned = flawInLearned(value)
  if (learned) return learned
  if (typeof settleSeconds !== 'number' || settleSeconds < 0 || settleSeconds > 300) {
    return 'settleSeconds is not a number from 0 to 300'
  }
  if (typeof testKeyPattern !== 'string' || !isPattern(testKeyPattern))
    return 'testKeyPattern is not a regular expression'
  if (!isObject(headers)) return 'headers is not an object'
  for (const [name, text] of Object.entries(headers)) {
    const flaw = typeof text === 'string' ? headerFlaw(name, text) : `the header ${name.slice(0, 60)} is no text`
    if (flaw) return `in headers ${flaw}`
  }
  if (!isObject(locators)) return 'locators is not an object'
  const unknownLocator = unknownIn(locators, locatorNames)
  if (unknownLocator) return `in locators ${unknownLocator}`
  const wrong = Object.entries(locators).find(
    ([, pointer]) => typeof pointer !== 'string' || !/^(\/([^~]|~[01])*)?$/.test(pointer),
  )
  return wrong ? `locators.${wrong[0]} is not a JSON Pointer, which begins with a slash` : undefined
}

function flawInPace(pace: unknown = { pickUpMs: 0, stepMs: 0 }): string | undefined {
  if (!isObject(pace)) return '/pace is not an object'
  const names = ['pickUpMs', 'stepMs'] as const
  const unknown = unknownIn(pace, names)
  if (unknown) return `in /pace ${unknown}`
  const isTime = (ms: unknown) => typeof ms === 'number' && ms >= 0 && ms <= mostMs
  const noTime = names.find((name) => !isTime(pace[name]))
  return noTime && `/pace/${noTime} is not a number from 0 to ${mostMs}`
}

function flawInCors(cors: unknown = {}): string | undefined {
  if (!isObject(cors)) return '/cors is not an object'
  const unknown = unknownIn(cors, ['service', 'storage', 'credentials'])
  if (unknown) return `in /cors ${unknown}`
  const notBoolean = Object.keys(cors).find((name) => typeof cors[name] !== 'boolean')
  return notBoolean && `/cors/${notBoolean} is neither true nor false`
}

/** Describes the first mistake in what was learned, with its JSON Pointer. */
function flawInLearned({
  identifiers = {},
  uploadUrl = null,
  answers = {},
  refusals = {},
  ...value
}: Record<string, unknown>): string | undefined {
  if (!isText(value.approvers ?? 'auto', /^(auto|instant|manual)$/))
    return '/approvers is none of auto, instant and manual'
  for (const [name, group] of Object.entries({ identifiers, answers, refusals })) {
    if (!isObject(group)) return `/${name} is not an object`
    const allowed =
      name === 'identifiers'
        ? identifierNames
        : name === 'answers'
          ? [...Object.keys(operations), 'listWorkflows', 'getExecution']
          : undefined
    const unknown = Object.keys(group).find((member) => allowed && !allowed.some((one) => one === member))
    if (unknown !== undefined) return `/${name}/${unknown.slice(0, 60)} is unknown, use only ${allowed?.join(', ')}`
    for (const [member, template] of Object.entries(group)) {
      const flaw =
        flawInTemplate(template, `/${name}/${member}`, name === 'identifiers') ??
        (name === 'answers' ? unknownMember(template, `/${name}/${member}`, bindableMembers(member)) : undefined)
      if (flaw) return flaw
    }
  }
  return flawInTemplate(uploadUrl, '/uploadUrl', true)
}

const isText = (value: unknown, pattern: RegExp) => typeof value === 'string' && pattern.test(value)

function flawInTemplate(template: unknown, pointer: string, isScalar: boolean): string | undefined {
  const flaw = isScalar ? undefined : flawInAnswer(template, pointer)
  if (flaw) return flaw
  try {
    compile(template as Json)
    return undefined
  } catch (error) {
    if (error instanceof TemplateError) return `at ${pointer}${error.pointer}, ${error.message}`
    throw error
  }
}

/** Describes the first mistake in the status and the headers of an answer's template. */
function flawInAnswer(template: unknown, pointer: string): string | undefined {
  const names = ['status', 'headers', 'body', 'text']
  const isAnswer = isObject(template) && Object.keys(template).every((name) => names.includes(name))
  if (!isAnswer || !isObject(template.headers ?? {})) return `${pointer} is not an object with status, headers and body`
  const { status = 200, headers = {} } = template
  if (!isStatusTemplate(status)) return `at ${pointer}/status, ${statusRule}`
  for (const name of Object.keys(headers as object)) {
    const at = `at ${pointer}/headers/${escapePointer(name)}`
    if (!isHeaderName(name) || name.startsWith('$')) return `${at.slice(0, 120)}, it is no name of a header`
    const why = withheld.get(name.toLowerCase())
    if (why) return `${at}, ${reasons[why]}; leave it out`
  }
  return undefined
}

const reasons: Readonly<Record<WithheldReason, string>> = {
  connection: 'the header belongs to the connection',
  active: 'the header makes browsers act, and the admin API has the same origin',
  own: 'the mock sets this header itself',
}

const statusRule =
  'it is no status from 200 to 599; use such a number, {"$": "/problem/status"}, or $case or $if with such statuses'

type Rule = (value: unknown) => boolean
const isString: Rule = (value) => typeof value === 'string'
const areStatuses: Rule = (values) => isObject(values) && Object.values(values).every(isStatusTemplate)

/** The instructions that make a status, with the rule of each of their members. */
const statusForms: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  $: { $: (pointer) => pointer === '/problem/status', or: isStatusTemplate },
  $case: { $case: isString, values: areStatuses, else: isStatusTemplate },
  $if: {
    ...{ $if: isString, where: isString, unless: isString, above: (value) => typeof value === 'number' },
    ...{ present: isStatusTemplate, absent: isStatusTemplate },
  },
}

/** Returns true for the template of a status that is always one from 200 to 599, or left out. */
export function isStatusTemplate(template: unknown): boolean {
  if (!isObject(template)) return isStatus(template)
  return Object.entries(statusForms).some(
    ([name, rules]) =>
      Object.hasOwn(template, name) &&
      Object.entries(template).every(([member, value]) => Object.hasOwn(rules, member) && rules[member]?.(value)),
  )
}

/** Returns the members of a call's answer that a template may bind. Returns undefined for a list of workflows, which the contract lacks. */
function bindableMembers(call: string): readonly string[] | undefined {
  if (call === 'listWorkflows') return undefined
  const known = answerMembers[(call === 'getExecution' ? 'executeWorkflow' : call) as OperationId]
  return [...known, ...derivedMembers]
}

/** Describes the first bound member that the answer does not have, with its JSON Pointer. */
function unknownMember(template: unknown, pointer: string, members: readonly string[] | undefined): string | undefined {
  if (template === null || typeof template !== 'object' || !members) return undefined
  for (const [name, value] of Object.entries(template)) {
    const at = `${pointer}/${escapePointer(name)}`
    const [, member] = name.startsWith('$') && typeof value === 'string' ? (/^\/answer\/([^/]+)/.exec(value) ?? []) : []
    if (member !== undefined && !members.includes(member)) {
      return `at ${at}, the answer has no '${member.slice(0, 60)}'; use one of ${members.join(', ')}`
    }
    const flaw = unknownMember(value, at, members)
    if (flaw) return flaw
  }
  return undefined
}

function unknownIn(value: object, known: readonly string[]): string | undefined {
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  return unknown === undefined
    ? undefined
    : `the field '${unknown.slice(0, 60)}' is unknown, use only ${known.join(', ')}`
}

function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text))
  } catch {
    return false
  }
}
