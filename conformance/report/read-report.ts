import { isObject } from '../../src/contract/json.ts'
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

/** The parts of a report that verdicts depend on: members with their kinds, or with parts of their own. */
type Shape = keyof typeof kinds | { readonly [member: string]: Shape } | readonly [Shape]

const kinds = {
  'a string': (value: unknown) => typeof value === 'string',
  'a number': (value: unknown) => typeof value === 'number',
  'a boolean': (value: unknown) => typeof value === 'boolean',
  'an integer': Number.isInteger,
  'a list': Array.isArray,
  'a URL': (value: unknown) => typeof value === 'string' && URL.canParse(value),
  'a list of checks': (value: unknown) => Array.isArray(value) && value.every((id) => requirementIds.includes(id)),
  'a step of the suite': (value: unknown) => stepNames.some((name) => name === value),
}

/** A question mark ends the name of a member that may be missing; a star stands for all members. */
const shape: Shape = {
  target: { url: 'a URL' },
  runId: 'a string',
  verdict: 'a string',
  startedAt: 'a string',
  durationMs: 'a number',
  'stopped?': 'a string',
  leftBehind: 'a list',
  notes: 'a list',
  exchanges: [
    {
      method: 'a string',
      url: 'a URL',
      'status?': 'an integer',
      durationMs: 'a number',
      // A truncated body must never be judged as a complete one.
      responseBody: 'a string',
      'isCut?': 'a boolean',
      'requestBody?': 'a string',
      'failure?': 'a string',
      ...{ requestHeaders: { '*': 'a string' }, responseHeaders: { '*': 'a string' } },
      'requestBytes?': { size: 'a number', sha256: 'a string', 'md5?': 'a string', 'crc32?': 'a string' },
      'label?': { step: 'a step of the suite', attempt: 'an integer' },
    },
  ],
  withheld: [{ what: 'a string', why: 'a string' }],
  crashes: [{ error: 'a string' }],
  settings: {
    selected: 'a list of checks',
    'requireVerified?': 'a list of checks',
    hasSecondKey: 'a boolean',
    asksQuestions: 'a boolean',
    tries: 'an integer',
  },
  'reads?': { needs: [{}] },
}

/** Throws if a value, which has this name in the report, does not have a shape. */
function mustFit(value: unknown, shape: Shape, name: string): void {
  if (typeof shape === 'string') {
    if (!kinds[shape](value)) throw damaged(`${name} is not ${shape}`)
  } else if (isRepeated(shape)) {
    if (!Array.isArray(value)) throw damaged(`${name} is not a list`)
    for (const [place, one] of value.entries()) mustFit(one, shape[0], `${name}[${place}]`)
  } else {
    const holder = objectIn(value, name)
    for (const [member, part] of Object.entries(shape)) {
      const own = member.replace('?', '')
      const names = member === '*' ? Object.keys(holder) : own === member || own in holder ? [own] : []
      for (const one of names) mustFit(holder[one], part, name === '' ? one : `${name}.${one}`)
    }
  }
}

const isRepeated = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape)

function readReport(json: unknown): Report {
  const { schemaVersion: version } = objectIn(json, '')
  if (version === undefined) {
    throw new ReportError('It is not a report of countersign conformance. Pass a report.json.')
  }
  if (version !== schemaVersion) {
    throw new ReportError(
      `It is a report of version ${JSON.stringify(version).slice(0, 20)}, but this Countersign reads version ${schemaVersion}. Run the suite again, or use the Countersign that wrote it.`,
    )
  }
  mustFit(json, shape, '')
  const report = json as Report
  const flaw = flawOf(report.settings.profile)
  if (flaw) throw damaged(`settings.profile cannot be used: ${flaw}`)
  const places = report.reads?.needs.map(
    ({ verdict: _, message: __, exchanges: ___, elsewhere: ____, ...place }) => place,
  )
  const needsFlaw = places && flawOfReads({ version: 1, places })
  if (needsFlaw) throw damaged(`in reads.needs, ${needsFlaw}`)
  return report
}

function objectIn(value: unknown, name: string): Record<string, unknown> {
  if (!isObject(value)) throw damaged(`${name || 'the report'} is not an object`)
  return value
}

function damaged(what: string): ReportError {
  return new ReportError(`It is damaged: ${what}. Pass an unchanged report.json.`)
}
