import { expect, test } from 'vitest'
import { fail, pass } from '../../../conformance/judging/check.ts'
import { applyGround, failsOn, mayAccuse } from '../../../conformance/judging/grounds.ts'
import type { Finding } from '../../../conformance/reading/finding.ts'
import recorded from '../../../conformance/selftest/grounds.gen.json' with { type: 'json' }
import kills from '../../../conformance/selftest/kills.gen.json' with { type: 'json' }
import { mutants } from '../../../conformance/selftest/mutants/index.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { documented, runOn } from '../../../conformance/selftest/run-on.ts'
import { variant } from '../../../conformance/selftest/variants/index.ts'
import { changeAnswers } from '../../../conformance/selftest/wrapper.ts'
import type { Profile } from '../../../src/profile/profile.ts'

const onMutants: readonly Readonly<Record<string, string>>[] = Object.values(recorded)

test("each mutant is recorded; otherwise run 'npm run mutants -- --new'", () => {
  const ids = mutants.map(({ id }) => id)
  expect([Object.keys(kills), Object.keys(recorded)]).toEqual([ids, ids])
})

/** The grounds on which a check failed on mutants, in the order of the table of grounds. */
function groundsOn(id: string): string[] {
  const found = new Set(onMutants.flatMap((red) => red[id] ?? []))
  return ['outcome', 'absent', 'proven', 'named', 'likely', 'none'].filter((name) => found.has(name))
}

test('each documented check fails on mutants on just the grounds that the table names', () => {
  const found = Object.fromEntries(documented.map((id) => [id, groundsOn(id)]))
  expect(failsOn).toEqual(found)
})

test('every ground of the table suffices for a failure', () => {
  const grounds = Object.values(failsOn).flat()
  expect(grounds.filter((name) => !mayAccuse[name])).toEqual([])
})

const finding = (strength: Finding['strength']): Finding => ({
  what: 'workflow.name',
  answer: 'details',
  value: 'other',
  place: '/title',
  rule: "has the contract's name alone",
  strength,
  rejected: [],
})

const request = { method: 'GET', url: 'http://selftest.test/api/v1/workflows/7', headers: new Headers() }
const exchange = { request, status: 200, headers: new Headers(), bytes: new Uint8Array(), durationMs: 0 }

test.each([
  ['proven', 'fail'],
  ['named', 'fail'],
  ['likely', 'inconclusive'],
] as const)('a failure on a place that is %s comes to %s', (strength, verdict) => {
  expect(applyGround(fail('It is wrong.', finding(strength), { exchange })).verdict).toBe(verdict)
})

test.each(['outcome', 'absent'] as const)('a failure by %s stays one', (ground) => {
  expect(applyGround(fail('It is wrong.', ground, { exchange })).verdict).toBe('fail')
})

test('the message for a likely place names the place, the reason and the locator', () => {
  expect(applyGround(fail('It is wrong.', finding('likely'), { exchange })).message).toBe(
    "It is wrong. That /title of details is workflow.name is only likely (has the contract's name alone); set locators.workflow.name in a profile.",
  )
})

test.each([
  ['step.order', 'it is likely); set locators.workflow.steps in a profile.'],
  ['success_rate', 'it is likely); set locators.success_rate in a profile.'],
  ['confirmation.file_size', 'it is likely).'],
])('a likely %s is explained with an existing locator', (what, end) => {
  const likely = { ...finding('likely'), what, rule: 'it is likely' }
  expect(applyGround(fail('It is wrong.', likely, { exchange })).message.endsWith(end)).toBe(true)
})

test('only failures need a ground', () => {
  expect(applyGround(pass('It is right.'))).toEqual(pass('It is right.'))
})

/** A deployment that shows nothing of a sent workflow except for an empty list of steps, at an unusual place. */
const withTemplate = () =>
  changeAnswers(['getWorkflow'], (body) => ({ ...body, template: { steps: [] } }))(variant({ echo: 'none' })(reference))
const stepsOn = async (profile: Profile = {}) => {
  const { checks } = await runOn(withTemplate(), { profile, selects: (id) => id === 'workflow.steps' })
  return checks.find(({ id }) => id === 'workflow.steps')
}

test('a list that only its name identifies fails no check', async () => {
  expect((await stepsOn())?.verdict).not.toBe('fail')
})

test('a place from the profile suffices for a failure', async () => {
  const { verdict, ground } = (await stepsOn({ locators: { 'workflow.steps': '/template/steps' } })) ?? {}
  expect([verdict, ground?.name]).toEqual(['fail', 'named'])
})
