import { degenerateOf, degenerates } from './degenerate.ts'
import type { Choice } from './mutant.ts'
import { mutantOf, mutants } from './mutants/index.ts'
import { reference } from './reference.ts'
import { axes, isSound, variant } from './variants/index.ts'
import type { ServerFunction } from './wrapper.ts'

/** What to serve; nothing at all is the reference. */
export interface Combination {
  readonly mutant?: string | undefined
  /** Values of axes, such as `envelope=data,workflow-id=uuid`. */
  readonly variant?: string | undefined
  /** Takes the place of everything else. */
  readonly degenerate?: string | undefined
}

/** A combination that does not exist; the message says what there is. */
export class UnknownCombination extends Error {}

/** The server of a combination: variants around a mutant of the reference, or a degenerate server. */
export function combine({ mutant, variant: choiceText, degenerate }: Combination): ServerFunction {
  if (degenerate !== undefined) {
    if (mutant !== undefined || choiceText !== undefined) {
      throw unknown('combine', 'a degenerate server is no reference that could be changed', 'Name it alone')
    }
    const found = degenerateOf(degenerate)
    if (found) return found.create()
    const ids = degenerates.map(({ id }) => id).join(', ')
    throw unknown('find the server', `there is no degenerate server '${degenerate}'`, `Use one of ${ids}`)
  }
  const inner = mutant === undefined ? (fetch: ServerFunction) => fetch : mutantOf(mutant)?.create()
  if (!inner) {
    throw unknown('find the server', `there is no mutant '${mutant}'`, 'See the mutants with --list')
  }
  return variant(choiceOf(choiceText ?? ''))(inner(reference()))
}

function choiceOf(text: string): Choice {
  const pairs = text.split(',').filter(Boolean)
  const choice = Object.fromEntries(
    pairs.map((pair) => {
      const [axis = '', value, ...rest] = pair.split('=')
      if (value === undefined || rest.length > 0) {
        throw unknown('read the variants', `'${pair}' is not a value of an axis`, 'Write them as axis=value,axis=value')
      }
      return [axis, value]
    }),
  )
  for (const [axis, value] of Object.entries(choice)) {
    const known = axes.find((one) => one.axis === axis)
    if (!known) {
      throw unknown(
        'find the variant',
        `there is no axis '${axis}'`,
        `Use one of ${axes.map((one) => one.axis).join(', ')}`,
      )
    }
    if (Object.hasOwn(known.values, value)) continue
    throw unknown(
      'find the variant',
      `the axis ${axis} has no value '${value}'`,
      `Use one of ${Object.keys(known.values).join(', ')}`,
    )
  }
  if (isSound(choice)) return choice
  throw unknown('combine', 'these variants together show the storage key nowhere', 'Leave one of them out')
}

function unknown(what: string, why: string, todo: string): UnknownCombination {
  return new UnknownCombination(`Failed to ${what}: because ${why}. ${todo}.`)
}

/** Everything that can be combined, for `--list`. */
export function catalogue(): object {
  return {
    mutants: mutants.map(({ id, breaks, kills, mayKill, inherited }) => ({ id, breaks, kills, mayKill, inherited })),
    axes: axes.map(({ axis, values }) => ({ axis, values: Object.keys(values) })),
    degenerates: degenerates.map(({ id, does }) => ({ id, does })),
  }
}
