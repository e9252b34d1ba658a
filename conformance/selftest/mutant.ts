import type { RequirementId } from '../catalogue/catalogue.ts'
import { holdersAt } from './json.ts'
import {
  type BodyCall,
  bodyOf,
  changeRequest,
  isCall,
  type PastCall,
  problem,
  remembering,
  type Wrapper,
} from './wrapper.ts'

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
  readonly wrapper: Wrapper
  /** Returns true if the fault is visible under these variants. */
  appliesTo(variants: Choice): boolean
}

/** A mutant as a row. The last item is `appliesTo`, or several optional members. */
export type MutantRow = readonly [
  id: string,
  breaks: string,
  kills: RequirementId | readonly RequirementId[],
  wrapper: Wrapper,
  more?: Mutant['appliesTo'] | Partial<Pick<Mutant, 'mayKill' | 'appliesTo' | 'inherited'>> | undefined,
]

/** Creates the mutants of rows. `appliesTo` is for the rows without their own. */
export function mutantsOf(rows: readonly MutantRow[], appliesTo: Mutant['appliesTo'] = () => true): Mutant[] {
  return rows.map(([id, breaks, kills, wrapper, more]) => ({
    ...{ id, breaks, wrapper, kills: typeof kills === 'string' ? [kills] : kills, mayKill: [], appliesTo },
    ...(typeof more === 'function' ? { appliesTo: more } : more),
  }))
}

/** What mutants of one fact do, as rows that `faultRows` completes. */
export type FaultRow<Value> = readonly [id: string, breaks: string, value: Value]

/** Creates the rows of mutants that break one fact, each by what `wrap` makes of a value. */
export function faultRows<Value>(
  kills: RequirementId,
  faults: readonly FaultRow<Value>[],
  wrap: (value: Value) => Wrapper,
  more?: MutantRow[4],
): MutantRow[] {
  return faults.map(([id, breaks, value]) => [id, breaks, kills, wrap(value), more])
}

/** Poor behaviour that breaks no sentence of interface.md, so that no documented check may fail. */
export type InheritedRow = readonly [id: string, breaks: string, inherited: string, wrapper: Wrapper]

/** Creates the mutants of such rows. */
export function inheritedOf(rows: readonly InheritedRow[]): Mutant[] {
  return mutantsOf(rows.map(([id, breaks, inherited, wrapper]) => [id, breaks, [], wrapper, { inherited }]))
}

/** States that the document does not define a behaviour. */
export const undocumented = (what: string) => `The document does not show ${what}.`

/** Returns true if all choices are those of the reference. */
export const isPlain = (choice: Choice) => Object.keys(choice).length === 0
/** Returns true if at least one answer shows the steps. */
export const showsSteps = ({ echo = '' }: Choice) => !['none', 'no-steps'].includes(echo)
/** Returns true if answers show the description, and what executions were sent. */
export const showsText = ({ echo = '' }: Choice) => echo !== 'none'
/** Returns true if answers show the workflow's name. */
export const showsName = ({ echo = '' }: Choice) => !['none', 'no-name'].includes(echo)
/** Returns true if answers show isSequential. */
export const showsSequential = ({ echo = '' }: Choice) => !['none', 'no-is-sequential'].includes(echo)
/** Returns true if an answer shows the steps of an execution. */
export const showsExecution = ({ echo = '', timing = '' }: Choice) => echo !== 'none' && timing !== 'execution-queued'
/** Returns true if the answer to confirming shows the document. */
export const showsDocument = (choice: Choice) => !choice['document-id']

/** A value for requests that omit a field: for the place among all such fields, by what was sent before. */
type Fill = string | number | boolean | object | ((index: number, past: readonly PastCall[]) => unknown)

/**
 * Accepts a field only in another form than the documented one, or not at all. Without the field the call succeeds, so that a
 * diagnosis can find it.
 */
function wantsForm(
  call: BodyCall,
  path: string,
  fill: Fill,
  isWanted: (value: unknown) => boolean = () => false,
  /** Returns the documented form of a value. @default the value for requests that omit the field */
  understood?: (value: never) => unknown,
): Wrapper {
  return remembering(async (request, inner, past) => {
    const body = isCall(request, call) ? await bodyOf(request) : undefined
    if (!body) return inner(request)
    const { holders, name } = holdersAt(body, path)
    if (holders.some((holder) => name in holder && !isWanted(holder[name]))) return problem(400)
    for (const [index, holder] of holders.entries()) {
      const filled = () => (typeof fill === 'function' ? fill(index, past) : fill)
      holder[name] = understood && name in holder ? understood(holder[name] as never) : filled()
    }
    return inner(await changeRequest(request, { json: body }))
  })
}

/** A field that is accepted only in another form, as a row: what `wantsForm` needs after the name of the call. */
export type FormRow = readonly [
  id: string,
  breaks: string,
  kills: RequirementId,
  path: string,
  fill: Fill,
  isWanted?: (value: unknown) => boolean,
  understood?: (value: never) => unknown,
]

/** Creates the rows of mutants of one call. */
export function formRows(
  call: BodyCall,
  forms: readonly FormRow[],
  mayKill: (kills: RequirementId) => readonly RequirementId[] = () => [],
): MutantRow[] {
  return forms.map(([id, breaks, kills, ...form]) => [
    id,
    breaks,
    kills,
    wantsForm(call, ...form),
    { mayKill: mayKill(kills) },
  ])
}
