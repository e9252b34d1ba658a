import type { RunOptions } from '../conformance/run/runner.ts'
import { Undecided } from '../conformance/wire/exchange.ts'
import { connect, unreachableError } from './connection.ts'
import type { RunPlan } from './plan.ts'

/** The options for calling a deployment in this thread. */
export type CalledDeployment = RunOptions & Required<Pick<RunOptions, 'fetch'>>

/** Calls the deployment of a plan. Names it, and what to do, if it cannot be reached. */
export async function callDeployment<Result>(
  plan: RunPlan,
  act: (deployment: CalledDeployment) => Promise<Result>,
): Promise<Result> {
  try {
    return await act(await deploymentOf(plan))
  } catch (error) {
    throw error instanceof Undecided ? unreachableError(plan.url, error.reason, plan.connection) : error
  }
}

/** Returns the options of a plan. Loads only what the run needs: the mock, or the client with its proxies and certificates. */
export async function deploymentOf(plan: RunPlan): Promise<CalledDeployment> {
  const { selected: _, isReference, connection, ...options } = plan
  return {
    ...options,
    // A proxy resolves names itself, so private addresses can only be refused by their spelling.
    checksAddresses: !isReference && !connection.proxies?.http && !connection.proxies?.https,
    fetch: isReference ? (await import('../src/mock.ts')).createMock().fetch : await connect(options.url, connection),
  }
}
