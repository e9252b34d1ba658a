import type {
  Answer,
  Body,
  OperationId,
  Params,
  ServiceOperationId,
  StorageOperationId,
} from '../contract/operations.ts'
import type { World } from '../world/world.ts'
import type { Incoming } from './exchange.ts'

/** A service call that has passed the key and the contract. */
export interface Call<Id extends OperationId> {
  readonly params: Params<Id>
  readonly body: Body<Id>
  /** The text that the body came in. */
  readonly text: string
  readonly world: World
  readonly incoming: Incoming
}

/** One handler for each service call, named as its operationId. A wrong status or body does not compile. */
export type ServiceHandlers = { readonly [Id in ServiceOperationId]: (call: Call<Id>) => Answer<Id> }

/** The same for storage, where no key says which world is meant. */
export type StorageHandlers = { readonly [Id in StorageOperationId]: (incoming: Incoming) => Promise<Answer<Id>> }
