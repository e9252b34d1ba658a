import { compareRuns, type SideRun, sideOfReplay, sideOfRun } from '../conformance/replay/compare.ts'
import { recordedCalls, replay } from '../conformance/replay/replay.ts'
import { prepareFolder } from '../conformance/report/write.ts'
import { run } from '../conformance/run/runner.ts'
import type { HarSession } from '../conformance/session/read-har.ts'
import { isNearby } from '../conformance/wire/addresses.ts'
import { isObject } from '../src/contract/json.ts'
import { createMock } from '../src/mock.ts'
import type { Profile } from '../src/profile/profile.ts'
import { unknownKey } from '../src/profile/strictness.ts'
import { type CalledDeployment, callDeployment, deploymentOf } from './deployment.ts'
import { UsageError } from './exit.ts'
import { exploreSides, type Findings } from './explore.ts'
import { type InputKind, profileFile, readAs, readJsonFile, valueIn } from './input.ts'
import { reportAt, reportFile } from './judge.ts'
import type { Surroundings } from './news.ts'
import type { Flags } from './options.ts'
import { type KeyVariable, type RunPlan, runPlan, secondVariableOf } from './plan.ts'
import { readReads } from './reads.ts'
import { finishSession, limitOfTime, limitsOf, type Shown } from './replay.ts'
import { sessionFile } from './session.ts'

/** A side that answers. */
interface LiveSide {
  readonly name: string
  readonly plan: RunPlan
  readonly keyVariable: KeyVariable
  readonly like?: Profile
}

/** A side whose run is over. */
interface RecordedSide {
  readonly name: string
  readonly run: SideRun
  /** The session that was sent; a report has none. */
  readonly session?: HarSession
  readonly hasSecondKey?: boolean
}

type Side = LiveSide | RecordedSide

/** Compares two sides, prints the differences, writes the reports, and returns the exit code. */
export async function compareDeployments(
  { a, b, flags, ...shown }: { readonly a: string; readonly b: string; readonly flags: Flags<'compare'> } & Shown,
  surroundings: Surroundings,
): Promise<number> {
  const { report, reportDir, session: file, reads: readFiles, explore: most } = flags
  const { tell, signal } = surroundings
  // A key is sent to another host only if it was set for it.
  const isOtherHost = hostOf(a) !== undefined && hostOf(a) !== hostOf(b)
  const { sides, notes } = withSameTenants([
    await sideOf(a, flags, 'A', isOtherHost),
    await sideOf(b, flags, 'B', isOtherHost),
  ])
  const reads = readFiles && (await readReads(readFiles)).places
  const given = file === undefined ? undefined : await readAs(file, recording)
  const [recorded] = sides.flatMap((side) => ('session' in side ? [side.session] : []))
  const session = given ?? recorded
  if (session && sides.some((side) => 'run' in side && !('session' in side))) {
    throw new UsageError(
      'A report has a run of the suite, and cannot be compared with a session. Name a HAR file, or leave out the session.',
    )
  }
  if (report.length > 0 || most !== undefined) await prepareFolder(reportDir)
  const startedAt = new Date()
  const course: Course = { tell, runs: new Map(), sent: 0, isCut: false }
  const explored = async (side: Side, most: number) => {
    if ('run' in side || session) throw new UsageError(nothingToExplore)
    const target = targetOf(side, await deploymentOf(side.plan), course)
    return { ...target, name: side.name, maxMs: limitOfTime(most, side.plan) }
  }
  const found =
    most === undefined
      ? await compareSides(
          sides,
          { signal, session, course, isBesideRecording: recorded !== undefined },
          { isInTurn: isOneDeployment(a, b), ...(reads && { reads }) },
        )
      : await exploreSides([await explored(sides[0], most), await explored(sides[1], most)], most, flags, surroundings)
  const result = {
    ...found,
    ...({ command: 'compare', subject: `A ${sides[0].name} and B ${sides[1].name}` } as const),
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    notes: [...found.notes, ...notes],
  }
  return finishSession(result, { ...flags, ...shown, tell, late: result.rows })
}

const nothingToExplore = 'Only sides that answer can be explored. Name two URLs, profiles or reference, and no session.'

/** Removes second keys unless both sides have one, since calls that only one side is sent cannot be compared. Returns a note on that. */
function withSameTenants([a, b]: readonly [Side, Side]): {
  readonly sides: readonly [Side, Side]
  readonly notes: readonly string[]
} {
  const missing = [a, b].flatMap((side) => {
    if ('run' in side) return side.hasSecondKey === false ? [`the run of ${side.name} had no second key`] : []
    return side.plan.secondKey === undefined ? [`${secondVariableOf(side.keyVariable)} is not set`] : []
  })
  if (missing.length === 0) return { sides: [a, b], notes: [] }
  const withoutSecond = (side: Side): Side => {
    if ('run' in side) return side
    const { secondKey: _, ...plan } = side.plan
    return { ...side, plan }
  }
  const why = [...new Set(missing)].join(', and ')
  return { sides: [withoutSecond(a), withoutSecond(b)], notes: [`Tenants were not compared: ${why}.`] }
}

