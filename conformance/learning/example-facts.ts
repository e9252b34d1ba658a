/** Tells one story in the identifiers of a deployment, so that its answers can be shown as examples. */
import { examples } from '../../src/contract/examples.gen.ts'
import type { AnswerName, OperationId } from '../../src/contract/operations.ts'
import { factsOfCall } from '../../src/profile/facts.ts'
import type { Style } from '../../src/profile/style.ts'
import type { Facts, RandomSource } from '../../src/profile/template.ts'
import { random } from '../../src/session/random.ts'
import { refusedCalls } from './refused-calls.ts'

type Members = Readonly<Record<string, unknown>>

const base = 'http://127.0.0.1:4010'
const now = Date.UTC(2026, 2, 1, 9)
const object = {
  size: 48213,
  sha256: '4c7d0e8f5b1a92d36e0f8a4b7c5d1e2f93a6b8c0d4e7f1a25b3c6d9e8f0a1b2c',
  md5: 'd41d8cd98f00b204e9800998ecf8427e',
  crc32: '4c7d0e8f',
}

/** Draws the same numbers for the same seed. Without one, each drawer goes on as if it were another. */
function seededSource(): RandomSource {
  let calls = 0
  return {
    draw(seed) {
      calls += 1
      const text = seed ?? `call ${calls}`
      let hash = 0x811c9dc5
      for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
      return random(hash)
    },
  }
}

/** The identifiers of the example story. */
interface StoryIdentifiers {
  readonly workflow: string
  readonly session: string
  readonly key: string
  readonly document: string
  readonly execution: string
  readonly uploadUrl: string
}

/** Returns the facts of the contract's example calls, with the identifiers of a deployment. */
export class Story {
  readonly identifiers: StoryIdentifiers

  /** What the examples are drawn from: the same each time. */
  readonly source = seededSource()

  constructor(style: Style) {
    const { source } = this
    const time = new Date(now).toISOString()
    const request = { file_name: 'contract.pdf', content_type: 'application/pdf', file_size: object.size }
    const workflow = style.identifier('workflow', { now: time, count: 0 }, source) ?? own.workflow
    const session = style.identifier('session', { now: time, count: 0 }, source) ?? own.session
    const facts = { now: time, session_id: session, request, count: 0 }
    const [ownTenant = '', ...ownName] = own.key.split('/').slice(1)
    const tenant = style.identifier('tenant', facts, source) ?? ownTenant
    const name = style.identifier('key', facts, source) ?? ownName.join('/')
    const key = `tenants/${tenant}/${name}`
    const document = style.identifier('document', { ...facts, key }, source) ?? own.document
    const path = { workflow_id: workflow }
    const execution = style.identifier('execution', { now: time, path, count: 0 }, source) ?? own.execution
    const uploadPath = style.uploadPath({ ...facts, key, tenant }, source, session)
    const uploadUrl = uploadPath === undefined ? own.uploadUrl : base + uploadPath
    this.identifiers = { workflow, session, key, document, execution, uploadUrl }
  }

  /** Returns the facts of a call that succeeds. */
  success(call: AnswerName): Facts {
    return this.#facts(call, 200, this.#inTheirs(successOf(call)))
  }

  /** Returns the facts of a call that is refused with a code. */
  refusal(call: AnswerName, code: string): Facts {
    const { status = 400 } = refusedCalls[code] ?? {}
    return this.#facts(call, status, this.#inTheirs(problemOf(call, code, status)))
  }

  #facts(call: AnswerName, status: number, body: unknown): Facts {
    const { workflow, session, key } = this.identifiers
    const request = this.#inTheirs(requestOf(call))
    const facts = factsOfCall({ call, status, body, request, path: { workflow_id: workflow }, base, now })
    return {
      ...facts,
      session_id: session,
      key,
      ...(call === 'putObject' || call === 'confirmUpload' ? { object } : {}),
    }
  }

  #inTheirs(value: unknown): unknown {
    let text = JSON.stringify(value ?? null)
    for (const name of ['uploadUrl', 'key', 'workflow', 'session', 'document', 'execution'] as const) {
      text = text.replaceAll(
        JSON.stringify(own[name]).slice(1, -1),
        JSON.stringify(this.identifiers[name]).slice(1, -1),
      )
    }
    return JSON.parse(text)
  }
}

const exampleOf = (call: OperationId, status: string, name: string): Members => {
  const example = examples[call][status]?.examples[name]
  return example !== null && typeof example === 'object' ? (example as Members) : {}
}

const created = exampleOf('createWorkflow', '201', 'contract')
const execution = exampleOf('executeWorkflow', '202', 'running')
const upload = exampleOf('requestUpload', '200', 'pdf')
const confirmed = exampleOf('confirmUpload', '200', 'pdf')

/** The contract's identifiers. */
const own: StoryIdentifiers = {
  workflow: String(created.workflow_id),
  session: String(upload.session_id),
  key: String(upload.key),
  document: String(confirmed.document_id),
  execution: String(execution.execution_id),
  uploadUrl: String(upload.upload_url),
}

function successOf(call: AnswerName): unknown {
  switch (call) {
    case 'createWorkflow':
      return created
    case 'getWorkflow':
      return { ...exampleOf('getWorkflow', '200', 'used'), recent_executions: [execution] }
    case 'listWorkflows':
      return { workflows: [successOf('getWorkflow')] }
    case 'executeWorkflow':
    case 'getExecution':
      return execution
    case 'requestUpload':
      return upload
    case 'confirmUpload':
      return confirmed
    case 'putObject':
      return undefined
    default:
      return call satisfies never
  }
}

const pick = (value: Members, ...names: string[]) => Object.fromEntries(names.map((name) => [name, value[name]]))

function requestOf(call: AnswerName): unknown {
  switch (call) {
    case 'createWorkflow':
      return pick(created, 'name', 'description', 'isSequential', 'steps')
    case 'executeWorkflow':
      return pick(execution, 'document_id', 'submitter_email', 'execution_mode', 'priority')
    case 'requestUpload':
      return pick(confirmed, 'file_name', 'content_type', 'file_size')
    case 'confirmUpload':
      return { session_id: confirmed.session_id, completed_files: [pick(confirmed, 'key', 'file_name')] }
    case 'getWorkflow':
    case 'putObject':
    case 'listWorkflows':
    case 'getExecution':
      return undefined
    default:
      return call satisfies never
  }
}

/** The first violation of each call that an example shows. */
const violations: Partial<Readonly<Record<AnswerName, object>>> = {
  createWorkflow: { pointer: '/name', rule: 'maxLength', message: 'must have at most 100 characters, but has 101' },
  executeWorkflow: { pointer: '/document_id', rule: 'required', message: 'must be there, but is missing' },
  requestUpload: { pointer: '/file_name', rule: 'required', message: 'must be there, but is missing' },
  confirmUpload: { pointer: '/completed_files', rule: 'required', message: 'must be there, but is missing' },
}

function problemOf(call: AnswerName, code: string, status: number): unknown {
  if (call === 'putObject') {
    return `<Error><Code>${code}</Code><Message>The request was refused.</Message><RequestId>1</RequestId></Error>`
  }
  const known = call === 'listWorkflows' || call === 'getExecution' ? {} : exampleOf(call, String(status), code)
  const violation = violations[call]
  return {
    type: `urn:countersign:problem:${code}`,
    title: 'Refused',
    status,
    code,
    detail: 'The request was refused.',
    ...known,
    ...(code === 'invalid-request' && violation && { errors: [violation] }),
  }
}
