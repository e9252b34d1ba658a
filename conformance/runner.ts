import { type RequirementId, requirement } from './catalogue.ts'
import { Broken, type Check, type Observation } from './check.ts'
import { checks } from './checks/index.ts'
import { TransportError } from './exchange.ts'
import { recordOf } from './exchange-record.ts'
import { Flow } from './flow.ts'
import { observeGaps } from './gaps/index.ts'
import { membersOf } from './locate.ts'
import type { Profile } from './profile.ts'
import { Redactor } from './redact.ts'
import type { CheckResult, RunResult } from './result.ts'
import { Target, type TargetOptions } from './target.ts'
import { Transport } from './transport.ts'
import { runVerdict, type Verdict } from './verdict.ts'

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
  /** Told of each result as it comes. */
  readonly onResult?: (result: CheckResult) => void
}

type Outcome = Pick<CheckResult, 'verdict' | 'flaky' | 'message' | 'exchanges' | 'durationMs'> & {
  readonly blockedBy?: RequirementId
}

/** Runs the checks against a deployment. Throws a `TransportError` where nothing answers at its address. */
export async function run(options: RunOptions): Promise<RunResult> {
  const { profile = {}, selects = () => true, tries = 3, notes = [], onResult = () => {} } = options
  const startedAt = new Date().toISOString()
  const runId = crypto.randomUUID().slice(0, 8)
  const transport = new Transport(options)
  const target = new Target(options, transport)
  const begun = transport.time.now()
  await target.send(new Request(`${options.url}/api/v1/workflows/countersign-probe`))

  const flow = new Flow(target, runId, profile)
  const outcomes = new Map<RequirementId, Outcome>()
  for (const check of checks) {
    const outcome = selects(check.id) ? await observe(check, flow) : notRun
    outcomes.set(check.id, outcome)
    // A failure is told when it has been seen again.
    if (outcome.verdict !== 'fail' || tries < 2) onResult(resultOf(check.id, outcome))
  }
  for (let attempt = 2; attempt <= tries; attempt += 1) {
    const failing = checks.filter(({ id }) => outcomes.get(id)?.verdict === 'fail')
    if (failing.length === 0) break
    const again = new Flow(target, `${runId}-${attempt}`, profile)
    for (const check of failing) {
      const first = outcomes.get(check.id) ?? notRun
      const outcome = confirmed(first, await observe(check, again))
      outcomes.set(check.id, outcome)
      if (attempt === tries || outcome.verdict !== 'fail') onResult(resultOf(check.id, outcome))
    }
    flow.leftBehind.push(...again.leftBehind)
  }
  const gaps = (options.gaps ?? true) ? await observeGaps(flow) : []

  const redactor = new Redactor(secretsOf(options, transport))
  const results = checks.map(({ id }) => resultOf(id, outcomes.get(id) ?? notRun))
  return {
    url: redactor.text(options.url),
    runId,
    startedAt,
    durationMs: Math.round(transport.time.now() - begun),
    verdict: runVerdict(results),
    // What is ours to say, such as the ids, stays as it is; what a server had a part in is masked.
    checks: results.map((result) => ({ ...result, message: redactor.text(result.message) })),
    gaps: gaps.map((answer) => ({ ...answer, observed: redactor.text(answer.observed) })),
    located: redactor.deep(flow.located),
    leftBehind: redactor.deep(flow.leftBehind),
    requests: {
      sent: transport.sent,
      answeringMs: Math.round(transport.exchanges.reduce((sum, { durationMs }) => sum + durationMs, 0)),
      waitingMs: Math.round(transport.waitedMs),
    },
    exchanges: transport.exchanges.map((exchange) => recordOf(exchange, redactor)),
    notes: redactor.deep(notes),
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
 * What a second look says of a failure: the same, or that it comes and goes. A look that could not be taken, because no
 * answer came or because the flow broke before, says nothing.
 */
function confirmed(first: Outcome, second: Outcome): Outcome {
  if (second.verdict === 'fail') return second
  if (second.verdict === 'blocked') return first
  if (second.verdict === 'inconclusive' && second.message.includes('got no answer')) return first
  return {
    ...second,
    verdict: 'inconclusive',
    flaky: true,
    message: `Its tries disagree: ${first.message} Then: ${second.message}`,
    exchanges: [...first.exchanges, ...second.exchanges],
  }
}

async function observe({ id, run }: Check, flow: Flow): Promise<Outcome> {
  const { transport } = flow.target
  const [from, begun] = [transport.exchanges.length, transport.time.now()]
  const { verdict, message, blockedBy } = await look(id, () => run(flow))
  const exchanges = transport.exchanges.slice(from).map((_, index) => from + index)
  const durationMs = Math.round(transport.time.now() - begun)
  return { verdict, message, flaky: false, exchanges, durationMs, ...(blockedBy && { blockedBy }) }
}

async function look(
  id: RequirementId,
  run: () => Promise<Observation>,
): Promise<{ verdict: Verdict; message: string; blockedBy?: RequirementId }> {
  try {
    return (await run()) ?? { verdict: 'harness-error', message: 'The check returned nothing.' }
  } catch (error) {
    if (error instanceof Broken) {
      return error.by === id
        ? { verdict: error.verdict, message: `${error.message}.` }
        : { verdict: 'blocked', message: `Waits for ${error.by}: ${error.message}.`, blockedBy: error.by }
    }
    if (error instanceof TransportError) return { verdict: 'inconclusive', message: error.message }
    return {
      verdict: 'harness-error',
      message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    }
  }
}

function resultOf(id: RequirementId, outcome: Outcome): CheckResult {
  const { section, provenance, level } = requirement(id)
  return { id, requirement: id, section, provenance, level, ...outcome }
}

/** The keys, and the signatures of the addresses that were answered. */
function secretsOf({ apiKey, secondKey }: TargetOptions, { exchanges }: Transport): string[] {
  const addresses = exchanges.flatMap(({ json }) =>
    membersOf(json).flatMap(({ value }) => (typeof value === 'string' && URL.canParse(value) ? [new URL(value)] : [])),
  )
  const signatures = addresses.flatMap(({ searchParams }) =>
    [...searchParams].filter(([name, value]) => isSignature(name, value)).map(([, value]) => value),
  )
  return [apiKey, ...(secondKey ? [secondKey] : []), ...new Set(signatures)]
}

/** Whether a parameter of an address is what makes it good; others, such as the list of signed headers, are no secret. */
function isSignature(name: string, value: string): boolean {
  return (
    value.length >= 16 &&
    (/signature|token|credential|secret|policy|(^|[-_])sig$/i.test(name) || /^[\w+/=-]{32,}$/.test(value))
  )
}
