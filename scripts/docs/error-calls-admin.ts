import { type ContractOperation, type Node, resolve } from '../contract.ts'
import type { ErrorCall } from './error-call.ts'
import { createCall, executionBody, post, uploadedDocument } from './error-calls-specific.ts'
import { refusalsOf } from './refusals.ts'
import { examplePathParameters, fillPath } from './samples.ts'
import type { ShellCall } from './shell.ts'

const json = { 'Content-Type': 'application/json' }
const decision = (approver: string) => ({ decision: 'approved', approver_email: approver })
const running = [
  createCall,
  ...uploadedDocument,
  post('/api/v1/workflows/{{WORKFLOW_ID}}/execute', executionBody(), { EXECUTION_ID: 'execution_id' }),
]
const decide = (step: string, approver: string, execution = '{{EXECUTION_ID}}') =>
  post(`/__admin/executions/${execution}/steps/${step}/decision`, decision(approver))

/** The errors that only one operation of the admin API has. */
const specific: readonly ErrorCall[] = [
  {
    operationId: 'loadScenario',
    status: 404,
    code: 'unknown-scenario',
    wrong: 'Names a scenario that does not exist.',
    calls: [{ method: 'POST', address: '/__admin/scenarios/none' }],
  },
  {
    operationId: 'decideStep',
    status: 404,
    code: 'execution-not-found',
    wrong: 'Names an execution that this key does not have.',
    calls: [decide('legal', 'lena@example.com', 'exe_0000000000000000')],
  },
  {
    operationId: 'decideStep',
    status: 404,
    code: 'step-not-found',
    wrong: 'Names a step that the execution does not have.',
    calls: [...running, decide('none', 'lena@example.com')],
  },
  {
    operationId: 'decideStep',
    status: 409,
    code: 'not-the-assignee',
    wrong: 'Decides for an approver to whom the step is not assigned.',
    calls: [...running, decide('legal', 'marc@example.com')],
  },
  {
    operationId: 'decideStep',
    status: 409,
    code: 'step-not-assigned',
    wrong: 'Decides a step that is already decided.',
    calls: [...running, decide('legal', 'lena@example.com'), decide('legal', 'lena@example.com')],
  },
]

/** Returns the errors of an operation of the admin API. */
export function adminErrorCalls(document: Node, operation: ContractOperation): ErrorCall[] {
  const { operationId, method, path, definition } = operation
  const hasBody = definition.requestBody !== undefined
  const sound: ShellCall = {
    method,
    address: fillPath(path, examplePathParameters(document, operation)),
    ...(hasBody && { headers: json, body: '{"unknown":true}' }),
  }
  const takesLimit = (definition.parameters ?? []).some((node: Node) => resolve(document, node).name === 'limit')
  const refused = refusalsOf(operationId, sound)
  return [
    ...(hasBody ? [refused(400, 'invalid-request', 'Has an unknown field.', {})] : []),
    ...(takesLimit
      ? [refused(400, 'invalid-parameter', 'Asks for no items.', { address: `${sound.address}?limit=0` })]
      : []),
    ...(definition.responses['401']
      ? [
          refused(401, 'not-a-test-key', 'Has a key without a test-mode prefix.', {
            headers: { ...sound.headers, Authorization: 'live_0123456789' },
          }),
        ]
      : []),
    ...(hasBody
      ? [
          refused(413, 'body-too-large', 'Has a body of more than 1 MiB.', { body: { zeros: 1024 * 1024 + 1 } }),
          refused(415, 'unsupported-media-type', 'Declares its body to be plain text.', {
            headers: { 'Content-Type': 'text/plain' },
          }),
        ]
      : []),
    refused(403, 'admin-forbidden', 'Is sent by a page of another origin.', {
      headers: { ...sound.headers, Origin: 'https://elsewhere.example' },
    }),
    ...specific.filter((one) => one.operationId === operationId),
  ]
}
