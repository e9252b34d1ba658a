/** Calls that the contract does not have and many deployments do. A profile renders their answers. */
import { type AnswerName, operations } from '../../contract/operations.ts'
import { DomainError } from '../../domain/errors.ts'
import type { Work } from '../../world/slices.ts'
import type { World } from '../../world/world.ts'
import { type Context, WrittenJson } from '../wire/exchange.ts'
import { type Delays, definedSteps, detailsOf, writtenExecution } from './workflows.ts'

/** The calls that a deployment has beside the contract's. */
export interface FurtherCalls {
  /** True if it lists all workflows at `GET /api/v1/workflows`. */
  readonly listsWorkflows: boolean
  /** The paths at which it shows a single execution, such as `/api/v1/executions/{execution_id}`. */
  readonly executionPaths: readonly string[]
}

/** A call, and the function that returns the body of its answer. */
export interface FurtherCall {
  readonly id: AnswerName
  readonly path: string
  readonly answer: (context: Context, world: World, delays?: Delays) => object | Work<object>
}

/** Returns the calls of a deployment. All are sent with GET. */
export function furtherCalls({ listsWorkflows, executionPaths }: FurtherCalls): FurtherCall[] {
  const list: FurtherCall = { id: 'listWorkflows', path: operations.createWorkflow.path, answer: listOf }
  const executions = executionPaths.map((path): FurtherCall => ({ id: 'getExecution', path, answer: executionOf }))
  return listsWorkflows ? [list, ...executions] : executions
}

/** The most workflows in a list. */
const mostListed = 100

/** Returns the details of the latest workflows, the oldest first. */
function* listOf(_: Context, world: World, delays?: Delays): Work<object> {
  const texts: string[] = []
  for (const { created } of [...world.workflows()].slice(-mostListed)) {
    const details = detailsOf(world, created.workflowId, delays)
    const { bytes } = details instanceof WrittenJson ? details : yield* details
    texts.push(new TextDecoder().decode(bytes))
    yield
  }
  return new WrittenJson(`{"workflows":[${texts}]}`)
}

/** Returns an execution, with the definitions of its steps. */
function executionOf(context: Context, world: World): object {
  const { execution_id = '', workflow_id } = context.params
  const execution = world.execution(execution_id)
  if (workflow_id !== undefined && workflow_id !== execution.workflowId)
    throw new DomainError('execution-not-found', `The workflow '${workflow_id}' has no execution '${execution_id}'.`)
  context.steps = definedSteps(execution)
  return writtenExecution(execution)
}
