import { replay } from '../conformance/replay/replay.ts'
import { reportOfReplay, rowOfCall } from '../conformance/replay/replay-report.ts'
import type { ReplayedCall } from '../conformance/replay/result.ts'
import { mergedRows } from '../conformance/replay/rows.ts'
import {
  type ReportRow,
  rowLine,
  type SessionReport,
  sessionWriters,
  summaryLines,
} from '../conformance/replay/session-report.ts'
import { prepareFolder, writeFiles } from '../conformance/report/write.ts'
import type { HarSession } from '../conformance/session/read-har.ts'
import { callDeployment } from './deployment.ts'
import { exitCodes } from './exit.ts'
import { readAs } from './input.ts'
import type { Surroundings } from './news.ts'
import type { Flags } from './options.ts'
import { type RunPlan, runPlan } from './plan.ts'
import { sessionFile } from './session.ts'

/** How a task prints. */
export interface Shown {
  /** True to print with colours. */
  readonly colour: boolean
}

/** Sends a session, prints what becomes of each call, writes the reports, and returns the exit code. */
export async function replaySession(
  { file, flags, ...shown }: { readonly file: string; readonly flags: Flags<'replay'> } & Shown,
  { tell, signal }: Surroundings,
): Promise<number> {
  const { report, reportDir, recordedUrl, ...others } = flags
  const options = { needsBodies: false, ...(recordedUrl !== undefined && { url: recordedUrl }) }
  const session = await readAs(file, sessionFile(options))
  const plan = await runPlan(others)
  if (report.length > 0) await prepareFolder(reportDir)
  const onCall = (call: ReplayedCall) => {
    if (call.outcome !== 'unsent') tell({ kind: 'print', text: `${rowLine(rowOfCall(call), shown.colour)}\n` })
  }
  const result = await callDeployment(plan, (deployment) =>
    replay({ ...deployment, ...limitsOf(session, plan), session, signal, onCall }),
  )
  const done = reportOfReplay(result)
  const late = mergedRows(done.rows.filter(({ outcome }) => outcome === 'undecided'))
  return finishSession(done, { report, reportDir, ...shown, tell, late })
}

/** Returns the limits of requests and time for a session. */
export function limitsOf({ exchanges }: HarSession, plan: RunPlan) {
  const maxRequests = 300 + 10 * exchanges.length
  return { maxRequests, maxMs: limitOfTime(maxRequests, plan) }
}

/** Returns the limit of time for a number of requests, in milliseconds. */
export function limitOfTime(requests: number, { perSecond = 100 }: RunPlan): number {
  return 120_000 + (requests / perSecond) * 1000
}

/** Prints the end of a replay or a comparison, and writes its reports. Returns the exit code. `late` are the rows not printed before. */
export async function finishSession(
  report: SessionReport,
  {
    report: kinds,
    reportDir,
    colour,
    tell,
    late,
  }: Pick<Flags<'replay'>, 'report' | 'reportDir'> &
    Shown &
    Pick<Surroundings, 'tell'> & { readonly late: readonly ReportRow[] },
): Promise<number> {
  const print = (text: string) => tell({ kind: 'print', text: `${text}\n` })
  for (const row of late) print(rowLine(row, colour))
  const files = kinds.map((kind) => [sessionWriters[kind].file, sessionWriters[kind].write(report)] as const)
  try {
    for (const path of await writeFiles(reportDir, files)) print(`Report: ${path}`)
  } finally {
    print(summaryLines(report, colour))
  }
  return exitCodes[report.verdict]
}
