/** Learns a deployment from a session, and measures how far the mock answers like it. */
import { progressIn } from '../../conformance/learning/courses.ts'
import { acceptedIn, corsIn, type Lesson, learnTemplates, oddIn, refusesIn } from '../../conformance/learning/learn.ts'
import { type LessonExchange, plans, takeLesson } from '../../conformance/learning/lesson.ts'
import { type Likeness, measureLikeness } from '../../conformance/learning/likeness.ts'
import { paceIn } from '../../conformance/learning/pace.ts'
import { executionPathsIn, followIdentifiers, Places } from '../../conformance/learning/roles.ts'
import { doubtOf } from '../../conformance/learning/sample.ts'
import { isListOfWorkflows, withOwnLists } from '../../conformance/learning/workflow-list.ts'
import { baseUrlOf, type TimedExchange } from '../../conformance/session/calls.ts'
import type { Exchange } from '../../conformance/wire/exchange.ts'
import { Target, type TargetOptions } from '../../conformance/wire/target.ts'
import { realTime } from '../../conformance/wire/transport.ts'
import { createMock, type MockOptions } from '../mock.ts'
import type { Profile } from '../profile/profile.ts'
import { unknownKey } from '../profile/strictness.ts'
import { storageName } from '../profile/tolerance.ts'
import { Decisions } from './decisions.ts'
import { mirror } from './mirror.ts'
import { keepSettled } from './settled.ts'

/** The profile that a session yields, and how it was found. */
export interface Learned {
  readonly profile: Profile
  readonly lesson: Lesson
}

interface LearnFromOptions {
  readonly apiKey: string
  readonly hints?: Profile
  readonly places?: Places
  /** Another session, of which only what was accepted and refused counts. */
  readonly probes?: readonly TimedExchange[]
  /** Preflights of pages on other origins. */
  readonly preflights?: readonly Exchange[]
}

/** Makes a profile from a session. `hints` are kept. */
export async function learnFrom(
  exchanges: readonly TimedExchange[],
  { apiKey, hints = {}, places = new Places(), probes = [], preflights = [] }: LearnFromOptions,
): Promise<Learned> {
  const session = followIdentifiers(withListsOf(exchanges), places)
  const probed = followIdentifiers(probes)
  const progress = progressIn(session, probed)
  const { goesOn, endsAtOnce } = progress
  // The mirror has no counterpart of an execution that has gone on in a way which no decision explains.
  const clear = session.filter(({ exchange }) => !progress.unclear.has(exchange))
  const executionPaths = executionPathsIn(session)
  const asContract = { apiKey, courses: progress.courses, executionPaths }
  const pairs = [...(await mirror(clear, asContract)), ...(await mirror(probed, asContract))]
  const odd = oddIn(pairs)
  const refuses = refusesIn(pairs, [...exchanges, ...preflights])
  // The mirror goes on with what the deployment accepts, so that its answers show the deployment's defaults.
  const accepts = acceptedIn(pairs).filter((name) => /^\w+ (required|enum) /.test(name) || name === anyLength)
  const options = { ...asContract, refuses, accepts }
  const probePairs = await mirror(probed, options)
  const { approvers, lesson } = await leastDoubtful(
    goesOn ? ['auto'] : endsAtOnce ? atOnceFirst : openFirst,
    async (approvers) => learnTemplates(await mirror(clear, { ...options, approvers }), probePairs, odd),
  )
  const accepted = [...new Set([...lesson.accepts, ...accepts])].toSorted()
  const { uploadUrl, ...identifiers } = lesson.identifiers
  const cors = corsIn([...probes, ...preflights, ...exchanges])
  const hasStorageOrigin = session.some(
    ({ roles, exchange }) =>
      roles.uploadUrl !== undefined && new URL(roles.uploadUrl).origin !== new URL(exchange.request.url).origin,
  )
  const pace = approvers === 'auto' ? paceIn(progress.courses) : undefined
  const basePath = exchanges[0] ? new URL(baseUrlOf(exchanges[0].request.url)).pathname.replace(/\/$/, '') : ''
  const profile: Profile = {
    version: 1,
    ...hints,
    learned: {
      at: new Date(exchanges[0]?.at ?? Date.now()).toISOString(),
      answers: exchanges.length,
      ...guessedIn(lesson),
    },
    approvers,
    ...(pace && { pace }),
    ...(accepted.length > 0 && { accepts: accepted }),
    ...(refuses.length > 0 && { refuses }),
    ...(cors && { cors }),
    ...(hasStorageOrigin && { hasStorageOrigin }),
    identifiers,
    ...(uploadUrl !== undefined && { uploadUrl }),
    ...(basePath !== '' && { basePath }),
    answers: lesson.answers,
    ...(lesson.answers.getExecution !== undefined && { executionPaths }),
    refusals: lesson.refusals,
  }
  return settledAs(hints, { profile, lesson })
}

type Approvers = NonNullable<MockOptions['approvers']>

