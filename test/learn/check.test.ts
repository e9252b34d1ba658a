import { expect, test } from 'vitest'
import { checkProfile } from '../../src/learn/check.ts'
import { createMock } from '../../src/mock.ts'
import type { Profile } from '../../src/profile/profile.ts'

const profile: Profile = {
  version: 1,
  learned: { at: '2026-03-01T09:00:00.000Z', answers: 40 },
  approvers: 'manual',
  locators: { workflow_id: '/id', document_id: '/document' },
  answers: {
    createWorkflow: { status: 201, body: { id: { $: '/answer/workflow_id' }, state: { $: '/answer/status' } } },
    confirmUpload: { status: 200, body: { document: { $: '/answer/document_id' } } },
  },
}

const apiKey = 'test_4k9x2m8w7q'

/** Checks a deployment that answers like one profile against another. Each of its answers takes `stepMs`. */
function check(like: Profile, against: Profile, stepMs = 0) {
  const startTime = Date.parse('2026-03-01T09:00:00.000Z')
  const deployment = createMock({ like, clockSpeed: 0, approvers: 'manual', startTime })
  let passed = 0
  const sleep = async (ms: number) => {
    deployment.advance(ms, apiKey)
    passed += ms
  }
  const time = { now: () => passed, date: () => startTime + passed, sleep }
  const fetch = (request: Request) => sleep(stepMs).then(() => deployment.fetch(request))
  return checkProfile({ url: 'http://there.test', apiKey, fetch, time, profile: against })
}

test.each([0, 1000])('nothing has changed if each answer takes %d ms', async (stepMs) => {
  const { drifts, places, missed } = await check(profile, profile, stepMs)
  expect([drifts, missed, places > 100]).toEqual([[], [], true])
})

test('a change is named by its place and by what was shown there', async () => {
  const { createWorkflow, ...answers } = profile.answers ?? {}
  const changed = { ...(createWorkflow as object), body: { id: { $: '/answer/workflow_id' }, state: 'LIVE' } }
  const now = { ...profile, answers: { ...answers, createWorkflow: changed } } as Profile
  const { drifts } = await check(now, profile)
  expect(drifts).toMatchObject([
    { place: 'createWorkflow /body/state', shows: '/answer/status', difference: { one: 'LIVE', other: 'active' } },
  ])
  const learned = { at: '2026-03-01T09:00:00.000Z', answers: 40, differs: ['createWorkflow /body/state'] }
  expect((await check(now, { ...profile, learned })).drifts).toEqual([])
})

test('a call that is never accepted leaves undecided whether the answers are the same', async () => {
  const answers = {
    ...profile.answers,
    executeWorkflow: { status: 202, body: { run: { $: '/answer/execution_id' } } },
    confirmUpload: { status: 200, body: { state: 'done' } },
  }
  const wrong = { ...profile, locators: { ...profile.locators, document_id: '/state' }, answers }
  const { drifts, missed } = await check(wrong, wrong)
  const why = 'executeWorkflow was never accepted; check the locators of the profile'
  expect([drifts, new Set(missed)]).toEqual([[], new Set([why])])
})
