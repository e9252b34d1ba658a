import type { Profile } from '../../src/profile/profile.ts'
import { harOf } from '../../src/session/har.ts'
import type { RequirementId } from '../catalogue/catalogue.ts'
import { waitingSteps } from '../flow/main-steps.ts'
import type { Check } from '../judging/check.ts'
import { checks } from '../judging/checks.ts'
import type { Judgement } from '../judging/judge.ts'
import { failingChecks, type JudgeSettings, judgeEvidence } from '../judging/judge-run.ts'
import { answerQuestions, stepsOfQuestions } from '../judging/questions.ts'
import type { CheckResult, RunResult } from '../report/result.ts'
import { allFlowSteps, type Label, type StepName } from '../wire/label.ts'
import { describeCreated } from '../wire/left-behind.ts'
import { type Crash, type ExchangeRecord, recordOf } from '../wire/record.ts'
import type { Redactor } from '../wire/redact.ts'
import { Secrets } from '../wire/secrets.ts'
import { Target, type TargetOptions } from '../wire/target.ts'
import { traceOf } from '../wire/trace.ts'
import { Transport } from '../wire/transport.ts'
import { Attempt } from './attempt.ts'
import { type LiveEvidence, liveEvidence } from './live-evidence.ts'

export interface RunOptions extends TargetOptions {
  /**
   * Hints for values that discovery does not find.
   *
   * @default {}
   * @example `{ profile: { locators: { workflow_id: '/result/ref' }, settleSeconds: 20 } }`
   */
  readonly profile?: Profile
  /**
   * Selects the checks to run.
   *
   * @default all checks
   * @example `{ selects: (id) => id.startsWith('workflow.') }`
   */
  readonly selects?: (id: RequirementId) => boolean
  /**
   * True to answer the open questions too.
   *
   * @default true
   * @example `{ gaps: false }`
   */
  readonly gaps?: boolean
  /**
   * Attempts that must all fail before a check fails.
   *
   * @default 3
   * @example `{ tries: 1 }`
   */
  readonly tries?: number
  /**
   * Checks that must be verified: if such a check is only accepted, the run is undecided.
   *
   * @default none
   * @example `{ requireVerified: ['workflow.name'] }`
   */
  readonly requireVerified?: readonly RequirementId[]
  /**
   * Notes for the reader of the report.
   *
   * @default none
   * @example `{ notes: ['Staging, build 42'] }`
   */
  readonly notes?: readonly string[]
  /**
   * Records the run as a session, and names the program that writes it.
   *
   * @default not recorded
   * @example `{ recordAs: { name: 'ci', version: '1' } }`
   */
  readonly recordAs?: { readonly name: string; readonly version: string }
  /** Called with each result at the end of the run, with redacted secrets. */
  readonly onResult?: (result: CheckResult) => void
  /**
   * Called when the run begins, with the id that is part of the name of everything that it creates.
   *
   * @default no calls
   * @example `{ onBegin: (runId) => console.log(runId) }`
   */
  readonly onBegin?: (runId: string) => void
  /**
   * Called before a request is sent, and again when it was answered or got no answer. Secrets are redacted.
   *
   * @default no calls
   * @example `{ onProgress: ({ sent }) => console.log(sent) }`
   */
  readonly onProgress?: (progress: RunProgress) => void
}

/** The progress of a run. */
export interface RunProgress {
  /** Requests that were sent. */
  readonly sent: number
  /** The step that has sent the request; absent for the first probe of the address. */
  readonly step?: StepName
  /** The request and its answer, once it was answered or has failed. */
  readonly exchange?: ExchangeRecord
  /** The item that the request created on the deployment. */
  readonly made?: string
}

/**
 * Runs the checks against a deployment: takes the steps of the flow, judges the answers, and takes further steps as
 * long as a verdict needs them. Throws `Undecided` if the deployment cannot be reached.
 */
