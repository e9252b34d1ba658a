import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  compareRuns,
  type SideComparison,
  type SideRun,
  sideOfReplay,
  sideOfRun,
} from '../../conformance/replay/compare.ts'
import { recordedCalls, replay } from '../../conformance/replay/replay.ts'
import type { SessionReport } from '../../conformance/replay/session-report.ts'
import type { SessionReportKind } from '../../conformance/report/kinds.ts'
import { judgeReport, ReportError } from '../../conformance/report/read-report.ts'
import { prepareFolder, writeFiles } from '../../conformance/report/write.ts'
import { run } from '../../conformance/run/runner.ts'
import type { HarSession } from '../../conformance/session/read-har.ts'
import { isNearby } from '../../conformance/wire/addresses.ts'
import { isObject } from '../contract/json.ts'
import { createMock } from '../mock.ts'
import type { Profile } from '../profile/profile.ts'
import { unknownKey } from '../profile/strictness.ts'
import { deploymentOf, orUnreachable } from './deployment.ts'
import { UsageError } from './exit.ts'
import { type ExploreFlags, explored, exploreSides, type NamedSide, requireConsent } from './explore-sides.ts'
import { readInputJson } from './input-file.ts'
import type { Surroundings } from './news.ts'
import { profileIn } from './profile-file.ts'
import { readReads } from './reads-file.ts'
import { finishSession, limitOfTime, limitsOf, type SessionFlags, sessionExits } from './replay-session.ts'
import { type KeyVariable, type RunPlan, runPlan, secondVariableOf } from './run-options.ts'
import { readSession, sessionIn } from './session-file.ts'

/** The flags of `countersign compare`. */
export interface CompareFlags extends SessionFlags, Partial<ExploreFlags> {
  readonly report: readonly SessionReportKind[]
  readonly reportDir: string
  readonly session?: string
  /** Files of what a front end reads. */
  readonly reads?: readonly string[]
  /** The module that draws sessions. The build bundles it. */
  readonly draw: string
}

export interface CompareTask {
  readonly a: string
  readonly b: string
  readonly flags: CompareFlags
  /** True to print with colours. */
  readonly colour: boolean
}

interface LiveSide {
  readonly kind: 'live'
  readonly name: string
  readonly plan: RunPlan
  readonly keyVariable: KeyVariable
  readonly like?: Profile
}

/** One of the two sides. */
type Side =
  | LiveSide
  | { readonly kind: 'report'; readonly name: string; readonly run: SideRun; readonly hasSecondKey: boolean }
  | { readonly kind: 'session'; readonly name: string; readonly session: HarSession }

/** Compares two sides, prints the differences, writes the reports, and returns the exit code. */
export async function compareDeployments(
  { a, b, flags: options, colour }: CompareTask,
  { tell, signal }: Surroundings,
): Promise<number> {
  const {
    report,
    reportDir,
    session: file,
    reads: readFiles,
    draw,
    explore,
    seed = randomSeed(),
    yes = false,
    ...flags
  } = options
  const print = (text: string) => tell({ kind: 'print', text })
  // A key is sent to another host only if it was set for it.
  const isOtherHost = hostOf(a) !== undefined && hostOf(a) !== hostOf(b)
  const { sides, notes } = withSameTenants([
    await sideOf(a, flags, 'A', isOtherHost),
    await sideOf(b, flags, 'B', isOtherHost),
  ])
  const reads = readFiles && (await readReads(readFiles)).places
  const given = file === undefined ? undefined : sessionIn(await readSession(file), { needsBodies: false })
  const recorded = sides.flatMap((side) => (side.kind === 'session' ? [side.session] : []))
  const session = given ?? recorded[0]
  if (session && sides.some(({ kind }) => kind === 'report')) {
    throw new UsageError(
      'A report has a run of the suite, and cannot be compared with a session. Name a HAR file, or leave out the session.',
    )
  }
  if (report.length > 0 || explore !== undefined) await prepareFolder(reportDir)
  const startedAt = new Date()
  const finish = async (result: SessionReport) => {
    const noted = { ...result, notes: [...result.notes, ...notes] }
    return sessionExits[await finishSession(noted, { report, reportDir, colour, print, late: noted.rows })]
  }
  const course = new Course(tell)
  if (explore !== undefined) {
    const [one, other] = await Promise.all(sides.map((side) => exploredSide(side, explore, session, course)))
    if (!one || !other) throw new TypeError('There are two sides.')
    const flagged = { explore, seed, yes }
    requireConsent([one.url, other.url], flagged)
    const found = await exploreSides([one, other], flagged, { draw, signal, reportDir })
    if (found.har !== undefined) await writeFiles(reportDir, [[explored, found.har]])
    if (found.commands.length > 0) print(`\n${found.commands.join('\n')}\n\n`)
    return finish(found.report)
  }
  const [left, right] = [sides[0], sides[1]].map(
    (side) => new Runs(side, { session, signal, course, isBesideRecording: recorded.length > 0 }),
  )
  if (!left || !right) throw new TypeError('There are two sides.')
  const comparison = await compareRuns(
    (count) => left.atLeast(count),
    (count) => right.atLeast(count),
    { isInTurn: isOneDeployment(a, b), ...(reads && { reads }) },
  )
  return finish(reportOf(sides, comparison, startedAt, signal.aborted || left.isCut || right.isCut))
}

