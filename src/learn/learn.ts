/** Learns a deployment from a session, and measures how far the mock answers like it. */
import { executionMsIn, progressIn } from '../../conformance/learning/endings.ts'
import { corsIn, type Lesson, learnTemplates, refusedIn } from '../../conformance/learning/learn.ts'
import { type LessonExchange, plans, takeLesson } from '../../conformance/learning/lesson.ts'
import { type Likeness, measureLikeness } from '../../conformance/learning/likeness.ts'
import { followIdentifiers, Places } from '../../conformance/learning/roles.ts'
import { baseUrlOf, type TimedExchange } from '../../conformance/session/calls.ts'
import type { Exchange } from '../../conformance/wire/exchange.ts'
import { Target, type TargetOptions } from '../../conformance/wire/target.ts'
import { createMock, type MockOptions } from '../mock.ts'
import type { Profile } from '../profile/profile.ts'
import { mirror } from './mirror.ts'

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
  const session = followIdentifiers(exchanges, places)
  const probed = followIdentifiers(probes)
  const progress = progressIn(session)
  const { goesOn, endsAtOnce } = progress
  // The mirror has no counterpart of an execution that is neither at its start nor at its end.
  const clear = session.filter(({ exchange }) => !progress.between.has(exchange))
  const asContract = { apiKey, endings: progress.endings }
  const refuses = refusedIn([...(await mirror(clear, asContract)), ...(await mirror(probed, asContract))])
  const options = { ...asContract, refuses }
  const probePairs = await mirror(probed, options)
  const tries: { approvers: NonNullable<MockOptions['approvers']>; lesson: Lesson }[] = []
  for (const approvers of goesOn ? (['auto'] as const) : endsAtOnce ? atOnceFirst : openFirst) {
    const lesson = learnTemplates(await mirror(clear, { ...options, approvers }), probePairs)
    tries.push({ approvers, lesson })
    // Without guesses, no other try can be better.
    if (lesson.guesses.length === 0) break
  }
  const [best] = tries.toSorted((a, b) => a.lesson.guesses.length - b.lesson.guesses.length)
  if (!best) throw new TypeError('Nothing was learned.')
  const { approvers, lesson } = best
  const { uploadUrl, ...identifiers } = lesson.identifiers
  const cors = corsIn([...probes, ...preflights, ...exchanges])
  const hasStorageOrigin = session.some(
    ({ roles, exchange }) =>
      roles.uploadUrl !== undefined && new URL(roles.uploadUrl).origin !== new URL(exchange.request.url).origin,
  )
  const executionMs = approvers === 'auto' ? executionMsIn(progress.endings) : undefined
  const basePath = exchanges[0] ? new URL(baseUrlOf(exchanges[0].request.url)).pathname.replace(/\/$/, '') : ''
  const profile: Profile = {
    version: 1,
    ...hints,
    learned: { at: new Date(exchanges[0]?.at ?? Date.now()).toISOString(), answers: exchanges.length },
    approvers,
    ...(executionMs !== undefined && { executionMs }),
    ...(lesson.accepts.length > 0 && { accepts: lesson.accepts }),
    ...(refuses.length > 0 && { refuses }),
    ...(Object.values(cors).includes(false) && { cors }),
    ...(hasStorageOrigin && { hasStorageOrigin }),
    identifiers,
    ...(uploadUrl !== undefined && { uploadUrl }),
    ...(basePath !== '' && { basePath }),
    answers: lesson.answers,
    refusals: lesson.refusals,
  }
  return { profile, lesson }
}

/** The modes of approvers to try, the likelier first. It wins if both explain the answers equally well. */
const openFirst = ['manual', 'instant'] as const
const atOnceFirst = ['instant', 'manual'] as const

/** Sends a session that the deployment has answered to a mock with the profile, and compares the answers. */
export async function measure(
  profile: Profile,
  theirs: readonly LessonExchange[],
  { places, prefix }: { places: Places; prefix: string },
): Promise<Likeness> {
  const mock = createMock({ like: { ...profile, executionDelayMs: 0 } })
  const base = baseUrlOf(theirs[0]?.request.url ?? 'http://mock.invalid')
  // The same address, so that links agree; nothing is sent there.
  const options: TargetOptions = { url: base, apiKey: 'test_measure', fetch: mock.fetch }
  const target = new Target(options)
  const { exchanges: ours } = await takeLesson({ ...plans.measuring, prefix }, { target, places, settleMs: 0 })
  return measureLikeness(theirs, ours)
}
