import type { Evidence } from '../evidence/evidence.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { CallOptions, Target } from '../wire/target.ts'
import type { Samples } from './samples.ts'
import type { Settling } from './settling.ts'

/** The deployment to send to, and the evidence so far. */
export interface Sender {
  /** The step that sends. */
  readonly step: StepName
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
  readonly send: (sender: Sender) => Promise<unknown>
}

/** The steps that come before a step. */
export type StepOrder = Partial<Omit<RunStep, 'send'>>

/** Creates a step. */
export function step(send: RunStep['send'], { needs = [], soft = [], after = [] }: StepOrder = {}): RunStep {
  return { needs, soft, after, send }
}

/**
 * Creates a step that sends a call without the key, which should be refused. A 5xx counts as a refusal only if it is repeatable, so the
 * call is sent again then. `prepare` returns what sends it, or undefined to send nothing.
 */
export function stepWithoutKey(
  prepare: (sender: Sender) => ((open: CallOptions) => Promise<Exchange>) | undefined,
  order: StepOrder,
): RunStep {
  return step(async (sender) => {
    const send = prepare(sender)
    await (send && sendRefusable(() => send({ headers: {} })))
  }, order)
}

/** Sends a call that should be refused, and again after a 5xx. */
export async function sendRefusable(send: () => Promise<Exchange>): Promise<void> {
  const { status } = await send()
  if (status >= 500) await send()
}
