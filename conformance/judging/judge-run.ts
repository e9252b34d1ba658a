import { type RequirementId, requirement } from '../catalogue/catalogue.ts'
import { Evidence, type RunSettings } from '../evidence/evidence.ts'
import { type Particulars, particularsOf } from '../evidence/particulars.ts'
import { wrongLocators } from '../evidence/wrong-locators.ts'
import { findingsOf, type LocatedPlaces, located } from '../model/findings.ts'
import { type Finding, type Ground, type GroundName, groundName } from '../reading/finding.ts'
import type { StepName } from '../wire/label.ts'
import { historyOf, type RunHistory, type Transcript } from '../wire/record.ts'
import type { Check } from './check.ts'
import { checks } from './checks.ts'
import { confirm, type Judgement, judge, type Outcome } from './judge.ts'
import { answerQuestions, type GapAnswer } from './questions.ts'
import { type RunVerdict, runVerdict, type Verdict } from './verdict.ts'

/** The settings of a run, as stored in its report. */
export interface JudgeSettings extends RunSettings {
  /** The selected checks. */
  readonly selected: readonly RequirementId[]
  /** The number of attempts in which a failure must occur. */
  readonly tries: number
  /** Checks that must be verified. If such a check is only accepted, the run is undecided. @default none */
  readonly requireVerified?: readonly RequirementId[]
  /** True if the run answered the open questions. */
  readonly asksQuestions: boolean
}

/** The result of a check. A failure also has its particulars, as far as they are known. */
export interface CheckResult extends Particulars {
  /** The id of the requirement and of its check. */
  readonly id: RequirementId
  readonly requirement: RequirementId
  readonly section: string
  readonly provenance: 'documented' | 'inherited' | 'assumed'
  readonly level: 'must' | 'should' | 'observe'
  readonly verdict: Verdict
  /** True if its attempts disagreed. */
  readonly flaky: boolean
  readonly message: string
  /** The ground of a failure, or of an inconclusive result whose ground may not accuse. */
  readonly ground?: ReportedGround
  /** The check that blocks it. */
  readonly blockedBy?: RequirementId
  /** The total time of the exchanges behind the verdict, in milliseconds. */
  readonly durationMs: number
  /**
   * The exchanges behind the verdict, the latest last, as indexes into the run's `exchanges`. For a failure, only those that it
   * rests on.
   */
  readonly exchanges: readonly number[]
}

/** The name of a ground, with the finding if the ground is a place in an answer. */
export interface ReportedGround {
  readonly name: GroundName
  readonly finding?: Finding
}

/** The results that follow from a transcript. */
export interface RunJudgement {
  readonly verdict: RunVerdict
  readonly checks: readonly CheckResult[]
  readonly gaps: readonly GapAnswer[]
  readonly located: LocatedPlaces
  /** The values that were found, with their places and rules. */
  readonly findings: readonly Finding[]
  /** Errors of the suite that did not affect a verdict. */
  readonly notes: readonly string[]
  /** Locators of the profile that do not work although discovery finds the values. Absent if there are none. */
  readonly profileFlaws?: readonly string[]
}

/** Says whether a step of an attempt has ended. */
export type IsOver = (step: StepName, attempt: number) => boolean

/** The evidence that a transcript holds, of each attempt. What was found in it once is kept. */
export class RunEvidence {
  readonly transcript: Transcript
  readonly settings: JudgeSettings
  readonly #history: RunHistory
  readonly #isOver: IsOver
  readonly #attempts = new Map<number, Evidence>()

  /** `isOver` says whether a step of an attempt has ended. @default all have ended */
  constructor(transcript: Transcript, settings: JudgeSettings, isOver: IsOver = () => true) {
    this.transcript = transcript
    this.settings = settings
    this.#history = historyOf(transcript)
    this.#isOver = isOver
  }

  /** Returns the evidence of an attempt. */
  of(attempt = 1): Evidence {
    const evidence = this.#attempts.get(attempt) ?? this.#evidenceOf(attempt, this.settings)
    this.#attempts.set(attempt, evidence)
    return evidence
  }

  /** Returns the evidence of the first attempt as it is without the locators of the profile. */
  withoutLocators(): Evidence {
    const { locators: _, ...profile } = this.settings.profile
    return this.#evidenceOf(1, { ...this.settings, profile })
  }

  /** Judges checks in an attempt. */
  judge(selected: readonly Check[], attempt = 1): Judgement {
    return judge(selected, this.of(attempt))
  }

  #evidenceOf(attempt: number, settings: JudgeSettings): Evidence {
    return new Evidence(this.#history, settings, attempt, (step) => this.#isOver(step, attempt))
  }
}

/** Judges a run only from its transcript. */
export function judgeRun(transcript: Transcript, settings: JudgeSettings): RunJudgement {
  return judgeEvidence(new RunEvidence(transcript, settings))
}

