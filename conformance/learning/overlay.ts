/** Describes in an OpenAPI Overlay 1.1 how a deployment answers, as changes to the contract. */
import { examples } from '../../src/contract/examples.gen.ts'
import { type AnswerName, type OperationId, operations } from '../../src/contract/operations.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { type RenderedAnswer, Style } from '../../src/profile/style.ts'
import type { Json } from '../../src/profile/template.ts'
import { Story } from './example-facts.ts'
import { type Lesson, originHeaders } from './learn.ts'
import { refusedCalls } from './refused-calls.ts'
import { type Schema, shapeOf, union } from './shape.ts'

/** A change to the contract. `target` is a JSONPath (RFC 9535) of names alone. */
export interface OverlayAction {
  readonly target: string
  readonly description: string
  readonly remove?: true
  readonly update?: object
  /** The open questions that the change answers. */
  readonly 'x-gap': readonly string[]
  /** The number of answers that it was learned from; absent if it is not known. */
  readonly 'x-seen'?: number
}

/** An overlay, as far as this module writes it. */
export interface Overlay {
  readonly overlay: '1.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly extends: string
  readonly actions: readonly OverlayAction[]
}

/** The part of a lesson that an overlay needs; without `seen`, nothing is required and nothing is counted. */
export type OverlayLesson = Partial<Pick<Lesson, 'seen' | 'guesses'>>

/** Returns the overlay that turns the contract into the contract as a deployment answers. */
export function overlayOf(profile: Profile, lesson: OverlayLesson = {}): Overlay {
  const style = new Style(profile)
  const story = new Story(style)
  const context = { profile, lesson, style, story }
  const { at = 'an unknown time', answers = 0 } = profile.learned ?? {}
  return {
    overlay: '1.1.0',
    info: {
      title: 'The contract as a deployment answers',
      version: '1.0.0',
      description: `Learned on ${at} from ${answers} answers. \`x-gap\` names the open questions that a change answers, \`x-seen\` the number of answers behind it. What no change mentions was not seen, and stays assumed.`,
    },
    extends: 'node_modules/countersign/openapi.yaml',
    actions: [
      ...identifierActions(context),
      ...ruleActions(profile),
      ...(Object.keys(operations) as OperationId[]).flatMap((call) => actionsOf(call, context)),
      ...furtherActions(context),
    ],
  }
}

/** Says at each operation what the deployment accepts or refuses otherwise than the contract. Requests stay as they are. */
function ruleActions({ accepts = [], refuses = [] }: Profile): OverlayAction[] {
  return (Object.keys(operations) as OperationId[]).flatMap((call): OverlayAction[] => {
    const own = (names: readonly string[]) => names.filter((name) => name.split(' ')[0] === call)
    const rules = {
      ...(own(accepts).length > 0 && { 'x-accepts': own(accepts) }),
      ...(own(refuses).length > 0 && { 'x-refuses': own(refuses) }),
    }
    if (Object.keys(rules).length === 0) return []
    const { method, path } = operations[call]
    return [
      {
        target: `$.paths['${path}'].${method.toLowerCase()}`,
        description: `Name the rules of ${call} that the deployment has not, or has in addition.`,
        update: rules,
        'x-gap': [call === 'putObject' ? 'gap.storage-errors' : 'gap.invalid-request-status'],
      },
    ]
  })
}

interface Context {
  readonly profile: Profile
  readonly lesson: OverlayLesson
  readonly style: Style
  readonly story: Story
}

/** An answer of a call, with its schema and an example. */
interface Shown {
  /** The refusal's code; `success` for what is no refusal. */
  readonly name: string
  readonly status: number
  readonly mediaType: string | undefined
  readonly schema: Schema
  readonly example: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly gaps: readonly string[]
  readonly seen: number | undefined
}

