import type { RequirementId } from '../catalogue/catalogue.ts'
import { holdersAt } from './json.ts'
import { bodyOf, changeRequest, type Members, onCalls, problem, type Wrapper } from './wrapper.ts'

/** The chosen value of each axis. An absent axis has the reference's choice. */
export type Choice = Readonly<Record<string, string>>

/** The combination does not exist. The message lists the existing choices. */
export class UnknownCombination extends Error {}

/** The reference with one fact broken on purpose. */
export interface Mutant {
  readonly id: string
  /** Describes the fault in one sentence. */
  readonly breaks: string
  /** The checks that must fail. All others keep their verdict, or are blocked by a failed one. */
  readonly kills: readonly RequirementId[]
  /** Checks that may fail or not, because the fault concerns them too. */
  readonly mayKill: readonly RequirementId[]
  /** The reason why no documented check may fail, if `kills` is empty: a standard requires the fact, or nothing does. */
  readonly inherited?: string
  create(): Wrapper
  /** Returns true if the fault is visible under these variants. */
  appliesTo(variants: Choice): boolean
}

interface More {
  readonly mayKill?: readonly RequirementId[]
  readonly appliesTo?: (variants: Choice) => boolean
  readonly inherited?: string
}

/** Creates a mutant that breaks a documented fact. */
export function mutant(
  id: string,
  breaks: string,
  kills: readonly RequirementId[],
  create: () => Wrapper,
  { mayKill = [], appliesTo = () => true, ...more }: More = {},
): Mutant {
  return { id, breaks, kills, mayKill, create, appliesTo, ...more }
}

/** Refuses a call that has a field. Without the field the call succeeds, so that a diagnosis can find the field. */
export function refusesField(
  call: 'createWorkflow' | 'executeWorkflow' | 'requestUpload' | 'confirmUpload',
  path: string,
  fill: (index: number) => unknown,
  /** Returns true if a value is refused. @default all values */
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
    return inner(await changeRequest(request, { json: body }))
  })
}

/** Accepts a field only in another form than the documented one. */
export function wantsOtherForm(
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
    return inner(await changeRequest(request, { json: body }))
  })
}
