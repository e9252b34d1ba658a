import type { adminOperations } from './admin-operations.gen.ts'
import type { components as adminComponents, operations as adminContract } from './admin-types.gen.ts'
import type { BodyOperationId } from './body-operations.gen.ts'
import { operations } from './operations.gen.ts'
import type { components, operations as serviceContract } from './types.gen.ts'

export { type BodyOperationId, operations }

/** The identifiers of the documented calls. */
export type OperationId = keyof typeof operations
/** The calls of the admin API. */
export type AdminOperationId = keyof typeof adminOperations
/** The calls that a profile can answer: those of the contract, and two that only deployments have. */
export type AnswerName = OperationId | 'listWorkflows' | 'getExecution'
/** Any call of the two contracts. */
export type CallId = OperationId | AdminOperationId

type Contract = serviceContract & adminContract

/** The calls that carry an API key; the others go to storage. */
export type ServiceOperationId = {
  [Id in OperationId]: (typeof operations)[Id]['needsKey'] extends true ? Id : never
}[OperationId]

type Content<T> = T extends { content: { 'application/json': infer Json } } ? Json : undefined

/** A call's JSON body after validation, with defaults from the contract for absent fields. */
export type Body<Id extends CallId> = Contract[Id] extends { requestBody: infer Request }
  ? Required<Content<Request>>
  : undefined

/** A call's JSON body as a client may send it: without fields that are optional. */
export type SentBody<Id extends CallId> = Contract[Id] extends { requestBody: infer Request }
  ? Content<Request>
  : undefined

/** A call's path parameters. */
export type Params<Id extends CallId> = Contract[Id]['parameters'] extends { path: infer Path } ? Path : unknown

type Responses<Id extends CallId> = Contract[Id]['responses']
type SuccessStatus = 200 | 201 | 202 | 204

/** A successful answer of a call: a status of the contract, with the body of that status. */
export type Answer<Id extends CallId> = {
  [Status in keyof Responses<Id> & SuccessStatus]: {
    readonly status: Status
    readonly body: Content<Responses<Id>[Status]>
    readonly headers?: Readonly<Record<string, string>>
  }
}[keyof Responses<Id> & SuccessStatus]

export type Schemas = components['schemas'] & adminComponents['schemas']
export type Violation = Schemas['Violation']

/** The contract's examples of an answer: its media type, if it has a body, its headers, and its bodies by name. */
export interface AnswerExamples {
  readonly type?: string
  readonly headers: Readonly<Record<string, string>>
  readonly examples: Readonly<Record<string, unknown>>
}

/** Requirements and open questions. */
export interface Citations {
  readonly requirements: string[]
  readonly gaps: string[]
}

/** The requirements and gaps that an operation cites: as a whole, by status of the answer, and by field of the body. */
export interface OperationCitations {
  readonly operation: Citations
  readonly statuses: Readonly<Record<string, Citations>>
  /** By JSON Pointer, in which `*` stands for an index. */
  readonly fields: Readonly<Record<string, Citations>>
}

/** The citations of an operation's JSON answers: by status, and by JSON Pointer, in which `*` stands for an index. */
export type AnswerCitations = Readonly<Record<number, Readonly<Record<string, Citations>>>>

/** The contract's examples by call and status. */
export type Examples = Readonly<Record<OperationId, Readonly<Record<string, AnswerExamples>>>>
