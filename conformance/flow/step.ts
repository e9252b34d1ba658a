import type { Evidence } from '../evidence/evidence.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { Target } from '../wire/target.ts'
import type { Samples } from './samples.ts'
import type { Settling } from './settling.ts'

/** What a step sends with, and what is known by then. */
export interface Sender {
  /** The deployment; its requests carry the step's label. */
  readonly target: Target
  readonly evidence: Evidence
  readonly samples: Samples
  readonly settling: Settling
}

/** A step of a run: it sends, and never judges. */
export interface RunStep {
  /** Steps that have to come about before; if one does not, this step is passed over. */
  readonly needs: readonly StepName[]
  /** Steps that are taken before, whatever becomes of them. */
  readonly soft: readonly StepName[]
  /** Steps that come before if they are taken at all. */
  readonly after: readonly StepName[]
  /** Sends nothing if there is nothing to find out. Throws `Broken`, `Refused` or `Undecided` if a need did not come about. */
  readonly send: (sender: Sender) => Promise<void>
}

/** Makes a step. */
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

/** The steps that a run can take, by name. */
export type StepTable = Readonly<Record<StepName, RunStep>>

/** Returns a table as it is. Throws a `TypeError` that names the circle if steps wait for each other in one. */
export function mustBeAcyclic<Table extends Partial<StepTable>>(table: Table): Table {
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    if (done.has(name)) return
    if (path.includes(name)) throw new TypeError(`Steps wait for each other: ${[...path, name].join(' -> ')}.`)
    const found = table[name as StepName]
    if (!found) throw new TypeError(`'${path.at(-1)}' waits for '${name}', which is no step.`)
    for (const other of [...found.needs, ...found.soft, ...found.after]) visit(other, [...path, name])
    done.add(name)
  }
  for (const name of Object.keys(table)) visit(name, [])
  return table
}

/**
 * Sends what ought to be refused. A server that fails at it (5xx) has refused it only if it always does, so it is asked a
 * second time.
 */
export async function sendRefusable(send: () => Promise<Exchange>): Promise<void> {
  const { status } = await send()
  if (status >= 500) await send()
}
