import type { Evidence } from '../evidence/evidence.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { Target } from '../wire/target.ts'
import type { Samples } from './samples.ts'
import type { Settling } from './settling.ts'

/** The deployment to send to, and the evidence so far. */
export interface Sender {
  /** The deployment. Its requests have the step's label. */
  readonly target: Target
  readonly evidence: Evidence
  readonly samples: Samples
  readonly settling: Settling
  /** Returns true if the first attempt has finished this step. Attempts run at the same time. */
  readonly isOverInFirst: () => boolean
}

/** A step of a run. It sends, but never judges. */
export interface RunStep {
  /** Steps that must succeed first. If one does not, this step is skipped. */
  readonly needs: readonly StepName[]
  /** Steps that run first, whether they succeed or not. */
  readonly soft: readonly StepName[]
  /** Steps that come first if they run at all. */
  readonly after: readonly StepName[]
  /** Sends requests, or none if they are not needed. Throws `Broken`, `Refused` or `Undecided` if a needed step failed. */
  readonly send: (sender: Sender) => Promise<void>
}

/** Creates a step. */
export function step(send: (sender: Sender) => Promise<unknown>, order: Partial<Omit<RunStep, 'send'>> = {}): RunStep {
  const { needs = [], soft = [], after = [] } = order
  return {
    needs,
    soft,
    after,
    async send(sender) {
      await send(sender)
    },
  }
}

/** All steps of a run, by name. */
export type StepTable = Readonly<Record<StepName, RunStep>>

/** Returns a table unchanged. Throws a `TypeError` with the cycle if steps wait for each other. */
export function mustBeAcyclic<Table extends Partial<StepTable>>(table: Table): Table {
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    if (done.has(name)) return
    if (path.includes(name))
      throw new TypeError(`These steps wait for each other: ${[...path, name].join(' -> ')}. Remove one dependency.`)
    const found = table[name as StepName]
    if (!found)
      throw new TypeError(`The step '${path.at(-1)}' waits for '${name}', which does not exist. Correct the name.`)
    for (const other of [...found.needs, ...found.soft, ...found.after]) visit(other, [...path, name])
    done.add(name)
  }
  for (const name of Object.keys(table)) visit(name, [])
  return table
}

/**
 * Sends a request that should be refused. A 5xx counts as a refusal only if it is repeatable, so the request is sent again
 * then.
 */
export async function sendRefusable(send: () => Promise<Exchange>): Promise<void> {
  const { status } = await send()
  if (status >= 500) await send()
}
