import type { RunOptions } from '../conformance/run/runner.ts'
import { Undecided } from '../conformance/wire/exchange.ts'
import { connect, unreachableError } from './connection.ts'
import type { RunPlan } from './plan.ts'

/** Names the deployment, and what to do, if it cannot be reached. */
export async function orUnreachable<Result>(plan: RunPlan, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    throw error instanceof Undecided ? unreachableError(plan.url, error.reason, plan.connection) : error
  }
}

/** Returns the options of a plan for calling its deployment in this thread. */
export async function deploymentOf(plan: RunPlan): Promise<RunOptions & Required<Pick<RunOptions, 'fetch'>>> {
  const { selected: _, isReference, connection, ...options } = plan
  return {
    ...options,
    // A proxy resolves names itself, so private addresses can only be refused by their spelling.
    checksAddresses: !isReference && !connection.proxies?.http && !connection.proxies?.https,
    fetch: await fetchOf(plan),
  }
}

/** Loads only what the run needs: the mock, or the client with its proxies and certificates. */
async function fetchOf({ isReference, connection, url }: RunPlan): Promise<NonNullable<RunOptions['fetch']>> {
  if (isReference) return (await import('../src/mock.ts')).createMock().fetch
  return connect(url, connection)
}
