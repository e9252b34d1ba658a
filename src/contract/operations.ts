import { operations } from './operations.gen.ts'
import type { components, operations as contract } from './types.gen.ts'

export { operations }

export type OperationId = keyof typeof operations

/** The calls that carry the service's key; the others go to storage. */
export type ServiceOperationId = {
  [Id in OperationId]: (typeof operations)[Id]['needsKey'] extends true ? Id : never
}[OperationId]
export type StorageOperationId = Exclude<OperationId, ServiceOperationId>

type Content<T> = T extends { content: { 'application/json': infer Json } } ? Json : undefined

/** A call's JSON body as validated: a field that is absent has its default from the contract. */
export type Body<Id extends OperationId> = contract[Id] extends { requestBody: infer Request }
  ? Required<Content<Request>>
  : undefined

/** A call's path parameters. */
export type Params<Id extends OperationId> = contract[Id]['parameters'] extends { path: infer Path } ? Path : unknown

type Responses<Id extends OperationId> = contract[Id]['responses']
type SuccessStatus = 200 | 201 | 202

/** A successful answer of a call: a status that the contract lists, with the body that it lists for it. */
export type Answer<Id extends OperationId> = {
  [Status in keyof Responses<Id> & SuccessStatus]: {
    readonly status: Status
    readonly body: Content<Responses<Id>[Status]>
    readonly headers?: Readonly<Record<string, string>>
  }
}[keyof Responses<Id> & SuccessStatus]

export type Schemas = components['schemas']
export type Violation = Schemas['Violation']
