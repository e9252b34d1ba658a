/** Calls that the contract does not have and many deployments do. A profile renders their answers. */
import { type AnswerName, operations } from '../../contract/operations.ts'
import { DomainError } from '../../domain/errors.ts'
import type { Delays, DeploymentWays } from '../../wire/deployment.ts'
import { type Context, type Endpoint, type Outgoing, WrittenJson } from '../../wire/exchange.ts'
import { isWork, type Work } from '../../world/slices.ts'
import type { World } from '../../world/world.ts'
import { definedSteps, detailsOf, writtenExecution } from './workflows.ts'

/** Returns the rows of the calls of a deployment. All are sent with GET. */
export function furtherRoutes(
  service: Pick<Endpoint, 'part' | 'tenantOf'>,
  { listsWorkflows, executionPaths, delays }: DeploymentWays,
): Endpoint[] {
  const row = (
    id: AnswerName,
    path: string,
    answer: (world: World, context: Context) => Outgoing | Work<Outgoing>,
  ): Endpoint => ({
    ...{ ...service, id, path, method: 'GET' },
    validate: async (context) => ({ handle: (world) => answer(world as World, context) }),
  })
  return [
    ...(listsWorkflows ? [row('listWorkflows', operations.createWorkflow.path, (world) => listOf(world, delays))] : []),
    ...executionPaths.map((path) => row('getExecution', path, executionOf)),
  ]
}

/** The most workflows in a list. */
const mostListed = 100

/** Answers with the details of the latest workflows, the oldest first. */
function* listOf(world: World, delays: Delays): Work<Outgoing> {
  const texts: string[] = []
  for (const { created } of [...world.workflows()].slice(-mostListed)) {
    const details = detailsOf(world, created.workflowId, delays)
    texts.push((isWork(details) ? yield* details : details).text)
    yield
  }
  return { status: 200, headers: [], value: new WrittenJson(`{"workflows":[${texts}]}`) }
}

/** Answers with an execution, with the definitions of its steps. */
function executionOf(world: World, context: Context): Outgoing {
  const { execution_id = '', workflow_id } = context.params
  const execution = world.execution(execution_id)
  if (workflow_id !== undefined && workflow_id !== execution.workflowId)
    throw new DomainError('execution-not-found', `The workflow '${workflow_id}' has no execution '${execution_id}'.`)
  context.steps = definedSteps(execution)
  return { status: 200, headers: [], value: writtenExecution(execution) }
}
