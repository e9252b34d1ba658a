import type { Answer, Body, CallId, OperationId, Params, ServiceOperationId } from '../contract/operations.ts'
import type { Work } from '../world/slices.ts'
import type { World } from '../world/world.ts'
import type { Context, WrittenJson } from './exchange.ts'

/** A service call that has passed the key and the contract. */
export interface Call<Id extends OperationId> {
  readonly params: Params<Id>
  readonly body: Body<Id>
  readonly world: World
  readonly context: Context
}

/** The answer of a handler, with its body as a value or as JSON text. */
export type HandlerAnswer<Id extends CallId> =
  | Answer<Id>
  | { readonly status: Answer<Id>['status']; readonly body: WrittenJson; readonly headers?: undefined }

/**
 * One handler for each service call, named as its operationId. A wrong status or body does not compile. Handlers that may
 * take long return interruptible work.
 */
export type ServiceHandlers = {
  readonly [Id in ServiceOperationId]: (call: Call<Id>) => HandlerAnswer<Id> | Work<HandlerAnswer<Id>>
}
