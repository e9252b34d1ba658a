import { type RequirementId, requirement, requirementIds } from '../catalogue/catalogue.ts'
import { cut, inert } from '../wire/inert.ts'
import type { JudgeSettings, RunJudgement } from './judge-run.ts'
import { type Judged, runVerdict, type Verdict } from './verdict.ts'

/** A failure that is known, and who will see to it until when. */
export interface BaselineEntry {
  readonly check: RequirementId
  readonly owner: string
  readonly reason: string
  /** The last day on which it counts, as YYYY-MM-DD in UTC. */
  readonly expires: string
}

/** What a baseline made of a run. */
export interface BaselineOutcome {
  /** Entries whose check failed, as they say. */
  readonly expected: readonly BaselineEntry[]
  /** Entries whose check passed or was accepted, so that they have to go. */
  readonly unexpectedPasses: readonly BaselineEntry[]
  /** Entries whose last day is over: each counts as a failure, whatever its check came to. */
  readonly expired: readonly BaselineEntry[]
}

/** The outcome where there is no baseline. */
export const noBaseline: BaselineOutcome = { expected: [], unexpectedPasses: [], expired: [] }

/** A baseline that cannot be used, in one line. */
export class BaselineError extends Error {
  constructor(why: string, remedy: string) {
    super(`Failed to use the baseline: because ${why}. ${remedy}`)
  }
}

/** Reads a baseline (baseline.schema.json). Throws a `BaselineError` that names the entry and the field. */
export function readBaseline(text: string): BaselineEntry[] {
  const file = record(parsed(text), 'it')
  refuseOthers(file, ['$schema', 'entries'], 'it')
  if ('$schema' in file && typeof file.$schema !== 'string')
    throw new BaselineError("'$schema' is no string", 'Mend it.')
  if (!Array.isArray(file.entries)) throw new BaselineError("it has no list 'entries'", 'Add one; it may be empty.')
  const entries = file.entries.map(readEntry)
  entries.forEach(({ check }, place) => {
    const first = entries.findIndex((entry) => entry.check === check)
    if (first !== place) {
      throw new BaselineError(`entries ${first + 1} and ${place + 1} are both for ${check}`, 'Keep one of them.')
    }
  })
  return entries
}

/** An entry that expires within so many days is told. */
const warningDays = 7

/** The days from one to another, both given as YYYY-MM-DD; negative if the other is earlier. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
}

function noteOfEnd({ check, expires, owner }: BaselineEntry, today: string): string[] {
  const left = daysBetween(today, expires)
  const who = `(owner: ${inOneLine(owner)})`
  if (left < 0) {
    return [
      `The baseline's entry for ${check} expired on ${expires} ${who} and counts as a failure. Repair the deployment and remove the entry, or agree on another date.`,
    ]
  }
  if (left > warningDays) return []
  const when = left === 0 ? 'today' : left === 1 ? 'tomorrow' : `in ${left} days`
  return [
    `Warning: the baseline's entry for ${check} expires ${when}, on ${expires} ${who}. Repair the deployment before, or agree on another date.`,
  ]
}

/** As much of a run as a baseline looks at. */
type Judgeable = Pick<RunJudgement, 'verdict' | 'checks' | 'notes'> & {
  readonly settings: Pick<JudgeSettings, 'requireVerified'>
}

/** Judges a run once more in the light of what is known to fail, on a day given as YYYY-MM-DD. No check's own verdict changes. */
export function applyBaseline<Run extends Judgeable>(
  result: Run,
  entries: readonly BaselineEntry[],
  today: string,
): { readonly result: Run } & BaselineOutcome {
  const expired = entries.filter(({ expires }) => expires < today)
  const mustBeVerified = (id: RequirementId) => result.settings.requireVerified?.includes(id) ?? false
  const found = (wanted: Verdict) =>
    entries.filter(({ check }) => result.checks.some(({ id, verdict }) => id === check && verdict === wanted))
  const expected = found('fail').filter((entry) => !expired.includes(entry))
  const accepted = found('accepted').filter(({ check }) => !mustBeVerified(check))
  const unexpectedPasses = [...found('pass'), ...accepted]
  const lists = (some: readonly BaselineEntry[], id: RequirementId) => some.some(({ check }) => check === id)
  const judged = result.checks
    .filter(({ id }) => !lists(expected, id))
    .map((check) => (lists([...unexpectedPasses, ...expired], check.id) ? { ...check, ...broken } : check))
  const notes = unexpectedPasses.map((entry) => {
    const how = accepted.includes(entry) ? 'is accepted' : 'passes'
    return `${entry.check} ${how}, though the baseline lists it as a known failure. Remove its entry.`
  })
  // A run that broke stays broken, and one with nothing to excuse stays as it is, whatever the runner's reasons were.
  const isKept = result.verdict === 'could-not-run' || entries.length === 0
  const verdict = isKept ? result.verdict : runVerdict(judged, ({ id }) => mustBeVerified(id))
  const ends = entries.flatMap((entry) => noteOfEnd(entry, today))
  const all = [...result.notes, ...ends, ...notes]
  return { result: { ...result, verdict, notes: all }, expected, unexpectedPasses, expired }
}

/** What an entry that has to go counts as. */
const broken: Judged = { verdict: 'fail', provenance: 'documented', level: 'must' }

const fields = ['check', 'owner', 'reason', 'expires'] as const

function readEntry(value: unknown, place: number): BaselineEntry {
  const name = `entry ${place + 1}`
  const entry = record(value, name)
  refuseOthers(entry, fields, name)
  for (const field of fields) {
    const text = entry[field]
    if (typeof text !== 'string' || !/\S/.test(text)) {
      throw new BaselineError(`${name} has no text in '${field}'`, 'Write one.')
    }
  }
  const { check, owner, reason, expires } = entry as Record<(typeof fields)[number], string>
  return { check: checkId(check, name), owner, reason, expires: day(expires, name) }
}

function checkId(text: string, name: string): RequirementId {
  const id = requirementIds.find((candidate) => candidate === text)
  if (!id) throw new BaselineError(`'check' of ${name} is ${quoted(text)}, which is no check`, 'See requirements.yaml.')
  if (requirement(id).unobservable) {
    throw new BaselineError(`'check' of ${name} is '${id}', which nothing can check`, 'Remove the entry.')
  }
  return id
}

function day(text: string, name: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // Some engines take 30 February for a day in March.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) {
    throw new BaselineError(`'expires' of ${name} is ${quoted(text)}`, 'Write a day as YYYY-MM-DD.')
  }
  return text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new BaselineError('it is not JSON', 'It looks like {"entries": []}.')
  }
}

function record(value: unknown, name: string): Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new BaselineError(`${name} is no object`, 'Write it in braces.')
  }
  return value as Record<string, unknown>
}

function refuseOthers(value: Record<string, unknown>, known: readonly string[], name: string): void {
  const other = Object.keys(value).find((field) => !known.includes(field))
  if (other !== undefined) {
    throw new BaselineError(`${name} has a field ${quoted(other)}`, `There is ${known.join(', ')}.`)
  }
}

function quoted(text: string): string {
  return `'${inOneLine(text)}'`
}

function inOneLine(text: string): string {
  return cut(inert(text), 80)
}
