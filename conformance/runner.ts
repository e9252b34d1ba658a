import { type RequirementId, requirement } from './catalogue.ts'
import { Broken, type Check, type Observation } from './check.ts'
import { checks as allChecks } from './checks/index.ts'
import { Undecided } from './exchange.ts'
import { recordOf } from './exchange-record.ts'
import { Flow } from './flow.ts'
import { observeGaps } from './gaps/index.ts'
import type { Profile } from './profile.ts'
import type { Redactor } from './redact.ts'
import type { CheckResult, RunResult } from './result.ts'
import { Secrets } from './secrets.ts'
import { Target, type TargetOptions } from './target.ts'
import { Transport } from './transport.ts'
import { runVerdict } from './verdict.ts'

export interface RunOptions extends TargetOptions {
  /** What discovery cannot find. */
  readonly profile?: Profile
  /** Whether a check is to run. @default all of them */
  readonly selects?: (id: RequirementId) => boolean
  /** Whether the open questions are to be answered too. @default true */
  readonly gaps?: boolean
  /** How often a failure must be seen before it is called one. @default 3 */
  readonly tries?: number
  /** What the reader should know of the run. */
  readonly notes?: readonly string[]
  /** Told of each result as it comes; of one that changes again, of the latest last. Secrets are masked. */
  readonly onResult?: (result: CheckResult) => void
}

type Outcome = Pick<CheckResult, 'verdict' | 'flaky' | 'message' | 'exchanges' | 'durationMs'> & {
  readonly blockedBy?: RequirementId
  /** What broke, where the check is blocked by a failure. */
  readonly failure?: string
}

/** Runs all checks against a deployment. Throws `Undecided` if nothing answers at its address. */
export function run(options: RunOptions): Promise<RunResult> {
  return runChecks(allChecks, options)
}

/** Runs these checks against a deployment, in their order. */
export async function runChecks(checks: readonly Check[], options: RunOptions): Promise<RunResult> {
  const { profile = {}, selects = () => true, tries = 3, notes = [], onResult } = options
  const startedAt = new Date().toISOString()
  const runId = crypto.randomUUID().slice(0, 8)
  const transport = new Transport(options)
  const target = new Target(options, transport)
  const secrets = new Secrets(options, transport)
  const tell = (id: RequirementId, outcome: Outcome) => onResult?.(resultOf(id, outcome, secrets.redactor))
  const begun = transport.time.now()
  await target.send(new Request(`${options.url}/api/v1/workflows/countersign-probe`))

  const flow = new Flow(target, runId, profile)
  const outcomes = new Map<RequirementId, Outcome>()
  for (const check of checks) {
    const outcome = selects(check.id) ? await observe(check, flow) : notRun
    outcomes.set(check.id, outcome)
    // A failure is told when it has been seen again.
    if (outcome.verdict !== 'fail' || tries < 2) tell(check.id, outcome)
  }
  const witnesses = new Map<RequirementId, Check>()
  for (const check of checks) {
    const { blockedBy, failure, ...seen } = outcomes.get(check.id) ?? notRun
    if (!blockedBy || failure === undefined || outcomes.get(blockedBy)?.verdict !== 'pass') continue
    // A step broke on a way that the check to blame does not go itself, so that check has failed where it was met.
    const outcome: Outcome = { ...seen, verdict: 'fail', message: failure }
    outcomes.set(blockedBy, outcome)
    witnesses.set(blockedBy, check)
    if (tries < 2) tell(blockedBy, outcome)
  }
  for (let attempt = 2; attempt <= tries; attempt += 1) {
    const failing = checks.filter(({ id }) => outcomes.get(id)?.verdict === 'fail')
    if (failing.length === 0) break
    const again = new Flow(target, `${runId}-${attempt}`, profile)
    for (const check of failing) {
      const first = outcomes.get(check.id) ?? notRun
      const { run } = witnesses.get(check.id) ?? check
      const outcome = confirmed(first, await observe({ id: check.id, run }, again))
      outcomes.set(check.id, outcome)
      if (attempt === tries || outcome.verdict !== 'fail') tell(check.id, outcome)
    }
  }
  const gaps = (options.gaps ?? true) ? await observeGaps(flow) : { answers: [], notes: [] }

  const { redactor } = secrets
  const results = checks.map(({ id }) => resultOf(id, outcomes.get(id) ?? notRun, redactor))
  return {
    url: redactor.text(options.url),
    runId,
    startedAt,
    durationMs: Math.round(transport.time.now() - begun),
    verdict: runVerdict(results),
    checks: results,
    gaps: gaps.answers.map((answer) => ({ ...answer, observed: redactor.message(answer.observed) })),
    located: redactor.deep(flow.located),
    leftBehind: redactor.deep([...target.leftBehind]),
    requests: {
      sent: transport.sent,
      answeringMs: Math.round(transport.log.reduce((sum, { durationMs }) => sum + durationMs, 0)),
      waitingMs: Math.round(transport.waitedMs),
    },
    exchanges: transport.log.map((exchange) => recordOf(exchange, redactor)),
    notes: redactor.deep([...notes, ...gaps.notes]),
  }
}

const notRun: Outcome = {
  verdict: 'not-run',
  flaky: false,
  message: 'It was switched off.',
  exchanges: [],
  durationMs: 0,
}

/**
 * What a second look makes of a failure: it is the same, or it comes and goes. Where the second look could not decide, such
 * as for want of an answer, the failure was not seen as often as it must be. An error of the suite is told as one.
 */
function confirmed(first: Outcome, second: Outcome): Outcome {
  if (second.verdict === 'fail' || second.verdict === 'harness-error') return second
  const { flaky, why } =
    second.verdict === 'inconclusive' || second.verdict === 'blocked'
      ? { flaky: false, why: 'It failed, and could not be looked at again' }
      : { flaky: true, why: 'Its tries disagree' }
  return {
    verdict: 'inconclusive',
    flaky,
    message: `${why}: ${first.message} Then: ${second.message}`,
    exchanges: [...first.exchanges, ...second.exchanges],
    durationMs: second.durationMs,
  }
}

async function observe({ id, run }: Check, flow: Flow): Promise<Outcome> {
  const { transport } = flow.target
  const [from, begun] = [transport.log.length, transport.time.now()]
  const seen = await look(id, () => run(flow))
  const exchanges = transport.log.slice(from).map((_, index) => from + index)
  const durationMs = Math.round(transport.time.now() - begun)
  return { ...seen, flaky: false, exchanges, durationMs }
}

async function look(
  id: RequirementId,
  run: () => Promise<Observation>,
): Promise<Pick<Outcome, 'verdict' | 'message' | 'blockedBy' | 'failure'>> {
  try {
    return (await run()) ?? { verdict: 'harness-error', message: 'The check returned nothing.' }
  } catch (error) {
    if (error instanceof Broken) {
      const { by, verdict, message: broken } = error
      if (by === id) return { verdict, message: `${broken}.` }
      const failure = verdict === 'fail' && { failure: `${broken}.` }
      return { verdict: 'blocked', message: `Waits for ${by}: ${broken}.`, blockedBy: by, ...failure }
    }
    if (error instanceof Undecided) return { verdict: 'inconclusive', message: error.message }
    return {
      verdict: 'harness-error',
      message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    }
  }
}

/** What is ours to say, such as the ids, stays as it is; what a server had a part in is masked. */
function resultOf(id: RequirementId, { failure, ...outcome }: Outcome, redactor: Redactor): CheckResult {
  const { section, provenance, level } = requirement(id)
  return { id, requirement: id, section, provenance, level, ...outcome, message: redactor.message(outcome.message) }
}
