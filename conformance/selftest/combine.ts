import { degenerateOf, degenerates } from './degenerate.ts'
import { type Choice, UnknownCombination } from './mutant.ts'
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
  /** True to let the clock run. @default false */
  readonly runningClock?: boolean | undefined
}

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
  const inner = mutant === undefined ? (fetch: ServerFunction) => fetch : mutantOf(mutant)?.wrapper
  if (!inner) {
    throw new UnknownCombination(`Unknown mutant '${mutant}'. List the mutants with --list.`)
  }
  const create = runningClock ? runningReference : reference
  return variant(choiceOf(choiceText ?? ''))((like) => inner(create(like)))
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
