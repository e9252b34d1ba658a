import { flawOf } from '../../src/profile/profile.ts'
import { flawOfReads } from '../../src/reads/reads-file.ts'
import { requirementIds } from '../catalogue/catalogue.ts'
import { judgeRun } from '../judging/judge-run.ts'
import { judgeNeeds } from '../reads/needs.ts'
import { showHidden } from '../wire/inert.ts'
import { stepNames } from '../wire/label.ts'
import { schemaVersion } from './json.ts'
import type { RunResult } from './result.ts'

/** A report that cannot be judged again. The message is one line with the reason and the remedy. */
export class ReportError extends Error {
  constructor(message: string) {
    // The message may quote the file.
    super(showHidden(message))
  }
}

/**
 * Judges a recorded run again from the JSON of its `report.json`, without a network. Throws a `ReportError` if it is not
 * a report of this version, or lacks a member that verdicts depend on.
 */
export function judgeReport(json: unknown): { readonly result: RunResult; readonly recorded: RunResult['verdict'] } {
  const report = readReport(json)
  const { target, settings, exchanges, withheld, crashes, verdict: recorded, ...kept } = report
  const transcript = { exchanges, withheld, crashes }
  const judgement = judgeRun(transcript, { ...settings, url: target.url, runId: report.runId })
  // Judging repeats its own notes; those of the run do not follow from the transcript.
  const notes = [...new Set([...kept.notes, ...judgement.notes])]
  const reads = kept.reads && judgeNeeds(kept.reads.needs, transcript, judgement.findings)
  const verdict = kept.stopped === undefined ? judgement.verdict : 'could-not-run'
  const result = {
    ...kept,
    settings,
    ...transcript,
    ...judgement,
    verdict,
    notes,
    url: target.url,
    ...(reads && { reads }),
  }
  return { result, recorded }
}

type Report = Omit<RunResult, 'url'> & { readonly target: { readonly url: string } }

function readReport(json: unknown): Report {
  const report = objectIn(json, 'the report')
  if (!('schemaVersion' in report)) {
    throw new ReportError('It is not a report of countersign conformance. Pass a report.json.')
  }
  if (report.schemaVersion !== schemaVersion) {
    const version = JSON.stringify(report.schemaVersion)?.slice(0, 20)
    throw new ReportError(
      `It is a report of version ${version}, but this Countersign reads version ${schemaVersion}. Run the suite again, or use the Countersign that wrote it.`,
    )
  }
  const { url } = objectIn(report.target, 'target')
  if (typeof url !== 'string' || !URL.canParse(url)) throw damaged('target.url is not a URL')
  for (const name of ['exchanges', 'withheld', 'crashes', 'leftBehind', 'notes'] as const) {
    if (!Array.isArray(report[name])) throw damaged(`${name} is not a list`)
  }
  for (const name of ['runId', 'verdict', 'startedAt']) mustBe('string', report, name)
  mustBe('number', report, 'durationMs')
  if ('stopped' in report) mustBe('string', report, 'stopped')
  for (const [place, exchange] of (report.exchanges as unknown[]).entries()) mustBeExchange(exchange, place)
  const texts = { withheld: ['what', 'why'], crashes: ['error'] } as const
  for (const list of ['withheld', 'crashes'] as const) {
    for (const [place, value] of (report[list] as unknown[]).entries()) {
      const name = `${list}[${place}]`
      const one = objectIn(value, name)
      for (const text of texts[list]) mustBe('string', one, text, `${name}.`)
    }
  }
  mustBeSettings(objectIn(report.settings, 'settings'))
  if ('reads' in report) mustBeNeeds(objectIn(report.reads, 'reads').needs)
  return report as unknown as Report
}

function mustBeExchange(value: unknown, place: number): void {
  const name = `exchanges[${place}]`
  const exchange = objectIn(value, name)
  const { url, status, label } = exchange
  if (typeof url !== 'string' || !URL.canParse(url)) throw damaged(`${name}.url is not a URL`)
  if (status !== undefined && !Number.isInteger(status)) throw damaged(`${name}.status is not an integer`)
  for (const text of ['method', 'responseBody']) mustBe('string', exchange, text, `${name}.`)
  mustBe('number', exchange, 'durationMs', `${name}.`)
  for (const text of ['requestBody', 'failure']) if (text in exchange) mustBe('string', exchange, text, `${name}.`)
  // A truncated body must never be judged as a complete one.
  if ('isCut' in exchange) mustBe('boolean', exchange, 'isCut', `${name}.`)
  for (const headers of ['requestHeaders', 'responseHeaders']) {
    const found = objectIn(exchange[headers], `${name}.${headers}`)
    for (const header of Object.keys(found)) mustBe('string', found, header, `${name}.${headers}.`)
  }
  if ('requestBytes' in exchange) {
    const bytes = objectIn(exchange.requestBytes, `${name}.requestBytes`)
    mustBe('number', bytes, 'size', `${name}.requestBytes.`)
    mustBe('string', bytes, 'sha256', `${name}.requestBytes.`)
    for (const sum of ['md5', 'crc32']) if (sum in bytes) mustBe('string', bytes, sum, `${name}.requestBytes.`)
  }
  if (label === undefined) return
  const { step, attempt } = objectIn(label, `${name}.label`)
  const known: readonly unknown[] = stepNames
  if (!known.includes(step)) throw damaged(`${name}.label.step is not a step of the suite`)
  if (!Number.isInteger(attempt)) throw damaged(`${name}.label.attempt is not an integer`)
}

function mustBeSettings(settings: Record<string, unknown>): void {
  const { profile, tries } = settings
  const flaw = flawOf(profile)
  if (flaw) throw damaged(`settings.profile cannot be used: ${flaw}`)
  const known: readonly unknown[] = requirementIds
  const { selected, requireVerified = [] } = settings
  for (const [name, list] of Object.entries({ selected, requireVerified })) {
    if (!Array.isArray(list) || !list.every((id) => known.includes(id))) {
      throw damaged(`settings.${name} is not a list of checks`)
    }
  }
  for (const name of ['hasSecondKey', 'asksQuestions']) mustBe('boolean', settings, name, 'settings.')
  if (!Number.isInteger(tries)) throw damaged('settings.tries is not an integer')
}

function mustBeNeeds(needs: unknown): void {
  const places = Array.isArray(needs)
    ? needs.map((need, index) => {
        const {
          verdict: _,
          message: __,
          exchanges: ___,
          elsewhere: ____,
          ...place
        } = objectIn(need, `reads.needs[${index}]`)
        return place
      })
    : needs
  const flaw = flawOfReads({ version: 1, places })
  if (flaw) throw damaged(`in reads.needs, ${flaw}`)
}

const types = { string: 'string', number: 'number', boolean: 'boolean' } as const

/** Throws if a member does not have a type. `within` is the prefix of its name in the message. */
function mustBe(type: keyof typeof types, value: Record<string, unknown>, name: string, within = ''): void {
  if (typeof value[name] !== types[type]) throw damaged(`${within}${name} is not a ${type}`)
}

function objectIn(value: unknown, name: string): Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw damaged(`${name} is not an object`)
  return value as Record<string, unknown>
}

function damaged(what: string): ReportError {
  return new ReportError(`It is damaged: ${what}. Pass an unchanged report.json.`)
}
