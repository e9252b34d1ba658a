import type { AdminOperationId, Body, Params } from '../../contract/operations.ts'
import type { Said } from '../wire/handlers.ts'

/** A call of the admin API that may be carried out. */
export interface AdminCall<Id extends AdminOperationId> {
  readonly params: Params<Id>
  readonly body: Body<Id>
  readonly query: URLSearchParams
  /** Whose world is meant; all worlds where it is absent. */
  readonly key?: string
}

/** One handler for each call of the admin API, named as its operationId. */
export type AdminHandlers = {
  readonly [Id in AdminOperationId]: (call: AdminCall<Id>) => Said<Id> | Promise<Said<Id>>
}