/** Learns with approvers of each kind, and returns the lesson with the least doubt. */
async function leastDoubtful(
  kinds: readonly Approvers[],
  learn: (approvers: Approvers) => Promise<Lesson>,
): Promise<{ readonly approvers: Approvers; readonly lesson: Lesson }> {
  const tries: { approvers: Approvers; lesson: Lesson }[] = []
  for (const approvers of kinds) {
    const lesson = await learn(approvers)
    tries.push({ approvers, lesson })
    // Without guesses, no other try can be better.
    if (lesson.guesses.length === 0) break
  }
  const [best] = tries.toSorted((a, b) => doubtOf(a.lesson.guesses) - doubtOf(b.lesson.guesses))
  if (!best) throw new TypeError('Nothing was learned.')
  return best
}

/** Returns the guesses by their places. */
function guessedIn({ guesses }: Lesson): { readonly guessed?: Readonly<Record<string, string>> } {
  const all = guesses.map(({ answer, pointer, why }) => [`${answer} ${pointer}`, why] as const)
  return all.length === 0 ? {} : { guessed: Object.fromEntries(all) }
}

/** Keeps what a person has settled, which is no guess then. */
function settledAs(hints: Profile, { profile, lesson }: Learned): Learned {
  if (!hints.settled?.length) return { profile, lesson }
  const names = new Set(hints.settled)
  const guesses = lesson.guesses.filter(({ answer, pointer }) => !names.has(`${answer} ${pointer}`))
  const { guessed: _, ...learned } = profile.learned ?? { at: '', answers: 0 }
  const left = { ...learned, ...guessedIn({ ...lesson, guesses }) }
  return { profile: { ...keepSettled(profile, hints), learned: left }, lesson: { ...lesson, guesses } }
}

/** Leaves out of lists the workflows that the session did not create. */
function withListsOf(exchanges: readonly TimedExchange[]): readonly TimedExchange[] {
  if (!exchanges.some(isListOfWorkflows)) return exchanges
  return withOwnLists(exchanges, new Set(followIdentifiers(exchanges).flatMap(({ roles }) => roles.workflow ?? [])))
}

/** Storage takes files that are shorter than announced. */
const anyLength = storageName('SignatureDoesNotMatch', 'length')

/** The key of the mock that is measured. */
const apiKey = 'test_measure'

/** The modes of approvers to try, the likelier first. It wins if both explain the answers equally well. */
const openFirst = ['manual', 'instant'] as const
const atOnceFirst = ['instant', 'manual'] as const

interface MeasureOptions {
  readonly places: Places
  readonly prefix: string
  /** Other sessions with the deployment, which show in which order its states come. */
  readonly others?: readonly (readonly TimedExchange[])[]
}

/**
 * Sends a session that the deployment has answered to a mock with the profile, and compares the answers. The mock's approvers decide
 * when the deployment's did, since decisions are input and not behaviour of the deployment.
 */
export async function measure(
  profile: Profile,
  theirs: readonly LessonExchange[],
  { places, prefix, others = [] }: MeasureOptions,
): Promise<Likeness> {
  const keys = profile.refuses?.includes(unknownKey) ? { keys: [apiKey] } : {}
  const startTime = theirs[0]?.at ?? Date.now()
  const { courses, moving, unclear } = progressIn(
    followIdentifiers(theirs, places),
    others.flatMap((one) => followIdentifiers(one, places)),
  )
  const follows = profile.approvers === 'auto'
  const approvers = follows ? ({ approvers: 'manual' } as const) : {}
  const like = { ...profile, executionDelayMs: 0, figuresDelayMs: 0 }
  const mock = createMock({ like, clockSpeed: 0, startTime, ...approvers, ...keys })
  const base = baseUrlOf(theirs[0]?.request.url ?? 'http://mock.invalid')
  const times = new Map(theirs.map(({ name, at }) => [name, at]))
  let now = startTime
  // The same address, so that links agree; nothing is sent there.
  const options: TargetOptions = { url: base, apiKey, fetch: mock.fetch, time: { ...realTime, date: () => now } }
  const target = new Target(options)
  const advanceTo = (at: number) => {
    if (at > now) mock.advance(at - now, apiKey)
    now = Math.max(at, now)
  }
  const decisions = new Decisions(mock, apiKey)
  const nameOf = (exchange: TimedExchange) => (exchange as LessonExchange).name
  const known = new Map(courses.map((course) => [nameOf(course.exchange), course]))
  let last = ''
  // Executions go on between the calls as they did on the deployment.
  const onCall = (name: string) => {
    const course = known.get(last)
    const started = mock.journal.read(apiKey).findLast(({ type }) => type === 'ExecutionStarted')
    if (follows && course && started?.type === 'ExecutionStarted') decisions.plan(course, started.execution_id)
    known.delete(last)
    last = name
    const at = times.get(name) ?? now
    decisions.takeUntil(at, advanceTo)
    advanceTo(at)
  }
  const plan = { ...plans.measuring, prefix }
  const { exchanges: ours } = await takeLesson(plan, { target, places, settleMs: 0, onCall })
  // If decisions are followed, only states that they do not explain are left out; else all executions that are under way.
  const names = new Set([...(follows && courses.length > 0 ? unclear : moving)].map(nameOf))
  return measureLikeness(
    theirs.filter((one) => !names.has(one.name)),
    ours.filter(({ name }) => !names.has(name)),
  )
}