export async function run(given: RunOptions): Promise<RunResult> {
  // Headers are secrets, and no verdict depends on them.
  const { headers, ...profile } = given.profile ?? {}
  const options = { ...given, headers: { ...headers, ...given.headers } }
  const startedAt = new Date().toISOString()
  const runId = crypto.randomUUID().slice(0, 8)
  const transport = new Transport(options)
  const secrets = new Secrets(options, transport)
  const target = new Target(options, transport, traceOf(runId))
  options.onBegin?.(runId)
  if (options.onProgress) transport.observer = observer(transport, secrets, options.onProgress)
  const begun = transport.time.now()
  await target.send(new Request(`${options.url}/api/v1/workflows/countersign-probe`))

  const selected = checks.filter(({ id }) => options.selects?.(id) ?? true)
  const settings = settingsOf({ ...options, profile }, runId, selected)
  const url = secrets.keys.text(options.url)
  const crashes: Crash[] = []
  const history = { log: transport.log, withheld: transport.withheld, crashes }
  const attempts: Attempts = new Attempts(
    settings.tries,
    (number, onLongWait) =>
      new Attempt({
        ...{ number, target, settings, history, onLongWait },
        isOverInFirst: (step) => attempts.isOver(step, 1),
      }),
  )
  // After the run, no step is pending.
  let hasEnded = false
  const isOver = (step: StepName, attempt: number) => hasEnded || attempts.isOver(step, attempt)
  const live = liveEvidence(transport, secrets, crashes, { ...settings, url }, isOver)
  const { outcomes } = await takeAll(attempts, live, selected)
  // Attempts that started early wait meanwhile.
  if (settings.asksQuestions) await answerAll(attempts, live)
  await confirmAll(attempts, live, outcomes)
  await attempts.over()
  hasEnded = true

  const judgement = judgeEvidence(live())
  for (const result of judgement.checks) options.onResult?.(result)
  const { url: _url, runId: _runId, ...judged } = settings
  return {
    url,
    runId,
    startedAt,
    durationMs: Math.round(transport.time.now() - begun),
    ...judgement,
    ...live().transcript,
    settings: { ...judged, profile: secrets.keys.deep(profile) },
    notes: secrets.keys.deep([...(options.notes ?? []), ...judgement.notes]),
    leftBehind: secrets.redactor.deep([...target.leftBehind]),
    requests: requestsOf(transport),
    ...(options.recordAs && { session: sessionOf(transport, options, options.recordAs, secrets.redactor) }),
    ...(options.signal?.aborted && stopped(`The run was stopped after ${transport.sent} requests.`)),
  }
}

function settingsOf(
  { url, profile = {}, secondKey, tries = 3, requireVerified = [], gaps = true }: RunOptions,
  runId: string,
  selected: readonly Check[],
): JudgeSettings {
  const ids = selected.map(({ id }) => id)
  const hasSecondKey = secondKey !== undefined
  return { url, runId, profile, hasSecondKey, selected: ids, tries, requireVerified, asksQuestions: gaps }
}

function requestsOf({ sent, sentAgain, log, waitedMs }: Transport): RunResult['requests'] {
  const answeringMs = Math.round(log.reduce((sum, { durationMs }) => sum + durationMs, 0))
  return { sent, sentAgain, answeringMs, waitingMs: Math.round(waitedMs) }
}

/** Returns the calls of a run as HAR 1.2. Without the time of a call, it is unknown. */
function sessionOf(
  { exchanges }: Transport,
  { apiKey, secondKey }: RunOptions,
  creator: NonNullable<RunOptions['recordAs']>,
  redactor: Redactor,
): object {
  const named = exchanges.map((exchange) => {
    const { step = 'probe', attempt = 1, about } = exchange.label ?? {}
    const name = [step, ...(about === undefined ? [] : [about]), ...(attempt > 1 ? [`attempt ${attempt}`] : [])]
    return { at: 0, ...exchange, name: name.join(', ') }
  })
  const keys = [apiKey, ...(secondKey === undefined ? [] : [secondKey])]
  return harOf(named, { redact: (text) => redactor.text(text), keys, creator })
}

