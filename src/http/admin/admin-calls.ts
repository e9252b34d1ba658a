import type { adminOperations } from '../../contract/admin-operations.gen.ts'
import type { AdminOperationId, Body, BodyOperationId, Params } from '../../contract/operations.ts'
import type { Incoming, Outgoing } from '../../wire/exchange.ts'
import type { HandlerAnswer } from '../../wire/handlers.ts'

/** A call of the admin API that has passed the guard and the contract. */
export interface AdminCall<Id extends AdminOperationId> {
  readonly params: Params<Id>
  /** The JSON body; undefined if the handler reads it from `incoming` by itself. */
  readonly body: Id extends BodyOperationId ? Body<Id> : undefined
  readonly query: URLSearchParams
  readonly incoming: Incoming
  /** The tenant whose world the call is for; without it, the call is for all worlds. */
  readonly tenantId: SelectedTenant<Id>
}

type SelectedTenant<Id extends AdminOperationId> = (typeof adminOperations)[Id] extends { tenantIs: 'required' }
  ? string
  : string | undefined

/** An answer whose body is written as JSON, or a finished answer. */
type AdminAnswer<Id extends AdminOperationId> = HandlerAnswer<Id> | Outgoing

/** One handler for each call of the admin API, named as its operationId. */
export type AdminHandlers = {
  readonly [Id in AdminOperationId]: (call: AdminCall<Id>) => AdminAnswer<Id> | Promise<AdminAnswer<Id>>
}
