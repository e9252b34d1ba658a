import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { TransportError } from '../../conformance/exchange.ts'
import { jsonReport } from '../../conformance/report/json.ts'
import { checkLine, summary } from '../../conformance/report/terminal.ts'
import { type RunResult, run } from '../../conformance/runner.ts'
import type { TargetOptions } from '../../conformance/target.ts'
import type { RunVerdict } from '../../conformance/verdict.ts'
import { createMock } from '../mock.ts'
import { exit, UsageError } from './exit.ts'
import { httpUrl, reports } from './options.ts'

interface ConformanceFlags {
  readonly url?: string
  readonly report: readonly string[]
  readonly reportDir: string
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
    .option('--report <kinds>', 'which reports to write: json', reports, ['json'])
    .option('--report-dir <dir>', 'where to write them', 'conformance-report')
    .addHelpText(
      'after',
      `
Environment: COUNTERSIGN_URL, COUNTERSIGN_API_KEY. A key never goes on the command line, where others could read it.
Exit codes: 0 conforming, 1 not conforming, 2 undecided, 3 bad usage, 4 could not run.`,
    )
    .action(async (flags: ConformanceFlags) => {
      const result = await runSuite(targetOf(flags))
      process.stdout.write(`${summary(result)}\n`)
      await writeReports(result, flags)
      done(exitCodes[result.verdict])
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

async function runSuite(target: TargetOptions): Promise<RunResult> {
  try {
    return await run({ ...target, onResult: (result) => process.stdout.write(`${checkLine(result)}\n`) })
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    throw new Error(
      `Failed to run: because ${target.url} cannot be reached (${error.reason}). Check the address, and that the deployment runs.`,
    )
  }
}

async function writeReports(result: RunResult, { report, reportDir }: ConformanceFlags): Promise<void> {
  try {
    await mkdir(reportDir, { recursive: true })
    if (report.includes('json')) {
      await writeFile(join(reportDir, 'report.json'), `${JSON.stringify(jsonReport(result), null, 2)}\n`)
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Failed to write the report: because ${reason}. Choose another folder with --report-dir.`)
  }
}
