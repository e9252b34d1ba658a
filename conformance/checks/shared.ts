import type { RequirementId } from '../catalogue.ts'
import { type Check, fail, type Observation, pass } from '../check.ts'
import { type Exchange, label, succeededLike } from '../exchange.ts'
import type { Flow } from '../flow.ts'

/** Passes where a step of the flow came about; where it did not, the step itself says whose fault that is. */
export function comesAbout(id: RequirementId, step: (flow: Flow) => Promise<Exchange>): Check {
  return { id, run: async (flow) => pass(`${label(await step(flow))}.`) }
}

/** Passes where the call was refused, whatever the refusal looks like; the control is the answer to a sound one. */
export function mustBeRefused(exchange: Exchange, control: Exchange, what: string): Observation {
  return succeededLike(exchange, control)
    ? fail(`${label(exchange)} to ${what}.`)
    : pass(`${label(exchange)} to ${what}.`)
}

/** Whether a size that is shown is that of other bytes than so many. The unit of sizes is not shown; it may be a larger one. */
export function isOtherSize(shown: unknown, bytes: number): boolean {
  const size = Number(shown)
  const units = [1000, 1024, 1000 ** 2, 1024 ** 2]
  return Number.isFinite(size) && size !== bytes && units.every((unit) => Math.abs(size - bytes / unit) > 1)
}

/** What is said where an execution does not show. */
export const notStarted = 'The execution was accepted, but the details neither count nor list it'

/** A value for a reader. */
export function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200)
}
