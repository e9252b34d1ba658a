import { type RequirementId, requirement, requirementIds } from '../catalogue/catalogue.ts'
import { showHidden, truncate } from '../wire/inert.ts'
import type { JudgeSettings, RunJudgement } from './judge-run.ts'
import { type Judged, runVerdict, type Verdict } from './verdict.ts'

/** A known failure, with its owner and expiry date. */
export interface BaselineEntry {
  readonly check: RequirementId
  readonly owner: string
  readonly reason: string
  /** The last day on which the entry is valid, as YYYY-MM-DD in UTC. */
  readonly expires: string
}

/** The effect of a baseline on a run. */
export interface BaselineOutcome {
  /** Entries whose check failed, as expected. */
  readonly expected: readonly BaselineEntry[]
  /** Entries whose check passed or was accepted, so that they must be removed. */
  readonly unexpectedPasses: readonly BaselineEntry[]
  /** Expired entries. Each counts as a failure, whatever the verdict of its check. */
  readonly expired: readonly BaselineEntry[]
}

/** The outcome without a baseline. */
export const noBaseline: BaselineOutcome = { expected: [], unexpectedPasses: [], expired: [] }

/** A baseline that cannot be used. The message is one line. */
export class BaselineError extends Error {
  constructor(why: string, remedy: string) {
    super(`The baseline cannot be used: ${why}. ${remedy}`)
  }
}

/** Returns the entries in the JSON of a baseline (baseline.schema.json). Throws a `BaselineError` that names the entry and the field. */
export function readBaseline(json: unknown): BaselineEntry[] {
  const file = mustBeObject(json, 'it', emptyBaseline)
  refuseOthers(file, ['$schema', 'entries'], 'it')
  if ('$schema' in file && typeof file.$schema !== 'string')
    throw new BaselineError("'$schema' is not a string", 'Use the path of the schema, or remove it.')
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

/** A warning is printed for an entry that expires within this many days. */
const warningDays = 7

/** Returns the days from one date to another, both as YYYY-MM-DD. Negative if the other is earlier. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
}

function noteOfEnd({ check, expires, owner }: BaselineEntry, today: string): string[] {
  const left = daysBetween(today, expires)
  const who = `(owner: ${inOneLine(owner)})`
  if (left < 0) {
    return [
      `The baseline's entry for ${check} expired on ${expires} ${who} and counts as a failure. Fix the deployment and remove the entry, or agree on a later date.`,
    ]
  }
  if (left > warningDays) return []
  const when = left === 0 ? 'today' : left === 1 ? 'tomorrow' : `in ${left} days`
  return [
    `Warning: the baseline's entry for ${check} expires ${when}, on ${expires} ${who}. Fix the deployment before then, or agree on a later date.`,
  ]
}

/** The part of a run that a baseline needs. */
type Judgeable = Pick<RunJudgement, 'verdict' | 'checks' | 'notes'> & {
  readonly settings: Pick<JudgeSettings, 'requireVerified'>
}

/** Applies a baseline of known failures to a run, on a day as YYYY-MM-DD. Verdicts of checks do not change. */
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
    return `${entry.check} ${how}, although the baseline lists it as a known failure. Remove its entry.`
  })
  // A run that could not run stays so. Without entries, the verdict does not change either.
  const isKept = result.verdict === 'could-not-run' || entries.length === 0
  const verdict = isKept ? result.verdict : runVerdict(judged, ({ id }) => mustBeVerified(id))
  const ends = entries.flatMap((entry) => noteOfEnd(entry, today))
  const all = [...result.notes, ...ends, ...notes]
  return { result: { ...result, verdict, notes: all }, expected, unexpectedPasses, expired }
}

/** The result that an unexpected pass counts as. */
const broken: Judged = { verdict: 'fail', provenance: 'documented', level: 'must' }

const fields = ['check', 'owner', 'reason', 'expires'] as const

function readEntry(value: unknown, place: number): BaselineEntry {
  const name = `entry ${place + 1}`
  const entry = mustBeObject(value, name, '{"check": "…", "owner": "…", "reason": "…", "expires": "YYYY-MM-DD"}')
  refuseOthers(entry, fields, name)
  for (const field of fields) {
    const text = entry[field]
    if (typeof text !== 'string' || !/\S/.test(text)) {
      throw new BaselineError(`${name} has no '${field}'`, 'Add a text.')
    }
  }
  const { check, owner, reason, expires } = entry as Record<(typeof fields)[number], string>
  return { check: mustBeCheck(check, name), owner, reason, expires: mustBeDay(expires, name) }
}

function mustBeCheck(text: string, name: string): RequirementId {
  const id = requirementIds.find((candidate) => candidate === text)
  if (!id)
    throw new BaselineError(
      `'check' of ${name} is ${quote(text)}, which is not a check`,
      'Use the id of a check as the report shows it, such as workflow.name.',
    )
  if (requirement(id).unobservable) {
    throw new BaselineError(`'check' of ${name} is '${id}', which no client can observe`, 'Remove the entry.')
  }
  return id
}

function mustBeDay(text: string, name: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // Some engines parse 30 February as a day in March.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) {
    throw new BaselineError(`'expires' of ${name} is ${quote(text)}`, 'Write a day as YYYY-MM-DD.')
  }
  return text
}

const emptyBaseline = '{"entries": []}'

function mustBeObject(value: unknown, name: string, example: string): Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new BaselineError(`${name} is not an object`, `Write it like ${example}.`)
  }
  return value as Record<string, unknown>
}

function refuseOthers(value: Record<string, unknown>, known: readonly string[], name: string): void {
  const other = Object.keys(value).find((field) => !known.includes(field))
  if (other !== undefined) {
    throw new BaselineError(`${name} has an unknown field ${quote(other)}`, `Use only ${known.join(', ')}.`)
  }
}

function quote(text: string): string {
  return `'${inOneLine(text)}'`
}

function inOneLine(text: string): string {
  return truncate(showHidden(text), 80)
}
