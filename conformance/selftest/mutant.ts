import type { RequirementId } from '../catalogue/catalogue.ts'
import { holdersAt } from './json.ts'
import { bodyOf, changed, type Members, onCalls, problem, type Wrapper } from './wrapper.ts'

/** The chosen value of each axis; an axis that is absent is as in the reference. */
export type Choice = Readonly<Record<string, string>>

/** The reference with one thing broken on purpose. */
export interface Mutant {
  readonly id: string
  /** What is broken, in one sentence. */
  readonly breaks: string
  /** The checks that must be red; every other keeps its verdict, or is blocked by a red one. */
  readonly kills: readonly RequirementId[]
  /** Checks that are right whether they are red or not, because what is broken is theirs too. */
  readonly mayKill: readonly RequirementId[]
  /** Why no documented check may be red, where none is named: who else demands what is broken, or that nobody does. */
  readonly inherited?: string
  create(): Wrapper
  /** Whether what is broken can be seen under these variants. */
  appliesTo(variants: Choice): boolean
}

interface More {
  readonly mayKill?: readonly RequirementId[]
  readonly appliesTo?: (variants: Choice) => boolean
}

/** A mutant that breaks a documented fact. */
export function mutant(
  id: string,
  breaks: string,
  kills: readonly RequirementId[],
  create: () => Wrapper,
  { mayKill = [], appliesTo = () => true }: More = {},
): Mutant {
  return { id, breaks, kills, mayKill, create, appliesTo }
}

/** A call refuses a field. Where the field is left out, the call does without it, so that the blame can be found. */
export function refusesField(
  call: 'createWorkflow' | 'executeWorkflow' | 'requestUpload' | 'confirmUpload',
  path: string,
  fill: (index: number) => unknown,
  /** Which values it refuses. @default all */
  isRefused: (value: unknown) => boolean = () => true,
): Wrapper {
  return onCalls([call], async (request, inner) => {
    const body = await bodyOf(request)
    if (!body) return inner(request)
    const { holders, name } = holdersAt(body, path)
    if (holders.some((holder) => name in holder && isRefused(holder[name]))) return problem(400)
    for (const [index, holder] of holders.entries()) {
      if (!(name in holder) || holder[name] === undefined) holder[name] = fill(index)
    }
    return inner(await changed(request, { json: body }))
  })
}

/** A call takes a field only when it is spelled otherwise; it refuses the documented spelling. */
export function wantsOtherwise(
  call: 'createWorkflow' | 'executeWorkflow' | 'requestUpload' | 'confirmUpload',
  path: string,
  isWanted: (value: unknown) => boolean,
  understood: (value: never) => unknown,
  fill: (index: number) => unknown,
): Wrapper {
  return onCalls([call], async (request, inner) => {
    const body = await bodyOf(request)
    if (!body) return inner(request)
    const { holders, name } = holdersAt(body, path)
    if (holders.some((holder: Members) => name in holder && !isWanted(holder[name]))) return problem(400)
    for (const [index, holder] of holders.entries()) {
      holder[name] = name in holder ? understood(holder[name] as never) : fill(index)
    }
    return inner(await changed(request, { json: body }))
  })
}
