import { examples } from '../../src/contract/examples.gen.ts'
import type { AnswerExamples, OperationId } from '../../src/contract/operations.ts'
import type { Profile } from '../../src/profile/profile.ts'
import type { Json } from '../../src/profile/template.ts'
import { refusedCalls } from '../learning/refused-calls.ts'
import { templatesOf } from './templates.ts'

/** The template of an answer, in parts. */
export type AnswerTemplate = {
  readonly status: number
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, Json>>
  /** Absent if the answer has no JSON body. */
  readonly body?: Json
  readonly text?: Json
}

type Sample = Readonly<Record<string, unknown>>
const samplesIn = (answer: AnswerExamples | undefined) => Object.values(answer?.examples ?? {}) as Sample[]

/** The headers of successful answers beside their type. */
const headers: Partial<Readonly<Record<OperationId, Readonly<Record<string, Json>>>>> = {
  createWorkflow: { location: { $text: ['/api/v1/workflows/', { $: '/answer/workflow_id' }] } },
  putObject: { etag: { $text: ['"', { $: '/object/crc32' }, '"'] } },
}

function successOf(call: OperationId): AnswerTemplate {
  const [status = '', answer] = Object.entries(examples[call]).find(([status]) => Number(status) < 300) ?? []
  // The contract's examples of details have no executions.
  const more = call === 'getWorkflow' && { recent_executions: samplesIn(examples.executeWorkflow['202']) }
  const samples = samplesIn(answer).map((sample) => ({ ...sample, ...more }))
  return {
    status: Number(status),
    headers: { ...(answer?.type && { 'content-type': answer.type }), ...headers[call] },
    ...(samples.length > 0 && { body: templatesOf(samples, '/answer') }),
  }
}

const problems = Object.values(examples.createWorkflow).filter(({ type }) => type === 'application/problem+json')
const refusal = (status: number): AnswerTemplate => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...examples.createWorkflow[status]?.headers },
  body: templatesOf(problems.flatMap(samplesIn), '/problem'),
})
const refusals = Object.entries(refusedCalls).filter(([, { calls }]) => calls[0] !== 'putObject')
const statuses = {
  ...Object.fromEntries(refusals.map(([code, { status }]) => [code, status])),
  'unknown-path': 404,
  'method-not-allowed': 405,
}

/** The profile of a deployment that answers as the contract does. */
export const contractProfile = {
  version: 1 as const,
  answers: {
    createWorkflow: successOf('createWorkflow'),
    getWorkflow: successOf('getWorkflow'),
    executeWorkflow: successOf('executeWorkflow'),
    requestUpload: successOf('requestUpload'),
    confirmUpload: successOf('confirmUpload'),
    putObject: successOf('putObject'),
  },
  refusals: Object.fromEntries(Object.entries(statuses).map(([code, status]) => [code, refusal(status)])),
} satisfies Profile
