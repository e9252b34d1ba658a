import { degenerateOf, degenerates } from './degenerate.ts'
import type { Choice } from './mutant.ts'
import { mutantOf, mutants } from './mutants/index.ts'
import { reference, runningReference } from './reference.ts'
import { axes, isSound, variant } from './variants/index.ts'
import type { ServerFunction } from './wrapper.ts'

/** The server to create; without any member, the reference. */
export interface Combination {
  readonly mutant?: string | undefined
  /** Values of axes, such as `envelope=data,workflow-id=uuid`. */
  readonly variant?: string | undefined
  /** A degenerate server instead of the reference; excludes the other members. */
  readonly degenerate?: string | undefined
  /** Whether the clock runs. @default false */
  readonly runningClock?: boolean | undefined
}

/** The combination does not exist. The message lists the existing choices. */
export class UnknownCombination extends Error {}

/** Creates the server of a combination: variants around a mutant of the reference, or a degenerate server. */
export function combine({ mutant, variant: choiceText, degenerate, runningClock }: Combination): ServerFunction {
  if (degenerate !== undefined) {
    if (mutant !== undefined || choiceText !== undefined) {
      throw new UnknownCombination(
        'A degenerate server has no mutants or variants. Use --degenerate without --mutant and --variant.',
      )
    }
    const found = degenerateOf(degenerate)
    if (found) return found.create()
    const ids = degenerates.map(({ id }) => id).join(', ')
    throw new UnknownCombination(`Unknown degenerate server '${degenerate}'. Use one of ${ids}.`)
  }
  const inner = mutant === undefined ? (fetch: ServerFunction) => fetch : mutantOf(mutant)?.create()
  if (!inner) {
    throw new UnknownCombination(`Unknown mutant '${mutant}'. List the mutants with --list.`)
  }
  return variant(choiceOf(choiceText ?? ''))(inner(runningClock ? runningReference() : reference()))
}

function choiceOf(text: string): Choice {
  const pairs = text.split(',').filter(Boolean)
  const choice = Object.fromEntries(
    pairs.map((pair) => {
      const [axis = '', value, ...rest] = pair.split('=')
      if (value === undefined || rest.length > 0) {
        throw new UnknownCombination(`'${pair}' is not a variant. Write variants as axis=value,axis=value.`)
      }
      return [axis, value]
    }),
  )
  for (const [axis, value] of Object.entries(choice)) {
    const known = axes.find((one) => one.axis === axis)
    if (!known) {
      throw new UnknownCombination(`Unknown axis '${axis}'. Use one of ${axes.map((one) => one.axis).join(', ')}.`)
    }
    if (Object.hasOwn(known.values, value)) continue
    const values = Object.keys(known.values).join(', ')
    throw new UnknownCombination(`The axis ${axis} has no value '${value}'. Use one of ${values}.`)
  }
  if (isSound(choice)) return choice
  throw new UnknownCombination('With these variants, no answer shows the storage key. Leave one of them out.')
}

/** Lists all mutants, axes and degenerate servers, for `--list`. */
export function catalogue(): object {
  return {
    mutants: mutants.map(({ id, breaks, kills, mayKill, inherited }) => ({ id, breaks, kills, mayKill, inherited })),
    axes: axes.map(({ axis, values }) => ({ axis, values: Object.keys(values) })),
    degenerates: degenerates.map(({ id, does }) => ({ id, does })),
  }
}
