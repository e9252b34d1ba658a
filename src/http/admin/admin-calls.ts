import type { AdminOperationId, Body, Params } from '../../contract/operations.ts'
import type { HandlerAnswer } from '../wire/handlers.ts'

/** A call of the admin API that has passed the guard and the contract. */
export interface AdminCall<Id extends AdminOperationId> {
  readonly params: Params<Id>
  readonly body: Body<Id>
  readonly query: URLSearchParams
  /** The API key that selects a world; without it, all worlds. */
  readonly key?: string
}

/** One handler for each call of the admin API, named as its operationId. */
export type AdminHandlers = {
  readonly [Id in AdminOperationId]: (call: AdminCall<Id>) => HandlerAnswer<Id> | Promise<HandlerAnswer<Id>>
}
