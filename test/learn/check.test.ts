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

/** Checks a deployment that answers like one profile against another. */
function check(like: Profile, against: Profile) {
  const { fetch } = createMock({ like, clockSpeed: 0, approvers: 'manual' })
  return checkProfile({ url: 'http://there.test', apiKey: 'test_4k9x2m8w7q', fetch, profile: against })
}

test('a deployment that answers as its profile says has not changed', async () => {
  const { drifts, places, missed } = await check(profile, profile)
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
