import type {
  Answer,
  Body,
  CallId,
  OperationId,
  Params,
  ServiceOperationId,
  StorageOperationId,
} from '../../contract/operations.ts'
import type { Work } from '../../world/slices.ts'
import type { World } from '../../world/world.ts'
import type { Incoming, WrittenJson } from './exchange.ts'

/** A service call that has passed the key and the contract. */
export interface Call<Id extends OperationId> {
  readonly params: Params<Id>
  readonly body: Body<Id>
  /** The text that the body came in. */
  readonly text: string
  readonly world: World
  readonly incoming: Incoming
}

/** An answer with its body, or with the text of it. */
export type Said<Id extends CallId> = Answer<Id> | { readonly status: Answer<Id>['status']; readonly body: WrittenJson }

/**
 * One handler for each service call, named as its operationId. A wrong status or body does not compile. What may take long is work
 * that can be interrupted.
 */
export type ServiceHandlers = { readonly [Id in ServiceOperationId]: (call: Call<Id>) => Said<Id> | Work<Said<Id>> }

/** The same for storage, where no key says which world is meant. */
export type StorageHandlers = { readonly [Id in StorageOperationId]: (incoming: Incoming) => Promise<Answer<Id>> }
