import { expect, test } from 'vitest'
import { Samples } from '../../conformance/flow/samples.ts'
import { plans, takeLesson } from '../../conformance/learning/lesson.ts'
import { followIdentifiers, Places } from '../../conformance/learning/roles.ts'
import { Target } from '../../conformance/wire/target.ts'
import { createMock, type MockOptions } from '../../src/index.ts'
import { learnFrom } from '../../src/learn/learn.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { freshKey } from '../support/service.ts'

const startTime = Date.UTC(2026, 2, 1, 9)

/** Takes a lesson on a mock with a clock that moves on while the lesson waits, and by 5 ms with each request. */
async function lessonOf(like: NonNullable<MockOptions['like']>) {
  const mock = createMock({
    like: { version: 1, approvers: 'auto', accepts: ['document-not-confirmed'], ...like },
    clockSpeed: 0,
    startTime,
  })
  const apiKey = freshKey()
  let now = 0
  const advance = (ms: number) => {
    now += ms
    mock.advance(ms)
  }
  const fetch = async (request: Request) => {
    advance(5)
    return mock.fetch(request)
  }
  const time = { now: () => now, date: () => startTime + now, sleep: async (ms: number) => advance(ms) }
  const target = new Target({ url: 'http://there.test', apiKey, fetch, time })
  const places = new Places()
  const created = await target.createWorkflow(new Samples('pace').workflow())
  const read = await target.getWorkflow((created.json as { workflow_id: string }).workflow_id)
  const asked = [created, read].map((one) => ({ ...one, at: startTime }))
  followIdentifiers(asked, places)
  const plan = { ...plans.learning, refusals: false, breaksRules: false, prefix: 'learn-time01' }
  const lesson = await takeLesson(plan, { target, places, settleMs: 10_000 })
  await lesson.readAtEnd()
  return { ...lesson, learn: () => learnFrom(lesson.exchanges, { apiKey, places }) }
}

const paces = [
  { pickUpMs: 100, stepMs: 150 },
  { pickUpMs: 0, stepMs: 900 },
  { pickUpMs: 700, stepMs: 0 },
]

test.each(nonEmpty(paces))('a pace of %j is learned from the times of steps', async (pace) => {
  const { learn, ...delays } = await lessonOf({ pace })
  expect((await learn()).profile).toMatchObject({ approvers: 'auto', pace })
  expect(delays).toMatchObject({ executionDelayMs: 0, figuresDelayMs: 0 })
})

const delays = [
  { executionDelayMs: 250, figuresDelayMs: 350 },
  { executionDelayMs: 350, figuresDelayMs: 250 },
  { executionDelayMs: 30 },
  { executionDelayMs: 2000 },
]

test.each(nonEmpty(delays))('reads show delays of %j', async (like) => {
  const { executionDelayMs, figuresDelayMs = executionDelayMs } = like
  const lesson = await lessonOf({ approvers: 'instant', ...like })
  const expectNear = (seen: number, real: number) => expect(Math.abs(seen - real)).toBeLessThanOrEqual(30 + real / 10)
  expectNear(lesson.executionDelayMs, executionDelayMs)
  expectNear(lesson.figuresDelayMs, figuresDelayMs)
  expect((await lesson.learn()).profile.approvers).toBe('instant')
})
