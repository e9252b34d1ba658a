import type { ExecutionCommand } from '../domain/approval/execution.ts'
import type * as domain from '../domain/approval/workflow.ts'
import type { UploadCommand } from '../domain/uploads/upload.ts'
import type { Written } from './written-creation.ts'

type Of<Type extends ExecutionCommand['type']> = Extract<ExecutionCommand, { type: Type }>

/** Creates a workflow; where its text is given, that is what is kept. */
type CreateWorkflow = domain.CreateWorkflow & { readonly written?: Written }

/** Starts an execution of a workflow that is named. */
type StartExecution = Omit<Of<'StartExecution'>, 'workflow'> & { readonly workflowId: string }

/** Decides a step; when it was taken up is known from the approver's desk. */
export type DecideStep = Omit<Of<'DecideStep'>, 'takenUpAt'> & { readonly takenUpAt?: number }

/** What can be asked of a world. */
export type Command = CreateWorkflow | StartExecution | DecideStep | UploadCommand
