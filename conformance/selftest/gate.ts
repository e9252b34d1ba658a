import type { RequirementId } from '../catalogue/catalogue.ts'
import type { CheckResult } from '../report/result.ts'
import type { Choice, Mutant } from './mutant.ts'

/** What the gate needs to know of a check's result. */
export type Judged = Pick<CheckResult, 'id' | 'verdict' | 'blockedBy' | 'ground'>

/** How a mutant's run differs from what the mutant says; all lists are empty where it is as it should be. */
export interface MutantJudgement {
  readonly id: string
  /** The checks that must be red and are not. */
  readonly survives: readonly RequirementId[]
  /** The checks that are red, and should not be. */
  readonly accused: readonly RequirementId[]
  /** The checks that neither keep their verdict, nor are red, nor are blocked by a red one. */
  readonly disturbed: readonly RequirementId[]
}

/** The checks that are red in a run. */
export function redOf(results: readonly Judged[]): RequirementId[] {
  return results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
}

/** The ground of each check that is red in a run. */
export function groundsOf(results: readonly Judged[]): Record<string, string> {
  const red = results.filter(({ verdict }) => verdict === 'fail')
  return Object.fromEntries(red.map(({ id, ground }) => [id, ground?.name ?? 'none']))
}

/** Compares a mutant's run with the sound run and with what the mutant must kill. */
export function judgeMutant(
  { id, kills, mayKill }: Pick<Mutant, 'id' | 'kills' | 'mayKill'>,
  results: readonly Judged[],
  sound: readonly Judged[],
): MutantJudgement {
  const red = redOf(results)
  const allowed = [...kills, ...mayKill]
  const before = new Map(sound.map((result) => [result.id, result.verdict]))
  // What a mutant drops from answers can only be accepted there.
  const isHidden = ({ id, verdict }: Judged) => verdict === 'accepted' && before.get(id) === 'pass'
  const keeps = ({ id, verdict, blockedBy }: Judged) =>
    verdict === 'fail' ||
    verdict === before.get(id) ||
    isHidden({ id, verdict }) ||
    (verdict === 'blocked' && isRed(blockedBy, results, red))
  const missing = sound.filter((result) => !results.some(({ id }) => id === result.id)).map(({ id }) => id)
  return {
    id,
    survives: kills.filter((requirement) => !red.includes(requirement)),
    accused: red.filter((requirement) => !allowed.includes(requirement)),
    disturbed: [...results.filter((result) => !keeps(result)).map(({ id }) => id), ...missing],
  }
}

/** Whether the check that is waited for is red, or waits for a red one itself. */
function isRed(
  by: RequirementId | undefined,
  results: readonly Judged[],
  red: readonly RequirementId[],
  waited: readonly RequirementId[] = [],
): boolean {
  if (by === undefined || waited.includes(by)) return false
  if (red.includes(by)) return true
  const next = results.find(({ id }) => id === by)
  return next?.verdict === 'blocked' && isRed(next.blockedBy, results, red, [...waited, by])
}

/** Whether a mutant's run is as it should be. */
export function isExact({ survives, accused, disturbed }: MutantJudgement): boolean {
  return survives.length + accused.length + disturbed.length === 0
}

/** Whether a run notices that something is broken: what a mutant demands under variants, where the blame may shift. */
export function isNoticed(results: readonly Judged[]): boolean {
  return redOf(results).length > 0
}

/** How a run on a sound server came out. */
export interface VariantJudgement {
  readonly choice: Choice
  /** The checks that accuse a sound server. */
  readonly alarms: readonly RequirementId[]
  /** The checks that could not decide. */
  readonly undecided: readonly RequirementId[]
  /** The share of the checks that decided, from 0 to 1. */
  readonly deciding: number
}

/** Counts alarms and decisions of a run on a sound server. */
export function judgeVariant(choice: Choice, results: readonly Judged[]): VariantJudgement {
  const decides = ({ verdict }: Judged) => verdict === 'pass' || verdict === 'accepted' || verdict === 'fail'
  const counted = results.filter(({ verdict }) => verdict !== 'not-applicable')
  return {
    choice,
    alarms: results.filter(({ verdict }) => verdict === 'fail' || verdict === 'harness-error').map(({ id }) => id),
    undecided: counted.filter((result) => !decides(result)).map(({ id }) => id),
    deciding: counted.length === 0 ? 0 : counted.filter(decides).length / counted.length,
  }
}

/** The checks that no mutant turned red, though some mutant names them. */
export function neverRed(
  required: readonly RequirementId[],
  judgements: readonly { readonly mutant: Pick<Mutant, 'kills'>; readonly judgement: MutantJudgement }[],
): RequirementId[] {
  return required.filter(
    (id) => !judgements.some(({ mutant, judgement }) => mutant.kills.includes(id) && !judgement.survives.includes(id)),
  )
}
