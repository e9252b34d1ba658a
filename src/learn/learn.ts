/** Learns a deployment from a session, and measures how far the mock answers like it. */
import { type Lesson, learnTemplates } from '../../conformance/learning/learn.ts'
import { type LessonExchange, plans, takeLesson } from '../../conformance/learning/lesson.ts'
import { type Difference, type Likeness, measureLikeness } from '../../conformance/learning/likeness.ts'
import { followIdentifiers, Places, type TimedExchange } from '../../conformance/learning/roles.ts'
import { Target, type TargetOptions } from '../../conformance/wire/target.ts'
import { createMock, type MockOptions } from '../mock.ts'
import type { Profile } from '../profile/profile.ts'
import { mirror } from './mirror.ts'

export type { Difference, Likeness }

/** What a session teaches. */
export interface Learned {
  readonly profile: Profile
  readonly lesson: Lesson
}

/** Makes a profile from a session. `hints` are kept. */
export async function learnFrom(
  exchanges: readonly TimedExchange[],
  { apiKey, hints = {}, places = new Places() }: { apiKey: string; hints?: Profile; places?: Places },
): Promise<Learned> {
  const session = followIdentifiers(exchanges, places)
  const tries: { approvers: NonNullable<MockOptions['approvers']>; lesson: Lesson }[] = []
  for (const approvers of ['manual', 'instant'] as const) {
    const lesson = learnTemplates(await mirror(session, { approvers, apiKey }))
    tries.push({ approvers, lesson })
  }
  const [best] = tries.toSorted((a, b) => a.lesson.guesses.length - b.lesson.guesses.length)
  if (!best) throw new TypeError('Nothing was learned.')
  const { approvers, lesson } = best
  const { uploadUrl, ...identifiers } = lesson.identifiers
  const profile: Profile = {
    version: 1,
    ...hints,
    learned: { at: new Date(exchanges[0]?.at ?? Date.now()).toISOString(), answers: exchanges.length },
    approvers,
    ...(lesson.accepts.length > 0 && { accepts: lesson.accepts }),
    identifiers,
    ...(uploadUrl !== undefined && { uploadUrl }),
    answers: lesson.answers,
    refusals: lesson.refusals,
  }
  return { profile, lesson }
}

/** Sends another session to the deployment and to a mock with the profile, and compares the answers. */
export async function measure(
  profile: Profile,
  theirs: readonly LessonExchange[],
  { apiKey, places, prefix }: { apiKey: string; places: Places; prefix: string },
): Promise<Likeness> {
  const mock = createMock({ like: profile })
  const options: TargetOptions = { url: 'http://mock.invalid', apiKey, fetch: mock.fetch }
  const target = new Target(options)
  const { exchanges: ours } = await takeLesson({ ...plans.measuring, prefix }, { target, places, settleMs: 0 })
  return measureLikeness(theirs, ours)
}