/** Compares the runs of two sides. */
async function compareSides(
  [a, b]: readonly [Side, Side],
  options: RunsOptions,
  how: Parameters<typeof compareRuns>[2],
): Promise<Findings> {
  const comparison = await compareRuns(runsOf(a, options), runsOf(b, options), how)
  const { rows, noise, compared, noService } = comparison
  const [noA, noB] = noService
  const isStopped = options.signal.aborted || options.course.isCut
  const isBlind = compared === 0 || (noA && noB) || noA?.refusesKey || noB?.refusesKey
  return {
    verdict: isStopped ? 'could-not-run' : isBlind ? 'undecided' : rows.length > 0 ? 'different' : 'same',
    rows,
    notes: [
      ...noService.flatMap((one, side) => (one ? [`${'AB'[side]}: ${one.why}.`] : [])),
      `${compared} things were compared.`,
      ...(noise > 0 ? [`${noise} of them differ between two runs of one side, which is noise and no difference.`] : []),
    ],
    details: { a: a.name, b: b.name, compared, noise, differences: rows },
  }
}

/** The course of all runs, for the progress: how many each side has begun, and the requests that were sent. */
interface Course extends Pick<Surroundings, 'tell'> {
  readonly runs: Map<LiveSide, number>
  sent: number
  /** True if a run ended before its time. */
  isCut: boolean
}

interface RunsOptions extends Pick<Surroundings, 'signal'> {
  readonly session: HarSession | undefined
  readonly course: Course
  readonly isBesideRecording: boolean
}

/** Creates a function that returns the runs of a side. It runs a live side again until it has at least `count` runs. */
function runsOf(side: Side, options: RunsOptions): (count: number) => Promise<readonly SideRun[]> {
  if ('run' in side) return async () => [side.run]
  const runs: SideRun[] = []
  return async (count) => {
    while (runs.length < count && !options.signal.aborted) runs.push(await runSide(side, options))
    return runs
  }
}

function runSide(side: LiveSide, options: RunsOptions): Promise<SideRun> {
  const { session, signal, course, isBesideRecording } = options
  const { plan } = side
  course.runs.set(side, (course.runs.get(side) ?? 0) + 1)
  return callDeployment(plan, async (deployment) => {
    const target = { ...targetOf(side, deployment, course), signal }
    const replayed = session && (await replay({ ...target, ...limitsOf(session, plan), session }))
    const result = replayed ?? (await run({ ...target, tries: 1, gaps: true }))
    course.isCut ||= result.verdict === 'could-not-run'
    return 'runId' in result ? sideOfRun(result) : sideOfReplay(result, 'now', { isBesideRecording })
  })
}

/** Creates the mock that answers for a profile, with files at another origin if the deployment has them there. */
function mockOf(like: Profile, { apiKey, secondKey }: RunPlan) {
  return createMock({
    like,
    ...(like.hasStorageOrigin === true && { storageOrigin: 'http://storage.invalid' }),
    ...(like.refuses?.includes(unknownKey) && { keys: [apiKey, ...(secondKey === undefined ? [] : [secondKey])] }),
  })
}

/** Returns the options for calling a side, which tell each request. */
function targetOf({ plan, like }: LiveSide, deployment: CalledDeployment, course: Course) {
  const fetch = like ? mockOf(like, plan).fetch : deployment.fetch
  const send = (request: Request) => {
    const runs = [...course.runs].map(([{ name }, run]) => `run ${run} of ${name}`)
    course.sent += 1
    course.tell({ kind: 'progress', progress: { step: runs.join(', ') || 'explore', sent: course.sent } })
    return fetch(request)
  }
  return { ...deployment, fetch: send }
}

const hostOf = (text: string) => (/^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).hostname : undefined)

/** Returns true for two sides that would disturb each other, or get more requests per second than the limit, at the same time. */
function isOneDeployment(a: string, b: string): boolean {
  const host = hostOf(a)
  if (host === undefined || host !== hostOf(b)) return false
  return !isNearby(host) || new URL(a).origin === new URL(b).origin
}

/** A session of which statuses are enough. */
const recording = sessionFile({ needsBodies: false })

async function sideOf(text: string, flags: Flags<'compare'>, which: 'A' | 'B', isOtherHost: boolean): Promise<Side> {
  if (hostOf(text) !== undefined) {
    const isOwn = which === 'B' && (isOtherHost || Boolean(process.env.COUNTERSIGN_API_KEY_B))
    const keyVariable = isOwn ? 'COUNTERSIGN_API_KEY_B' : 'COUNTERSIGN_API_KEY'
    const plan = await runPlan({ ...flags, url: text }, keyVariable)
    return { name: plan.url, plan, keyVariable }
  }
  const live = {
    name: text,
    keyVariable: 'COUNTERSIGN_API_KEY',
    plan: await runPlan({ ...flags, url: '' }),
  } as const
  if (text === 'reference') return live
  const path = reportAt(text)
  const json = await readJsonFile(path, sideFile)
  if (!isObject(json) || 'log' in json) {
    const session = valueIn(json, path, recording)
    return { name: text, session, run: sideOfReplay({ calls: recordedCalls(session) }, 'recorded') }
  }
  if (!('schemaVersion' in json)) return { ...live, like: valueIn(json, path, profileFile('')) }
  const { result } = valueIn(json, path, reportFile)
  return { name: text, run: sideOfRun(result), hasSecondKey: result.settings.hasSecondKey }
}

const sideFile: InputKind = {
  what: 'The side',
  advice: 'Name a URL, reference, a report, a profile or a HAR file.',
}
