import { expect, test } from 'vitest'
import { decides } from '../../conformance/selftest/decisions.ts'
import { mapMembers } from '../../conformance/selftest/json.ts'
import { reference } from '../../conformance/selftest/reference.ts'
import { runOn } from '../../conformance/selftest/run-on.ts'
import { changeAnswers, compose } from '../../conformance/selftest/wrapper.ts'
import type { Profile } from '../../src/profile/profile.ts'

/** Shows the approver of each step of an execution under the name `approver`. */
const showsApprovers = (approver: unknown) =>
  changeAnswers(['executeWorkflow', 'getWorkflow'], (body) =>
    mapMembers(body, (name, value) => (name === 'assignee' ? ['approver', approver ?? null] : [name, value])),
  )

/** Judges the choice of approvers by a deployment that approves steps. */
async function judge(approver: unknown, isDecided: boolean, profile: Profile = {}) {
  const shown = showsApprovers(approver)
  const server = (isDecided ? compose(decides('one by one'), shown) : shown)(reference())
  const id = 'execute-workflow.chooses-approvers'
  const { checks } = await runOn(server, { profile, selects: (one) => one === id })
  return checks.find((check) => check.id === id)
}

// A deployment may leave a step unassigned until an approver claims it, and show elsewhere who has decided.
test.each([true, false])('approvers that are never shown are accepted, with steps decided: %s', async (isDecided) => {
  expect(await judge(null, isDecided)).toMatchObject({ verdict: 'accepted' })
})

const profile: Profile = { locators: { 'execution.approvers': '/steps/0/approver' } }

test.each([
  [null, 'fail', 'is empty, so no approver was chosen'],
  ['stranger@example.com', 'fail', 'who is no approver'],
  ['chair@example.com', 'pass', 'approve their steps'],
  ['Chair of the board', 'accepted', 'are not shown'],
])('with a locator, the approver %j leads to %s', async (approver, verdict, message) => {
  const found = await judge(approver, false, profile)
  expect([found?.verdict, found?.message]).toEqual([verdict, expect.stringContaining(message)])
})
