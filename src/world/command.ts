import type { ExecutionCommand } from '../domain/approval/execution.ts'
import type * as domain from '../domain/approval/workflow.ts'
import type { UploadCommand } from '../domain/uploads/upload.ts'

type Of<Type extends ExecutionCommand['type']> = Extract<ExecutionCommand, { type: Type }>

/** Starts an execution of a workflow by its identifier. `isDocumentKnown` says that no upload needs to be confirmed for it. */
type StartExecution = Omit<Of<'StartExecution'>, 'workflow'> & {
  readonly workflowId: string
  readonly isDocumentKnown?: boolean
}

/** Decides a step. Without `takenUpAt`, the approver's desk determines the start of work. */
export type DecideStep = Omit<Of<'DecideStep'>, 'takenUpAt'> & { readonly takenUpAt?: number }

/** A command to a world. */
export type Command = domain.CreateWorkflow | StartExecution | Of<'AssignStep'> | DecideStep | UploadCommand