const answerGaps: Readonly<Record<AnswerName, readonly string[]>> = {
  createWorkflow: ['gap.success-statuses', 'gap.workflow-response'],
  getWorkflow: ['gap.success-statuses', 'gap.details-response', 'gap.analytics-place'],
  executeWorkflow: ['gap.success-statuses', 'gap.execution-response'],
  requestUpload: ['gap.success-statuses', 'gap.upload-response'],
  confirmUpload: ['gap.success-statuses', 'gap.confirm-response', 'gap.document-id-source'],
  putObject: ['gap.storage-address'],
  listWorkflows: ['gap.unknown-path'],
  getExecution: ['gap.unknown-path'],
}

/** Makes the changes to the answers of a call. */
function actionsOf(call: OperationId, context: Context): OverlayAction[] {
  const shown = [...successOf(call, context), ...refusalsOf(call, context)]
  if (shown.length === 0) return []
  const { method, path } = operations[call]
  const responses = `$.paths['${path}'].${method.toLowerCase()}.responses`
  const statuses = [...new Set(shown.map(({ status }) => status))]
  const learned = new Set(shown.map(({ name }) => name))
  const replaced = Object.keys(examples[call]).filter(
    (status) =>
      statuses.includes(Number(status)) ||
      (learned.has('success') && Number(status) < 300) ||
      [...learned].some((name) => refusedCalls[name]?.status === Number(status)),
  )
  const gaps = (all: readonly Shown[]) => [...new Set(all.flatMap((one) => one.gaps))]
  return [
    ...replaced.map(
      (status): OverlayAction => ({
        target: `${responses}['${status}']`,
        description: `Take out the contract's own answer ${status} of ${call}.`,
        remove: true,
        'x-gap': gaps(shown.filter((one) => isReplacedBy(Number(status), one))),
        ...seenOf(shown.filter((one) => isReplacedBy(Number(status), one))),
      }),
    ),
    ...statuses.map((status): OverlayAction => {
      const answers = shown.filter((one) => one.status === status)
      return {
        target: responses,
        description: `Add the deployment's answer ${status} of ${call}.`,
        update: { [status]: responseOf(answers) },
        'x-gap': gaps(answers),
        ...seenOf(answers),
      }
    }),
  ]
}

/** Adds the calls that the contract does not have: the list of workflows, and single executions. */
function furtherActions(context: Context): OverlayAction[] {
  const { executionPaths = [] } = context.profile
  const list = furtherCall('listWorkflows', context, {
    summary: 'List workflows',
    description:
      'The interface document does not have this call. The mock lists the latest 100 workflows, on one page.',
  })
  return [
    ...(list ? [{ ...list, target: `$.paths['${operations.createWorkflow.path}']` }] : []),
    ...executionPaths.flatMap((path, index): OverlayAction[] => {
      const call = furtherCall('getExecution', context, {
        // Names of operations differ in a contract.
        operationId: index === 0 ? 'getExecution' : `getExecution${index + 1}`,
        summary: 'Read an execution',
        description: 'The interface document does not have this call.',
      })
      return call
        ? [{ ...call, target: '$.paths', update: { [path]: { parameters: parametersIn(path), ...call.update } } }]
        : []
    }),
  ]
}

/** Returns the parameters of a path. */
function parametersIn(path: string): object[] {
  const execution = {
    name: 'execution_id',
    in: 'path',
    required: true,
    description: 'The identifier of an execution.',
    schema: { type: 'string' },
  }
  return [...(path.includes('{workflow_id}') ? [{ $ref: '#/components/parameters/workflow_id' }] : []), execution]
}

