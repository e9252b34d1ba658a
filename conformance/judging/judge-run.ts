import { type RequirementId, requirement } from '../catalogue/catalogue.ts'
import { Evidence, type RunSettings } from '../evidence/evidence.ts'
import { findingsOf, type LocatedPlaces, located } from '../evidence/findings.ts'
import { wrongLocators } from '../evidence/wrong-locators.ts'
import { type Finding, type Ground, type GroundName, groundName } from '../reading/finding.ts'
import { historyOf, type Transcript } from '../wire/record.ts'
import type { Check } from './check.ts'
import { checks } from './checks.ts'
import { confirm, judge, type Outcome } from './judge.ts'
import { answerQuestions, type GapAnswer } from './questions/index.ts'
import { type RunVerdict, runVerdict, type Verdict } from './verdict.ts'

/** What a run was told, as a report keeps it. */
export interface JudgeSettings extends RunSettings {
  /** The checks that were to run. */
  readonly selected: readonly RequirementId[]
  /** How often a failure must be seen before it is called one. */
  readonly tries: number
  /** Checks that have to be verified: one that is only accepted leaves the run undecided. @default none */
  readonly requireVerified?: readonly RequirementId[]
  /** Whether open questions were asked. */
  readonly asksQuestions: boolean
}

/** What a check came to. */
export interface CheckResult {
  /** The requirement's id, by which the check is named too. */
  readonly id: RequirementId
  readonly requirement: RequirementId
  readonly section: string
  readonly provenance: 'documented' | 'inherited' | 'assumed'
  readonly level: 'must' | 'should' | 'observe'
  readonly verdict: Verdict
  /** Its tries disagreed. */
  readonly flaky: boolean
  readonly message: string
  /** What a failure rests on, or what would be one if its ground might accuse. */
  readonly ground?: ReportedGround
  /** The check that it waits for, if it is blocked. */
  readonly blockedBy?: RequirementId
  /** How long the requests took that it looked at, in milliseconds. */
  readonly durationMs: number
  /** What it looked at, the latest last; places in the run's `exchanges`. */
  readonly exchanges: readonly number[]
}

/** The ground of a failure by its name; with the finding, if it is a place in an answer. */
export interface ReportedGround {
  readonly name: GroundName
  readonly finding?: Finding
}

/** What follows from a transcript. */
export interface RunJudgement {
  readonly verdict: RunVerdict
  readonly checks: readonly CheckResult[]
  readonly gaps: readonly GapAnswer[]
  readonly located: LocatedPlaces
  /** What was found where, and why there. */
  readonly findings: readonly Finding[]
  /** Errors of the suite that changed no verdict. */
  readonly notes: readonly string[]
  /** Locators of the profile that do not hold although discovery finds what they are for; absent if there are none. */
  readonly profileFlaws?: readonly string[]
}

/** Judges a run from its transcript alone. */
export function judgeRun(transcript: Transcript, settings: JudgeSettings): RunJudgement {
  const history = historyOf(transcript)
  const evidence = new Evidence(history, settings)
  const selected = checks.filter(({ id }) => settings.selected.includes(id))
  let outcomes: Outcomes = judge(selected, evidence).outcomes
  for (let attempt = 2; attempt <= settings.tries; attempt += 1) {
    const failing = failingChecks(outcomes)
    if (failing.length === 0) break
    outcomes = confirmOutcomes(outcomes, judge(failing, new Evidence(history, settings, attempt)).outcomes)
  }
  const { locators, ...rest } = settings.profile
  const bare = new Evidence(history, { ...settings, profile: rest })
  const flaws = locators ? wrongLocators(evidence, bare) : []
  const judged = checks.map(({ id }) => resultOf(id, outcomes.get(id), transcript))
  const results = flaws.length > 0 ? judged.map(undecided) : judged
  const { answers, notes } = settings.asksQuestions ? answerQuestions(evidence) : { answers: [], notes: [] }
  return {
    verdict: runVerdict(results, ({ id }) => settings.requireVerified?.includes(id) ?? false),
    checks: results,
    gaps: answers,
    located: located(evidence),
    findings: findingsOf(evidence),
    notes,
    ...(flaws.length > 0 && { profileFlaws: flaws }),
  }
}

/** A failure accuses nobody if the profile is wrong. */
function undecided(check: CheckResult): CheckResult {
  if (check.verdict !== 'fail') return check
  return {
    ...check,
    verdict: 'inconclusive',
    message: `${check.message} The profile is wrong, so this decides nothing.`,
  }
}

/** What each check comes to, in the attempts so far. */
type Outcomes = ReadonlyMap<RequirementId, Outcome & { readonly flaky?: boolean }>

/** Returns the outcomes once failures were looked at in another attempt. */
function confirmOutcomes(outcomes: Outcomes, again: ReadonlyMap<RequirementId, Outcome>): Outcomes {
  const seenAgain = [...again].flatMap(([id, second]) => {
    const first = outcomes.get(id)
    return first ? [[id, confirm(first, second)] as const] : []
  })
  return new Map([...outcomes, ...seenAgain])
}

/** Returns the checks that have failed, each as the check that met the failure. */
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
  if (!outcome) return notRunResult(id, 'It was switched off.')
  const { section, provenance, level } = requirement(id)
  const about = { id, requirement: id, section, provenance, level }
  const { verdict, message, blockedBy, looked, flaky = false } = outcome
  const isHeld = verdict === 'fail' || verdict === 'inconclusive'
  const ground = isHeld && outcome.ground !== undefined && { ground: reported(outcome.ground) }
  const places = [...looked.places].sort((a, b) => a - b)
  const durationMs = Math.round(places.reduce((sum, place) => sum + (exchanges[place]?.durationMs ?? 0), 0))
  const more = { ...ground, ...(blockedBy && { blockedBy }) }
  return { ...about, verdict, flaky, message, ...more, durationMs, exchanges: places }
}

function reported(ground: Ground): ReportedGround {
  return typeof ground === 'string' ? { name: ground } : { name: groundName(ground), finding: ground }
}

/** The result of a check that was not run, and why. */
export function notRunResult(id: RequirementId, message: string): CheckResult {
  const { section, provenance, level } = requirement(id)
  const nothing = { verdict: 'not-run', flaky: false, message, durationMs: 0, exchanges: [] } as const
  return { id, requirement: id, section, provenance, level, ...nothing }
}
