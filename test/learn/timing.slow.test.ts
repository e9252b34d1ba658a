import { expect, test } from 'vitest'
import { learnFrom } from '../../src/learn/learn.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { start } from '../support/service.ts'
import { lessonOn, mockLike } from './lessons.ts'

/** Takes a lesson on a mock with a clock that moves on while the lesson waits, and by 5 ms with each request. */
function lessonWith(like: Partial<Profile>) {
  const mock = mockLike({ approvers: 'auto', accepts: ['document-not-confirmed'], ...like }, { startTime: start })
  let now = 0
  const advance = (ms: number) => {
    now += ms
    mock.advance(ms)
  }
  const time = { now: () => now, date: () => start + now, sleep: async (ms: number) => advance(ms) }
  const plan = { refusals: false, breaksRules: false }
  const fetch = (request: Request) => {
    advance(5)
    return mock.fetch(request)
  }
  return lessonOn(fetch, { time, settleMs: 10_000, plan })
}

test('the pace is learned from the times of steps', async () => {
  const pace = { pickUpMs: 100, stepMs: 150 }
  const { exchanges, apiKey, places, readAtEnd, ...delays } = await lessonWith({ pace })
  await readAtEnd()
  expect((await learnFrom(exchanges, { apiKey, places })).profile).toMatchObject({ approvers: 'auto', pace })
  expect(delays).toMatchObject({ executionDelayMs: 0, figuresDelayMs: 0 })
})

const delays = [
  { executionDelayMs: 250, figuresDelayMs: 350 },
  { executionDelayMs: 350, figuresDelayMs: 250 },
  { executionDelayMs: 30, figuresDelayMs: 30 },
  { executionDelayMs: 2000, figuresDelayMs: 2000 },
]

test.each(nonEmpty(delays))('reads show delays of %j', async (like) => {
  const lesson = await lessonWith({ approvers: 'instant', ...like })
  for (const name of ['executionDelayMs', 'figuresDelayMs'] as const)
    expect(Math.abs(lesson[name] - like[name]), name).toBeLessThanOrEqual(30 + like[name] / 10)
})