/** Returns the part of the result that says that a run was stopped before its end. */
export function stopped(why: string): Pick<RunResult, 'verdict' | 'stopped'> {
  return { verdict: 'could-not-run', stopped: why }
}

/** Creates an observer that reports each request, redacted with the secrets known by then. */
function observer(
  transport: Transport,
  secrets: Secrets,
  onProgress: NonNullable<RunOptions['onProgress']>,
): NonNullable<Transport['observer']> {
  const progress = (label: Label | undefined) => ({ sent: transport.sent, ...(label && { step: label.step }) })
  return {
    onSend: (label) => onProgress(progress(label)),
    onLogged(entry) {
      const { redactor } = secrets
      const made = 'status' in entry ? describeCreated(entry) : undefined
      onProgress({
        ...progress(entry.label),
        exchange: recordOf(entry, redactor),
        ...(made !== undefined && { made: redactor.text(made) }),
      })
    },
  }
}

/** The attempts of a run. Later ones start when a failure is likely, so that all attempts wait at the same time. */
class Attempts {
  readonly first: Attempt
  readonly #others: readonly Attempt[]
  #early: Promise<unknown> | undefined

  constructor(tries: number, make: (number: number, onLongWait?: (step: StepName) => void) => Attempt) {
    this.first = make(1, (step) => {
      this.#early ??= this.#beginOthers(step)
    })
    this.#others = Array.from({ length: tries - 1 }, (_, place) => make(place + 2))
  }

  /** Runs a function in each attempt after the first. Each starts when the one before it has ended, or waits. */
  async inOthers(act: (attempt: Attempt) => Promise<unknown>): Promise<void> {
    const acting: Promise<unknown>[] = []
    for (const attempt of this.#others) {
      const one = act(attempt)
      acting.push(one)
      // Two attempts that send at the same time could affect each other.
      await Promise.race([one, attempt.paused])
    }
    await Promise.all(acting)
  }

  /** Returns true if a step of an attempt has ended, or was skipped. */
  isOver(step: StepName, number: number): boolean {
    return [this.first, ...this.#others][number - 1]?.isOver(step) ?? false
  }

  /** Resolves when the attempts that started early have ended. */
  async over(): Promise<void> {
    await this.#early
  }

  /** Starts the other attempts with a waiting step. All waiting steps then wait at the same time. */
  #beginOthers(step: StepName): Promise<void> {
    const steps = waitingSteps.includes(step) ? waitingSteps : [step]
    return this.inOthers((attempt) => attempt.take(steps))
  }
}

/** Takes the steps of the first attempt that the checks need, and judges them. */
async function takeAll({ first }: Attempts, live: LiveEvidence, selected: readonly Check[]): Promise<Judgement> {
  if (selected.length === checks.length) await first.take(allFlowSteps)
  return judgeFully(first, live, selected)
}

/** Takes the steps of the other attempts that confirm failures: at once those that the first attempt needed, then what is missing. */
async function confirmAll(attempts: Attempts, live: LiveEvidence, outcomes: Judgement['outcomes']): Promise<void> {
  const failing = failingChecks(outcomes)
  if (failing.length === 0) return
  const needed = new Set(failing.flatMap(({ id }) => [...(outcomes.get(id)?.looked.steps ?? [])]))
  await attempts.inOthers(async (attempt) => {
    await attempt.take(needed)
    await judgeFully(attempt, live, failing)
  })
}

/** Judges checks, and takes missing steps until there are none. */
async function judgeFully(attempt: Attempt, live: LiveEvidence, selected: readonly Check[]): Promise<Judgement> {
  for (;;) {
    const judgement = live().judge(selected, attempt.number)
    if (judgement.missing.size === 0) return judgement
    await attempt.take(judgement.missing)
  }
}

async function answerAll({ first }: Attempts, live: LiveEvidence): Promise<void> {
  await first.take(['create workflow 1', 'request upload 1'])
  await first.take(stepsOfQuestions(live().of()))
  for (;;) {
    const { missing } = answerQuestions(live().of())
    if (missing.size === 0) return
    await first.take(missing)
  }
}
