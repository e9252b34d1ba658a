import { type RequirementId, requirement } from './catalogue.ts'
import { Blocked, type Check } from './check.ts'
import { checks } from './checks/index.ts'
import { TransportError } from './exchange.ts'
import { Flow } from './flow.ts'
import { type GapAnswer, observeGaps } from './gaps.ts'
import { Target, type TargetOptions } from './target.ts'
import { type RunVerdict, runVerdict, type Verdict } from './verdict.ts'

/** What a check came to. */
export interface CheckResult {
  readonly id: RequirementId
  readonly requirement: RequirementId
  readonly section: string
  readonly provenance: 'documented' | 'inherited' | 'assumed'
  readonly level: 'must' | 'should' | 'observe'
  readonly verdict: Verdict
  readonly message: string
}

/** What a run came to. */
export interface RunResult {
  readonly url: string
  readonly verdict: RunVerdict
  readonly durationMs: number
  readonly checks: readonly CheckResult[]
  readonly gaps: readonly GapAnswer[]
  readonly located: Readonly<Record<string, string>>
  readonly leftBehind: readonly string[]
}

export interface RunOptions extends TargetOptions {
  /** Told of each result as it comes. */
  readonly onResult?: (result: CheckResult) => void
}

/** Runs every check against a deployment. Throws a `TransportError` where nothing answers at its address. */
export async function run({ onResult = () => {}, ...options }: RunOptions): Promise<RunResult> {
  const begun = performance.now()
  const target = new Target(options)
  await target.send(new Request(`${options.url}/api/v1/workflows/countersign-probe`))
  const flow = new Flow(target, crypto.randomUUID().slice(0, 8))
  const results: CheckResult[] = []
  for (const check of checks) {
    const result = await resultOf(check, flow)
    results.push(result)
    onResult(result)
  }
  return {
    url: options.url,
    verdict: runVerdict(results),
    durationMs: Math.round(performance.now() - begun),
    checks: results,
    gaps: await observeGaps(flow),
    located: flow.located,
    leftBehind: flow.leftBehind,
  }
}

async function resultOf({ id, run }: Check, flow: Flow): Promise<CheckResult> {
  const { section, provenance, level } = requirement(id)
  return { id, requirement: id, section, provenance, level, ...(await observe(run, flow, id)) }
}

async function observe(
  run: Check['run'],
  flow: Flow,
  id: RequirementId,
): Promise<{ verdict: Verdict; message: string }> {
  try {
    const observation = await run(flow)
    return observation ?? { verdict: 'harness-error', message: 'The check returned nothing.' }
  } catch (error) {
    // The check that watches a step of the flow is not blocked by it: it could not decide.
    if (error instanceof Blocked) {
      return error.by === id
        ? { verdict: 'inconclusive', message: `${error.message}.` }
        : { verdict: 'blocked', message: `Waits for ${error.by}: ${error.message}.` }
    }
    if (error instanceof TransportError) return { verdict: 'inconclusive', message: error.message }
    return { verdict: 'harness-error', message: error instanceof Error ? error.message : String(error) }
  }
}
