import { expect, test } from 'vitest'
import type { RequirementId } from '../../../conformance/catalogue/catalogue.ts'
import { fail, pass } from '../../../conformance/judging/check.ts'
import { applyGround, mayAccuse } from '../../../conformance/judging/grounds.ts'
import type { Finding, GroundName } from '../../../conformance/reading/finding.ts'
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

/**
 * The grounds on which each documented check can fail, the weakest last. A check with only `outcome` judges how a call was
 * answered. Exactly these grounds occur among the failures on all mutants.
 */
const failsOn: Readonly<Partial<Record<RequirementId, readonly GroundName[]>>> = {
  'workflow.defines-approval-steps': ['named'],
  'execution.for-one-document': ['proven', 'named'],
  'details.execution-metrics': ['absent', 'named'],
  'details.step-performance': ['absent', 'proven', 'named'],
  'details.optimization-recommendations': ['absent', 'proven'],
  'analytics.bottleneck-detection': ['absent', 'proven', 'named'],
  'analytics.success-rates': ['absent', 'named'],
  'analytics.completion-times': ['absent', 'proven', 'named'],
  'api.paths-relative-to-base': ['outcome'],
  'api.request-bodies-are-json': ['outcome'],
  'api.json-content-type': ['outcome'],
  'workflow.name': ['outcome', 'named'],
  'workflow.name-at-most-100': ['outcome', 'proven', 'named'],
  'workflow.description': ['outcome', 'proven', 'named'],
  'workflow.is-sequential': ['outcome', 'named'],
  'workflow.is-sequential-default-true': ['outcome', 'proven', 'named'],
  'workflow.steps': ['outcome', 'proven', 'named'],
  'step.step-id': ['outcome', 'proven', 'named'],
  'step.name': ['outcome', 'proven', 'named'],
  'step.order': ['outcome', 'named'],
  'step.order-starts-at-1': ['outcome', 'named'],
  'step.type-approval': ['outcome', 'named'],
  'step.approvers': ['outcome', 'proven', 'named'],
  'step.estimated-duration': ['outcome', 'proven', 'named'],
  'approver.email': ['outcome', 'proven', 'named'],
  'approver.name': ['outcome', 'proven', 'named'],
  'execution.document-id': ['outcome', 'proven', 'named'],
  'execution.submitter-email': ['outcome', 'proven', 'named'],
  'execution.mode-standard': ['outcome', 'named'],
  'execution.priority-high': ['outcome', 'named'],
  'upload.file-name': ['outcome', 'named'],
  'upload.content-type': ['outcome', 'named'],
  'upload.file-size': ['outcome', 'proven', 'named'],
  'upload.answers-upload-url': ['outcome'],
  'upload.answers-session-id': ['outcome'],
  'upload.session-id-is-uuid': ['proven'],
  'upload.session-ids-differ': ['proven'],
  'confirm.session-id': ['outcome', 'proven', 'named'],
  'confirm.completed-files': ['outcome'],
  'completed-file.key': ['outcome', 'proven', 'named'],
  'completed-file.key-begins-with-tenants': ['proven'],
  'completed-file.key-ends-with-file-name': ['proven'],
  'completed-file.file-name': ['outcome', 'proven', 'named'],
  'api.under-api-v1': ['outcome'],
  'create-workflow.method-and-path': ['outcome'],
  'workflow.ids-differ': ['proven'],
  'execute-workflow.method-and-path': ['outcome'],
  'execute-workflow.identifies-created-workflow': ['outcome', 'proven', 'named'],
  'execute-workflow.chooses-approvers': ['proven', 'named'],
  'execute-workflow.starts-execution': ['proven', 'named'],
  'execution.steps-in-order': ['proven'],
  'execution.steps-side-by-side': ['proven'],
  'get-workflow.method-and-path': ['outcome', 'proven'],
  'get-workflow.no-request-body': ['outcome'],
  'request-upload.method-and-path': ['outcome'],
  'storage.put-to-upload-url': ['outcome'],
  'storage.not-a-service-path': ['proven'],
  'storage.declared-content-type': ['outcome'],
  'storage.raw-bytes': ['outcome', 'proven', 'named'],
  'storage.put-returns-200': ['outcome'],
  'storage.put-returns-empty-body': ['outcome'],
  'storage.no-service-key': ['outcome'],
  'confirm-upload.method-and-path': ['outcome'],
  'flow.create-execute-read': ['outcome'],
  'flow.request-put-confirm': ['outcome'],
  'flow.document-id-refers-to-upload': ['outcome', 'proven'],
  'auth.raw-key': ['outcome'],
  'auth.every-service-call': ['outcome'],
  'auth.key-is-required': ['outcome'],
}

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