/** Returns the change that adds a call, but for its target. */
function furtherCall(
  name: 'listWorkflows' | 'getExecution',
  context: Context,
  texts: { readonly operationId?: string; readonly summary: string; readonly description: string },
): (Omit<OverlayAction, 'target'> & { readonly update: object }) | undefined {
  const [success] = successOf(name, context)
  if (!success) return undefined
  const shown = [success, ...refusalsOf(name, context)]
  const responses = [...new Set(shown.map(({ status }) => status))].map((status) => [
    status,
    responseOf(shown.filter((one) => one.status === status)),
  ])
  const get = {
    operationId: name,
    ...texts,
    tags: ['Workflows'],
    'x-gap': success.gaps,
    responses: Object.fromEntries(responses),
  }
  return {
    description: `Add ${name}, which the deployment has.`,
    update: { get },
    'x-gap': success.gaps,
    ...seenOf([success]),
  }
}

function isReplacedBy(status: number, { name, status: own }: Shown): boolean {
  return status === own || (name === 'success' ? status < 300 : refusedCalls[name]?.status === status)
}

function seenOf(answers: readonly Shown[]): { 'x-seen'?: number } {
  const counts = answers.map(({ seen }) => seen).filter((seen) => seen !== undefined)
  return counts.length === 0 ? {} : { 'x-seen': counts.reduce((sum, count) => sum + count, 0) }
}

function successOf(call: AnswerName, context: Context): Shown[] {
  const template = context.profile.answers?.[call]
  const { style, story } = context
  const rendered = template && style.answer(call, story.success(call), story.source, story.identifiers.workflow)
  if (template === undefined || !rendered) return []
  return [
    shownOf(template, rendered, { call, group: `answers/${call}`, name: 'success', gaps: answerGaps[call] }, context),
  ]
}

function refusalsOf(call: AnswerName, context: Context): Shown[] {
  const { style, story, profile } = context
  return Object.entries(profile.refusals ?? {}).flatMap(([code, template]) => {
    const refused = refusedCalls[code]
    if (!refused?.calls.includes(call)) return []
    const rendered = style.refusal(code, story.refusal(call, code), story.source)
    if (!rendered) return []
    return [shownOf(template, rendered, { call, group: `refusals/${code}`, name: code, gaps: refused.gaps }, context)]
  })
}

interface ShownAs {
  readonly call: AnswerName
  /** The name under which the lesson counts it. */
  readonly group: string
  readonly name: string
  readonly gaps: readonly string[]
}

/** Returns false for headers that a contract describes elsewhere, or not at all. */
const isDescribed = (name: string) => name.toLowerCase() !== 'content-type' && !originHeaders.test(name)

function shownOf(
  template: Json,
  { status, headers, body, isJson }: RenderedAnswer,
  as: ShownAs,
  { lesson }: Context,
): Shown {
  const { seen = {}, guesses = [] } = lesson
  const count = seen[as.group]
  const answer = as.group.slice(as.group.indexOf('/') + 1)
  const guessed = new Set(guesses.filter((guess) => guess.answer === answer).map(({ pointer }) => pointer))
  const { body: parts } = template as { readonly body?: Json }
  const requires = count !== undefined && count >= 2
  const isGuess = (pointer: string) => guessed.has(pointer)
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return {
    name: as.name,
    status,
    mediaType: body === undefined ? undefined : mediaTypeOf(type, isJson === true),
    schema: isJson
      ? shapeOf(parts ?? null, { operation: as.call, pointer: '/body', isGuess, requires })
      : { type: 'string' },
    example: body === undefined ? undefined : isJson ? JSON.parse(body) : body,
    headers: Object.fromEntries(headers.filter(([name]) => isDescribed(name))),
    gaps: as.gaps,
    seen: count,
  }
}

function mediaTypeOf(header: string | undefined, isJson: boolean): string {
  const type = header?.split(';')[0]?.trim().toLowerCase() ?? ''
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : isJson ? 'application/json' : 'text/plain'
}

