/** Lessons on mocks, in virtual time. */
import { type LessonPlan, plans, takeLesson } from '../../conformance/learning/lesson.ts'
import { followIdentifiers, Places } from '../../conformance/learning/roles.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import type { ServerFunction } from '../../conformance/selftest/wrapper.ts'
import { Target } from '../../conformance/wire/target.ts'
import type { Time } from '../../conformance/wire/transport.ts'
import { createMock, type MockOptions } from '../../src/index.ts'
import { type LearnOptions, learnDeployment } from '../../src/learn/learn-deployment.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { freshKey, workflow } from '../support/service.ts'

const url = 'http://there.test'

/** Creates a mock that answers like a profile, with a clock that stands still. */
export const mockLike = (profile: Partial<Profile>, options: MockOptions = {}) =>
  createMock({ clockSpeed: 0, like: { version: 1, approvers: 'manual', ...profile }, ...options })

/** Learns a deployment. */
export const learned = (fetch: ServerFunction, more: Partial<LearnOptions> = {}) =>
  learnDeployment({ url, apiKey: freshKey(), fetch, time: virtualTime(), onStage() {}, ...more })

interface LessonOptions {
  readonly apiKey?: string
  readonly time?: Time
  readonly settleMs?: number
  readonly plan?: Partial<LessonPlan>
}

/** Takes a lesson on a server whose places are known. */
export async function lessonOn(
  fetch: ServerFunction,
  { apiKey = freshKey(), time = virtualTime(), settleMs = 0, plan = {} }: LessonOptions = {},
) {
  const target = (key: string) => new Target({ url, apiKey: key, fetch, time })
  const other = target(freshKey())
  const created = await other.createWorkflow({ ...workflow(), isSequential: true })
  const read = await other.getWorkflow((created.json as { workflow_id: string }).workflow_id)
  const places = new Places()
  followIdentifiers(
    [created, read].map((one) => ({ ...one, at: 0 })),
    places,
  )
  const options = { target: target(apiKey), places, settleMs }
  const lesson = await takeLesson({ ...plans.learning, prefix: 'learn-4c1d-k3f9a2', ...plan }, options)
  return { ...lesson, apiKey, places }
}