/** Judges a run from its evidence. */
export function judgeEvidence(run: RunEvidence): RunJudgement {
  const { transcript, settings } = run
  const evidence = run.of()
  const ids = new Set(settings.selected)
  const selected = checks.filter(({ id }) => ids.has(id))
  let outcomes: Outcomes = run.judge(selected).outcomes
  const repeated = failingChecks(outcomes).map(({ id }) => id)
  for (let attempt = 2; attempt <= settings.tries; attempt += 1) {
    const failing = failingChecks(outcomes)
    if (failing.length === 0) break
    outcomes = confirmOutcomes(outcomes, run.judge(failing, attempt).outcomes)
  }
  const flaws = settings.profile.locators ? wrongLocators(evidence, run.withoutLocators()) : []
  const judged = checks.map(({ id }) => resultOf(id, outcomes.get(id), transcript))
  const results = flaws.length > 0 ? judged.map(undecided) : judged
  const { answers, notes } = settings.asksQuestions ? answerQuestions(evidence) : { answers: [], notes: [] }
  return {
    verdict: runVerdict(results, ({ id }) => settings.requireVerified?.includes(id) ?? false),
    checks: results,
    gaps: answers,
    located: located(evidence),
    findings: findingsOf(evidence),
    notes: [...repeatsNote(transcript, repeated), ...notes],
    ...(flaws.length > 0 && { profileFlaws: flaws }),
  }
}

/** Says why a run began calls again: to confirm failures, which must occur in every attempt, or in time for that. */
function repeatsNote({ exchanges }: Transcript, failing: readonly RequirementId[]): string[] {
  const again = exchanges.filter(({ label }) => (label?.attempt ?? 1) > 1).length
  if (again === 0) return []
  const some = [...failing.slice(0, mostNamed), ...(failing.length > mostNamed ? ['others'] : [])].join(', ')
  const why =
    failing.length > 0
      ? `since what fails must fail in every attempt: ${some}`
      : 'begun while an execution had not moved for long, in case that had to be confirmed'
  return [`${again} of ${exchanges.length} requests were second and third attempts, ${why}.`]
}

/** The most checks that a note names. */
const mostNamed = 3

/** A wrong profile makes failures inconclusive. */
function undecided(check: CheckResult): CheckResult {
  if (check.verdict !== 'fail') return check
  return {
    ...check,
    verdict: 'inconclusive',
    message: `${check.message} The profile is wrong, so this decides nothing.`,
  }
}

/** The outcome of each check in the attempts so far. */
type Outcomes = ReadonlyMap<RequirementId, Outcome & { readonly flaky?: boolean }>

/** Combines the outcomes with those of another attempt at the failures. */
function confirmOutcomes(outcomes: Outcomes, again: ReadonlyMap<RequirementId, Outcome>): Outcomes {
  const seenAgain = [...again].flatMap(([id, second]) => {
    const first = outcomes.get(id)
    return first ? [[id, confirm(first, second)] as const] : []
  })
  return new Map([...outcomes, ...seenAgain])
}

/** Returns the failed checks. Each judges as the check that found the failure. */
export function failingChecks(outcomes: ReadonlyMap<RequirementId, Outcome>): Check[] {
  return [...outcomes].flatMap(([id, { verdict, witness }]) => {
    const met = checks.find((check) => check.id === (witness ?? id))
    return verdict === 'fail' && met ? [{ id, judge: met.judge }] : []
  })
}

function resultOf(
  id: RequirementId,
  outcome: (Outcome & { readonly flaky?: boolean }) | undefined,
  { exchanges }: Transcript,
): CheckResult {
  if (!outcome) return notRunResult(id, 'Not selected.')
  const { section, provenance, level } = requirement(id)
  const about = { id, requirement: id, section, provenance, level }
  const { verdict, message, blockedBy, looked, flaky = false } = outcome
  const isHeld = verdict === 'fail' || verdict === 'inconclusive'
  const ground = isHeld && outcome.ground !== undefined && { ground: reported(outcome.ground) }
  const particulars = isHeld ? particularsOf(outcome.compared, outcome.ground) : {}
  const { exchange } = particulars
  const own = new Set([...looked.places, ...(exchange === undefined ? [] : [exchange])])
  const behind = isHeld && own.size > 0 ? own : new Set([...looked.places, ...looked.shared])
  // Numbers in a typed array are sorted as numbers, without calls of a function.
  const places = [...Uint32Array.from(behind).sort()]
  const durationMs = Math.round(places.reduce((sum, place) => sum + (exchanges[place]?.durationMs ?? 0), 0))
  const more = { ...particulars, ...ground, ...(blockedBy && { blockedBy }) }
  return { ...about, verdict, flaky, message, ...more, durationMs, exchanges: places }
}

function reported(ground: Ground): ReportedGround {
  return typeof ground === 'string' ? { name: ground } : { name: groundName(ground), finding: ground }
}

/** Returns the result of a check that was not run, with the reason. */
export function notRunResult(id: RequirementId, message: string): CheckResult {
  const { section, provenance, level } = requirement(id)
  const nothing = { verdict: 'not-run', flaky: false, message, durationMs: 0, exchanges: [] } as const
  return { id, requirement: id, section, provenance, level, ...nothing }
}