/** Removes second keys unless both sides have one, since calls that only one side is sent cannot be compared. Returns a note on that. */
function withSameTenants([a, b]: readonly [Side, Side]): {
  readonly sides: readonly [Side, Side]
  readonly notes: readonly string[]
} {
  const missing = [a, b].flatMap((side) => {
    if (side.kind === 'report') return side.hasSecondKey ? [] : [`the run of ${side.name} had no second key`]
    if (side.kind === 'session' || side.plan.secondKey !== undefined) return []
    return [`${secondVariableOf(side.keyVariable)} is not set`]
  })
  if (missing.length === 0) return { sides: [a, b], notes: [] }
  const withoutSecond = (side: Side): Side => {
    if (side.kind !== 'live') return side
    const { secondKey: _, ...plan } = side.plan
    return { ...side, plan }
  }
  const why = [...new Set(missing)].join(', and ')
  return { sides: [withoutSecond(a), withoutSecond(b)], notes: [`Tenants were not compared: ${why}.`] }
}

/** Any seed of 32 bits. */
const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0

/** Returns the options for exploring a side. Throws a `UsageError` for a side that answers nothing. */
async function exploredSide(
  side: Side,
  most: number,
  session: HarSession | undefined,
  course: Course,
): Promise<NamedSide> {
  if (side.kind !== 'live' || session) {
    throw new UsageError(
      'Only sides that answer can be explored. Name two URLs, profiles or reference, and no session.',
    )
  }
  return { ...(await targetOf(side, course)), name: side.name, maxMs: limitOfTime(most, side.plan) }
}

function reportOf(
  [a, b]: readonly [Side, Side],
  { rows, noise, compared, noService: [noA, noB] }: SideComparison,
  startedAt: Date,
  isStopped: boolean,
): SessionReport {
  const isBlind = compared === 0 || (noA && noB) || noA?.refusesKey || noB?.refusesKey
  const verdict = isStopped ? 'could-not-run' : isBlind ? 'undecided' : rows.length > 0 ? 'different' : 'same'
  return {
    command: 'compare',
    subject: `A ${a.name} and B ${b.name}`,
    verdict,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    rows,
    notes: [
      ...(noA ? [`A: ${noA.why}.`] : []),
      ...(noB ? [`B: ${noB.why}.`] : []),
      `${compared} things were compared.`,
      ...(noise > 0 ? [`${noise} of them differ between two runs of one side, which is noise and no difference.`] : []),
    ],
    details: { a: a.name, b: b.name, compared, noise, differences: rows },
  }
}

/** Tells which runs there are, and how many requests they have sent. */
class Course {
  readonly #tell: Surroundings['tell']
  readonly #runs = new Map<LiveSide, number>()
  #sent = 0

  constructor(tell: Surroundings['tell']) {
    this.#tell = tell
  }

  /** Notes that a side begins its next run. */
  begin(side: LiveSide): void {
    this.#runs.set(side, (this.#runs.get(side) ?? 0) + 1)
  }

  /** Notes that a request is sent. */
  send(): void {
    this.#sent += 1
    const runs = [...this.#runs].map(([{ name }, run]) => `run ${run} of ${name}`)
    this.#tell({ kind: 'stage', stage: runs.join(', ') || 'explore', sent: this.#sent })
  }
}

interface RunsOptions {
  readonly session: HarSession | undefined
  readonly signal: AbortSignal
  readonly course: Course
  readonly isBesideRecording: boolean
}

/** The runs of one side. */
class Runs {
  readonly #side: Side
  readonly #options: RunsOptions
  readonly #runs: SideRun[] = []
  /** True if a run ended before its time. */
  isCut = false

