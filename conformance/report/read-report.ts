import { requirementIds } from '../catalogue/catalogue.ts'
import { judgeRun } from '../judging/judge-run.ts'
import { readProfile } from '../reading/profile.ts'
import { stepNames } from '../wire/label.ts'
import { schemaVersion } from './json.ts'
import type { RunResult } from './result.ts'

/** A report that cannot be judged again, in one line that says why and what to do. */
export class ReportError extends Error {}

/**
 * Judges a recorded run again from the text of its `report.json`, without a network. Throws a `ReportError` if the text is no
 * report of this version, or lacks something that verdicts depend on.
 */
export function judgeReport(text: string): { readonly result: RunResult; readonly recorded: RunResult['verdict'] } {
  const report = readReport(text)
  const { target, settings, exchanges, withheld, crashes, verdict: recorded, ...kept } = report
  const transcript = { exchanges, withheld, crashes }
  const judgement = judgeRun(transcript, { ...settings, url: target.url, runId: report.runId })
  const result = { ...kept, settings, ...transcript, ...judgement, url: target.url }
  return { result, recorded }
}

type Report = Omit<RunResult, 'url'> & { readonly target: { readonly url: string } }

function readReport(text: string): Report {
  const report = objectIn(parse(text), 'It')
  if (!('schemaVersion' in report)) {
    throw new ReportError('It is not a report of countersign conformance. Name a report.json.')
  }
  if (report.schemaVersion !== schemaVersion) {
    const version = JSON.stringify(report.schemaVersion)?.slice(0, 20)
    throw new ReportError(
      `It is a report of version ${version}, and this Countersign reads version ${schemaVersion}. Run the suite again, or use the Countersign that wrote it.`,
    )
  }
  const { url } = objectIn(report.target, 'target')
  if (typeof url !== 'string' || !URL.canParse(url)) throw damaged('target.url is no address')
  for (const name of ['exchanges', 'withheld', 'crashes', 'leftBehind', 'notes'] as const) {
    if (!Array.isArray(report[name])) throw damaged(`${name} is no list`)
  }
  for (const name of ['runId', 'verdict', 'startedAt'] as const) {
    if (typeof report[name] !== 'string') throw damaged(`${name} is no text`)
  }
  for (const [place, exchange] of (report.exchanges as unknown[]).entries()) mustBeExchange(exchange, place)
  for (const name of ['withheld', 'crashes'] as const) {
    for (const [place, one] of (report[name] as unknown[]).entries()) objectIn(one, `${name}[${place}]`)
  }
  mustBeSettings(objectIn(report.settings, 'settings'))
  return report as unknown as Report
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new ReportError(`It is not JSON (${error.message}); it may have been cut off. Name a whole report.json.`)
  }
}

function mustBeExchange(value: unknown, place: number): void {
  const name = `exchanges[${place}]`
  const { method, url, status, requestHeaders, responseHeaders, responseBody, label } = objectIn(value, name)
  if (typeof method !== 'string') throw damaged(`${name}.method is no text`)
  if (typeof url !== 'string' || !URL.canParse(url)) throw damaged(`${name}.url is no address`)
  if (status !== undefined && !Number.isInteger(status)) throw damaged(`${name}.status is no number`)
  if (typeof responseBody !== 'string') throw damaged(`${name}.responseBody is no text`)
  objectIn(requestHeaders, `${name}.requestHeaders`)
  objectIn(responseHeaders, `${name}.responseHeaders`)
  if (label === undefined) return
  const { step, attempt } = objectIn(label, `${name}.label`)
  const known: readonly unknown[] = stepNames
  if (!known.includes(step)) throw damaged(`${name}.label.step is no step of the suite`)
  if (!Number.isInteger(attempt)) throw damaged(`${name}.label.attempt is no number`)
}

function mustBeSettings({ profile, selected, tries }: Record<string, unknown>): void {
  const { flaw } = readProfile(JSON.stringify(profile ?? null))
  if (flaw) throw damaged(`settings.profile cannot be used: ${flaw}`)
  const known: readonly unknown[] = requirementIds
  if (!Array.isArray(selected) || !selected.every((id) => known.includes(id))) {
    throw damaged('settings.selected is no list of checks')
  }
  if (!Number.isInteger(tries)) throw damaged('settings.tries is no number')
}

function objectIn(value: unknown, name: string): Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw damaged(`${name} is no object`)
  return value as Record<string, unknown>
}

function damaged(what: string): ReportError {
  return new ReportError(`It is damaged: ${what}. Name a report.json as the suite wrote it.`)
}