/** Returns the response of a status, for all answers that have it. */
function responseOf(answers: readonly Shown[]): object {
  const types = [...new Set(answers.map(({ mediaType }) => mediaType).filter((type) => type !== undefined))]
  const content = types.map((type) => {
    const all = answers.filter(({ mediaType }) => mediaType === type)
    const schema = union(all.map((one) => one.schema))
    const shown = all.map(({ name, example }) => [name, { summary: summaryOf(name), value: example }])
    return [type, { schema: { description: 'What was seen.', ...schema }, examples: Object.fromEntries(shown) }]
  })
  const headers = new Map(answers.flatMap((one) => Object.entries(one.headers)).toReversed())
  const shownHeaders = [...headers].toReversed().map(([name, value]) => [headerName(name), headerOf(value)])
  const seen = seenOf(answers)
  return {
    description: descriptionOf(answers),
    'x-learned': true,
    'x-gap': [...new Set(answers.flatMap(({ gaps }) => gaps))],
    ...seen,
    ...(shownHeaders.length > 0 && { headers: Object.fromEntries(shownHeaders) }),
    ...(content.length > 0 && { content: Object.fromEntries(content) }),
  }
}

function headerOf(value: string): object {
  return { description: 'Sent with this answer.', schema: { type: 'string' }, example: value }
}

/** Headers whose names are not written with one capital for each word. */
const spelledNames: Readonly<Record<string, string>> = { etag: 'ETag', 'www-authenticate': 'WWW-Authenticate' }

function headerName(name: string): string {
  const lower = name.toLowerCase()
  return spelledNames[lower] ?? lower.replaceAll(/(^|-)[a-z]/g, (first) => first.toUpperCase())
}

const summaryOf = (name: string) => (name === 'success' ? 'As the deployment answers' : `Refused: ${name}`)

function descriptionOf(answers: readonly Shown[]): string {
  const codes = answers.map(({ name }) => name).filter((name) => name !== 'success')
  const refused = codes.length > 0 ? [`Refused: ${codes.join(', ')}.`] : []
  return [...(codes.length < answers.length ? ['The call succeeded.'] : []), ...refused].join(' ')
}

/** Puts the deployment's identifiers into the examples of requests. */
function identifierActions({ profile, story: { identifiers } }: Context): OverlayAction[] {
  const { workflow, document, session, key, uploadUrl } = identifiers
  const known = profile.identifiers ?? {}
  const bodyOf = (path: string, example: string) =>
    `$.paths['${path}'].post.requestBody.content['application/json'].examples.${example}.value`
  return [
    ...(known.workflow === undefined
      ? []
      : [
          {
            target: '$.components.parameters.workflow_id',
            description: 'Show an identifier as the deployment makes it.',
            update: { example: workflow },
            'x-gap': ['gap.identifier-format'],
          },
        ]),
    ...(known.document === undefined
      ? []
      : [
          {
            target: bodyOf(operations.executeWorkflow.path, 'high'),
            description: 'Show a document_id as the deployment makes it.',
            update: { document_id: document },
            'x-gap': ['gap.document-id-source'],
          },
        ]),
    ...(known.session === undefined && known.key === undefined
      ? []
      : [
          {
            target: bodyOf(operations.confirmUpload.path, 'pdf'),
            description: 'Show a session_id as the deployment makes it.',
            update: { session_id: session },
            'x-gap': ['gap.storage-key-middle'],
          },
          {
            target: `${bodyOf(operations.confirmUpload.path, 'pdf')}.completed_files[0]`,
            description: 'Show a storage key as the deployment makes it.',
            update: { key },
            'x-gap': ['gap.storage-key-middle'],
          },
        ]),
    ...(profile.uploadUrl === undefined
      ? []
      : [
          {
            target: `$.paths['${operations.putObject.path}'].put`,
            description: 'Say how an upload URL of the deployment looks.',
            update: {
              description: `The URL is \`upload_url\`, unchanged, such as \`${new URL(uploadUrl).pathname}\`. The path and the query of this page are those of the mock.\n`,
            },
            'x-gap': ['gap.storage-address'],
          },
        ]),
  ]
}