  constructor(side: Side, options: RunsOptions) {
    this.#side = side
    this.#options = options
  }

  /** Returns the runs so far. Runs a live side again until it has at least `count` runs. */
  async atLeast(count: number): Promise<readonly SideRun[]> {
    const side = this.#side
    if (side.kind === 'report') return [side.run]
    if (side.kind === 'session') return [sideOfReplay({ calls: recordedCalls(side.session) }, 'recorded')]
    while (this.#runs.length < count && !this.#options.signal.aborted) this.#runs.push(await this.#run(side))
    return this.#runs
  }

  async #run(side: LiveSide): Promise<SideRun> {
    const { plan } = side
    const { session, signal, course, isBesideRecording } = this.#options
    course.begin(side)
    const target = { ...(await targetOf(side, course)), signal }
    return orUnreachable(plan, async () => {
      if (session) {
        const result = await replay({ ...target, ...limitsOf(session, plan), session })
        this.isCut ||= result.verdict === 'could-not-run'
        return sideOfReplay(result, 'now', { isBesideRecording })
      }
      const result = await run({ ...target, tries: 1, gaps: true })
      this.isCut ||= result.verdict === 'could-not-run'
      return sideOfRun(result)
    })
  }
}

/** Creates the mock that answers for a profile, with files at another origin if the deployment has them there. */
function mockOf(like: Profile, { apiKey, secondKey }: RunPlan) {
  return createMock({
    like,
    ...(like.hasStorageOrigin === true && { storageOrigin: 'http://storage.invalid' }),
    ...(like.refuses?.includes(unknownKey) && { keys: [apiKey, ...(secondKey === undefined ? [] : [secondKey])] }),
  })
}

/** Returns the options for calling a side. */
async function targetOf({ plan, like }: LiveSide, course: Course) {
  const { fetch, ...options } = { ...(await deploymentOf(plan)), ...(like && { fetch: mockOf(like, plan).fetch }) }
  const send = (request: Request) => {
    course.send()
    return fetch(request)
  }
  return { ...options, fetch: send }
}

const hostOf = (text: string) => (/^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).hostname : undefined)

/** Returns true for two sides that would disturb each other, or get more requests per second than the limit, at the same time. */
function isOneDeployment(a: string, b: string): boolean {
  const host = hostOf(a)
  if (host === undefined || host !== hostOf(b)) return false
  return !isNearby(host) || new URL(a).origin === new URL(b).origin
}

async function sideOf(text: string, flags: SessionFlags, which: 'A' | 'B', isOtherHost: boolean): Promise<Side> {
  if (hostOf(text) !== undefined) {
    const isOwn = which === 'B' && (isOtherHost || Boolean(process.env.COUNTERSIGN_API_KEY_B))
    const keyVariable = isOwn ? 'COUNTERSIGN_API_KEY_B' : 'COUNTERSIGN_API_KEY'
    const plan = await runPlan({ ...flags, url: text, level: 'assumed', keyVariable })
    return { kind: 'live', name: plan.url, plan, keyVariable }
  }
  const keyVariable = 'COUNTERSIGN_API_KEY'
  const plan = { ...(await runPlan({ ...flags, url: '', level: 'assumed' })) }
  if (text === 'reference') return { kind: 'live', name: 'reference', plan, keyVariable }
  const json = await readInputJson(reportPath(text), sideFile)
  if (!isObject(json) || 'log' in json) {
    return { kind: 'session', name: text, session: sessionIn(json, { needsBodies: false }) }
  }
  if ('schemaVersion' in json) return { kind: 'report', name: text, ...reportIn(text, json) }
  return { kind: 'live', name: text, plan, keyVariable, like: profileIn(json, text) }
}

/** Returns the path of the report in a folder, or the path itself. */
function reportPath(path: string): string {
  const report = join(path, 'report.json')
  return existsSync(report) ? report : path
}

const sideFile = {
  what: 'The side',
  advice: 'Name a URL, reference, a report, a profile or a HAR file.',
}

function reportIn(path: string, report: object): { run: SideRun; hasSecondKey: boolean } {
  try {
    const { result } = judgeReport(report)
    return { run: sideOfRun(result), hasSecondKey: result.settings.hasSecondKey }
  } catch (error) {
    if (error instanceof ReportError) throw new UsageError(`${path} cannot be compared. ${error.message}`)
    throw error
  }
}
