import { open, rm, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { noBaseline } from '../judging/baseline.ts'
import { showHidden } from '../wire/inert.ts'
import { ctrfReport } from './ctrf.ts'
import { htmlReport } from './html.ts'
import { withStylesheet } from './html-text.ts'
import { jsonReport, jsonText } from './json.ts'
import { junitReport } from './junit.ts'
import { type ReportKind, reportKinds } from './kinds.ts'
import type { RunResult } from './result.ts'
import { createFolder, writeWhole } from './write-whole.ts'

/** The kinds of reports, with their files. */
const writers = {
  json: { file: 'report.json', write: (...run) => jsonText(jsonReport(...run)) },
  junit: { file: 'junit.xml', write: junitReport },
  html: { file: 'report.html', write: htmlReport },
  ctrf: { file: 'ctrf-report.json', write: ctrfReport },
  har: { file: 'session.har', write: ({ session }) => session && `${JSON.stringify(session, null, 1)}\n` },
} satisfies Record<ReportKind, { file: string; write: (...run: Parameters<typeof jsonReport>) => string | undefined }>

/** What is written into a folder, and what to do if that fails, for messages. */
export interface OutputKind {
  readonly what: string
  readonly advice: string
}

const report: OutputKind = { what: 'The report', advice: 'Choose another folder.' }

/** Checks that files can be written into a folder, and leaves none there, since a run may end without a report. Throws if not. */
export async function prepareFolder(folder: string, kind = report): Promise<void> {
  try {
    const created = await createFolder(folder)
    const probe = join(folder, `probe.${crypto.randomUUID().slice(0, 8)}.part`)
    await (await open(probe, 'wx')).close()
    await rm(probe)
    if (created !== undefined) await removeEmpty(resolve(folder), created)
  } catch (error) {
    throw unwritable(error, kind)
  }
}

/** Removes a folder and its parents up to `top`, as long as they are empty. */
async function removeEmpty(folder: string, top: string): Promise<void> {
  const isEmpty = await rmdir(folder).then(
    () => true,
    () => false,
  )
  if (isEmpty && folder !== top) await removeEmpty(dirname(folder), top)
}

/** Writes reports into a folder, with fixed names. Returns their paths. Each is written completely or not at all. */
export async function writeReports(
  kinds: readonly ReportKind[],
  folder: string,
  result: RunResult,
  baseline = noBaseline,
): Promise<string[]> {
  const chosen = reportKinds.filter((each) => kinds.includes(each)).map((kind) => writers[kind])
  const files = chosen.flatMap(({ file, write }) => {
    const text = write(result, baseline)
    return text === undefined ? [] : [[file, text] as const]
  })
  return writeFiles(folder, files)
}

/** Writes files into a folder, each completely or not at all, and the style of a page into one more. Returns the paths without that. */
export async function writeFiles(
  folder: string,
  files: readonly (readonly [name: string, text: string])[],
  kind = report,
): Promise<string[]> {
  try {
    if (files.length > 0) await createFolder(folder)
    for (const [name, text] of files.flatMap(withStylesheet)) await writeWhole(join(folder, name), text)
    return files.map(([name]) => join(folder, name))
  } catch (error) {
    throw unwritable(error, kind)
  }
}

function unwritable(error: unknown, { what, advice }: OutputKind): Error {
  const reason = showHidden(error instanceof Error ? error.message : String(error))
  return new Error(`${what} cannot be written: ${reason}. ${advice}`)
}
