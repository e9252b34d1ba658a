import type { ExecutionCommand } from '../domain/execution.ts'
import type { UploadCommand } from '../domain/upload.ts'
import type { CreateWorkflow } from '../domain/workflow.ts'

type Of<Type extends ExecutionCommand['type']> = Extract<ExecutionCommand, { type: Type }>

/** Starts an execution of a workflow that is named. */
type StartExecution = Omit<Of<'StartExecution'>, 'workflow'> & { readonly workflowId: string }

/** Decides a step; when it was taken up is known from the approver's desk. */
export type DecideStep = Omit<Of<'DecideStep'>, 'takenUpAt'> & { readonly takenUpAt?: number }

/** What can be asked of a world. */
export type Command = CreateWorkflow | StartExecution | DecideStep | UploadCommand
