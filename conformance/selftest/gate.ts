import type { RequirementId } from '../catalogue/catalogue.ts'
import type { CheckResult } from '../report/result.ts'
import type { Choice, Mutant } from './mutant.ts'

/** The part of a check's result that the gate needs. */
export type GateResult = Pick<CheckResult, 'id' | 'verdict' | 'blockedBy' | 'ground'>

/** The differences between a mutant's run and its declaration. All lists are empty if they agree. */
export interface MutantJudgement {
  readonly id: string
  /** The checks that should fail, but do not. */
  readonly survives: readonly RequirementId[]
  /** The checks that fail, but should not. */
  readonly accused: readonly RequirementId[]
  /** The checks whose verdict has changed without a failure of their own or of a check that blocks them. */
  readonly disturbed: readonly RequirementId[]
}

/** Returns the checks that failed in a run. */
export function redOf(results: readonly GateResult[]): RequirementId[] {
  return results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
}

/** Returns the ground of each check that fails in a run. */
export function groundsOf(results: readonly GateResult[]): Record<string, string> {
  const red = results.filter(({ verdict }) => verdict === 'fail')
  return Object.fromEntries(red.map(({ id, ground }) => [id, ground?.name ?? 'none']))
}

/** Compares a mutant's run with the reference's run and with the checks that the mutant must kill. */
export function judgeMutant(
  { id, kills, mayKill }: Pick<Mutant, 'id' | 'kills' | 'mayKill'>,
  results: readonly GateResult[],
  sound: readonly GateResult[],
): MutantJudgement {
  const red = redOf(results)
  const allowed = [...kills, ...mayKill]
  const before = new Map(sound.map((result) => [result.id, result.verdict]))
  // If a mutant removes a value from answers, its check can only say 'accepted'.
  const isHidden = ({ id, verdict }: GateResult) => verdict === 'accepted' && before.get(id) === 'pass'
  const keeps = ({ id, verdict, blockedBy }: GateResult) =>
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

/** Returns true if the blocking check failed, or is itself blocked by one that failed. */
function isRed(
  by: RequirementId | undefined,
  results: readonly GateResult[],
  red: readonly RequirementId[],
  waited: readonly RequirementId[] = [],
): boolean {
  if (by === undefined || waited.includes(by)) return false
  if (red.includes(by)) return true
  const next = results.find(({ id }) => id === by)
  return next?.verdict === 'blocked' && isRed(next.blockedBy, results, red, [...waited, by])
}

/** Returns true if any check failed. Under variants this suffices, since another check may find the mutant there. */
export function isNoticed(results: readonly GateResult[]): boolean {
  return redOf(results).length > 0
}

/** The evaluation of a run on a sound server. */
export interface VariantJudgement {
  readonly choice: Choice
  /** The checks that failed on a sound server. */
  readonly alarms: readonly RequirementId[]
  /** The checks that could not decide. */
  readonly undecided: readonly RequirementId[]
  /** The share of checks that decided, from 0 to 1. */
  readonly deciding: number
}

/** Counts the false alarms and the decisions of a run on a sound server. */
export function judgeVariant(choice: Choice, results: readonly GateResult[]): VariantJudgement {
  const decides = ({ verdict }: GateResult) => verdict === 'pass' || verdict === 'accepted' || verdict === 'fail'
  const counted = results.filter(({ verdict }) => verdict !== 'not-applicable')
  return {
    choice,
    alarms: results.filter(({ verdict }) => verdict === 'fail' || verdict === 'harness-error').map(({ id }) => id),
    undecided: counted.filter((result) => !decides(result)).map(({ id }) => id),
    deciding: counted.length === 0 ? 0 : counted.filter(decides).length / counted.length,
  }
}
