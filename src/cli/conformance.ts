import { Command } from 'commander'
import { TransportError } from '../../conformance/exchange.ts'
import { reportKinds } from '../../conformance/report/write.ts'
import type { CheckResult, RunResult } from '../../conformance/result.ts'
import { run } from '../../conformance/runner.ts'
import type { TargetOptions } from '../../conformance/target.ts'
import type { RunVerdict } from '../../conformance/verdict.ts'
import { createMock } from '../mock.ts'
import { exit, UsageError } from './exit.ts'
import { httpUrl, reports } from './options.ts'
import { type ReportFlags, reporting } from './reporting.ts'

interface ConformanceFlags extends ReportFlags {
  readonly url?: string
}

const exitCodes: Record<RunVerdict, number> = {
  conforming: exit.ok,
  nonconforming: exit.nonconforming,
  undecided: exit.undecided,
  'could-not-run': exit.couldNotRun,
}

/** `countersign conformance`: runs the suite and writes its reports. */
export function conformanceCommand(done: (code: number) => void): Command {
  return new Command('conformance')
    .description('Check a deployment against the documented interface; without --url, the built-in reference.')
    .option('--url <url>', 'base address of the deployment; its key comes from COUNTERSIGN_API_KEY', httpUrl)
    .option('--report <kinds>', `which reports to write: ${reportKinds.join(',')}`, reports, ['json'])
    .option('--report-dir <dir>', 'where to write them', 'conformance-report')
    .option('--baseline <file>', 'known failures that do not count; one that passes, or has expired, does')
    .addHelpText(
      'after',
      `
Environment: COUNTERSIGN_URL, COUNTERSIGN_API_KEY, NO_COLOR, GITHUB_STEP_SUMMARY. A key never goes on the command line, where others could read it.
Exit codes: 0 conforming, 1 not conforming, 2 undecided, 3 bad usage, 4 could not run.`,
    )
    .action(async (flags: ConformanceFlags) => {
      const target = targetOf(flags)
      const { onResult, finish } = await reporting(flags)
      done(exitCodes[await finish(await runSuite({ ...target, onResult }))])
    })
}

function targetOf({ url = process.env.COUNTERSIGN_URL }: ConformanceFlags): TargetOptions {
  if (!url) {
    return { url: 'http://reference.invalid', apiKey: 'test_conformance', fetch: createMock().fetch }
  }
  const apiKey = process.env.COUNTERSIGN_API_KEY
  if (!apiKey) {
    throw new UsageError(`Failed to start: because no key is set for ${url}. Put it into COUNTERSIGN_API_KEY.`)
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new UsageError(
      'Failed to start: because COUNTERSIGN_API_KEY has a space, a line break or a character outside ASCII. Set it to the key alone.',
    )
  }
  return { url: httpUrl(url), apiKey }
}

async function runSuite(target: TargetOptions & { onResult: (result: CheckResult) => void }): Promise<RunResult> {
  try {
    // What the runner does not tell yet.
    const unknown = { runId: '', startedAt: new Date().toISOString(), exchanges: [], notes: [] }
    const requests = { sent: 0, answeringMs: 0, waitingMs: 0 }
    const more = { flaky: false, durationMs: 0, exchanges: [] }
    const onResult: Parameters<typeof run>[0]['onResult'] = (result) => target.onResult({ ...more, ...result })
    const result = await run({ ...target, onResult })
    return { ...unknown, requests, ...result, checks: result.checks.map((check) => ({ ...more, ...check })) }
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    throw new Error(
      `Failed to run: because ${target.url} cannot be reached (${error.reason}). Check the address, and that the deployment runs.`,
    )
  }
}
