import type { RequirementId } from '../catalogue/catalogue.ts'
import type { Check } from '../judging/check.ts'
import { checks } from '../judging/checks.ts'
import { type Judgement, judge } from '../judging/judge.ts'
import { confirmOutcomes, failingChecks, type JudgeSettings, judgeRun } from '../judging/judge-run.ts'
import { answerQuestions, stepsOfQuestions } from '../judging/questions/index.ts'
import type { Profile } from '../reading/profile.ts'
import type { CheckResult, RunResult } from '../report/result.ts'
import { allFlowSteps, type StepName } from '../wire/label.ts'
import { type Crash, transcriptOf } from '../wire/record.ts'
import { Secrets } from '../wire/secrets.ts'
import { Target, type TargetOptions } from '../wire/target.ts'
import { Transport } from '../wire/transport.ts'
import { Attempt } from './attempt.ts'

export interface RunOptions extends TargetOptions {
  /** What discovery cannot find. */
  readonly profile?: Profile
  /** Whether a check is to run. @default all of them */
  readonly selects?: (id: RequirementId) => boolean
  /** Whether the open questions are to be answered too. @default true */
  readonly gaps?: boolean
  /** How often a failure must be seen before it is called one. @default 3 */
  readonly tries?: number
  /** Checks that leave the run undecided if they are only accepted and not verified. @default none */
  readonly requireVerified?: readonly RequirementId[]
  /** What the reader should know of the run. */
  readonly notes?: readonly string[]
  /** Called with each result at the end of the run. Secrets are redacted. */
  readonly onResult?: (result: CheckResult) => void
  /** Called for each request that was answered, with how many there were by then. */
  readonly onRequest?: (sent: number) => void
}

/**
 * Runs the checks against a deployment: takes the steps of the flow, judges what was answered, and takes further steps as
 * long as a verdict needs them. Throws `Undecided` if nothing answers at its address.
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const {
    profile = {},
    selects = () => true,
    tries = 3,
    notes = [],
    onResult,
    gaps = true,
    requireVerified = [],
  } = options
  const startedAt = new Date().toISOString()
  const runId = crypto.randomUUID().slice(0, 8)
  const transport = new Transport(options)
  const target = new Target(options, transport)
  const begun = transport.time.now()
  await target.send(new Request(`${options.url}/api/v1/workflows/countersign-probe`))

  const selected = checks.filter(({ id }) => selects(id))
  const settings: JudgeSettings = {
    url: options.url,
    runId,
    profile,
    hasSecondKey: options.secondKey !== undefined,
    selected: selected.map(({ id }) => id),
    tries,
    requireVerified,
    asksQuestions: gaps,
  }
  const crashes: Crash[] = []
  const history = { log: transport.log, withheld: transport.withheld, crashes }
  const attempts = new Attempts(
    tries,
    (number, onLongWait) => new Attempt({ number, target, settings, history, onLongWait }),
  )
  await takeAll(attempts, selected, selected.length === checks.length)
  if (gaps) await answerAll(attempts)
  await attempts.over()

  const { redactor, keys } = new Secrets(options, transport)
  const url = keys.text(options.url)
  const transcript = transcriptOf(transport, crashes, redactor)
  const judgement = judgeRun(transcript, { ...settings, url })
  for (const result of judgement.checks) onResult?.(result)
  return {
    url,
    runId,
    startedAt,
    durationMs: Math.round(transport.time.now() - begun),
    ...judgement,
    settings: {
      profile: keys.deep(profile),
      hasSecondKey: settings.hasSecondKey,
      selected: settings.selected,
      tries,
      requireVerified,
      asksQuestions: gaps,
    },
    leftBehind: redactor.deep([...target.leftBehind]),
    requests: {
      sent: transport.sent,
      answeringMs: Math.round(transport.log.reduce((sum, { durationMs }) => sum + durationMs, 0)),
      waitingMs: Math.round(transport.waitedMs),
    },
    ...transcript,
    notes: keys.deep([...notes, ...judgement.notes]),
  }
}

/** The attempts of a run. Those after the first are begun when a failure is likely, so that all of them wait together. */
class Attempts {
  readonly #make: (number: number, onLongWait: (step: StepName) => void) => Attempt
  readonly #made: Attempt[] = []
  readonly #early: Promise<void>[] = []
  readonly tries: number

  constructor(tries: number, make: (number: number, onLongWait: (step: StepName) => void) => Attempt) {
    this.tries = tries
    this.#make = make
  }

  /** Returns an attempt, counted from 1. */
  get(number: number): Attempt {
    const known = this.#made[number]
    if (known) return known
    const made = this.#make(number, (step) => {
      if (number === 1) this.#beginOthers(step)
    })
    this.#made[number] = made
    return made
  }

  /** Resolves when everything that was begun early is over too. */
  async over(): Promise<void> {
    await Promise.all(this.#early)
  }

  #beginOthers(step: StepName): void {
    for (let number = 2; number <= this.tries; number += 1) this.#early.push(this.get(number).take([step]))
  }
}

/** Takes the steps that the checks need, in as many attempts as it takes to confirm a failure. */
async function takeAll(attempts: Attempts, selected: readonly Check[], isWhole: boolean): Promise<void> {
  const first = attempts.get(1)
  if (isWhole) await first.take(allFlowSteps)
  let { outcomes } = await judgeFully(first, selected)
  for (let number = 2; number <= attempts.tries; number += 1) {
    const failing = failingChecks(outcomes)
    if (failing.length === 0) return
    outcomes = confirmOutcomes(outcomes, (await judgeFully(attempts.get(number), failing)).outcomes)
  }
}

/** Judges checks on what is known, and takes steps until none is missing. */
async function judgeFully(attempt: Attempt, selected: readonly Check[]): Promise<Judgement> {
  for (;;) {
    const judgement = judge(selected, attempt.evidence())
    if (judgement.missing.size === 0) return judgement
    await attempt.take(judgement.missing)
  }
}

async function answerAll(attempts: Attempts): Promise<void> {
  const first = attempts.get(1)
  await first.take(stepsOfQuestions)
  for (;;) {
    const { missing } = answerQuestions(first.evidence())
    if (missing.size === 0) return
    await first.take(missing)
  }
}
