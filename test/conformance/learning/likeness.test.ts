import { expect, test } from 'vitest'
import { measureLikeness, type Named } from '../../../conformance/learning/likeness.ts'

function read(json: unknown): Named {
  const request = { method: 'GET', url: 'http://there.test/api/v1/workflows/w1', headers: new Headers() }
  return { name: 'read', request, status: 200, headers: new Headers(), bytes: new Uint8Array(), json, durationMs: 1 }
}

const runs = (id: string, state: string) => ({ runs: { [id]: { state, id } } })
const [one, other] = ['9508af63-6c97-4d0f-a053-930a04f1d385', 'ae5c3749-5171-462d-885a-407dc0727c1f']

test('members that are named by identifiers which a service made agree in their order', () => {
  expect(measureLikeness([read(runs(one, 'open'))], [read(runs(other, 'open'))])).toMatchObject({ differences: [] })
  const { differences } = measureLikeness([read(runs(one, 'open'))], [read(runs(other, 'done'))])
  expect(differences).toMatchObject([{ one: 'open', other: 'done' }])
})

test('members that both services name alike are compared by their names', () => {
  const flat = { 'step.1.id': 'legal', 'step.2.id': 'board' }
  const { differences } = measureLikeness([read(flat)], [read({ 'step.2.id': 'board' })])
  expect(differences).toMatchObject([{ one: 'legal', other: undefined }])
})

test('numbers of executions agree in their order, though both services gave one', () => {
  const both = (first: number, state: string) => ({ runs: { [first]: { state: 'open' }, [first + 2]: { state } } })
  expect(measureLikeness([read(both(5018, 'done'))], [read(both(5020, 'done'))])).toMatchObject({ differences: [] })
  const { differences } = measureLikeness([read(both(5018, 'done'))], [read(both(5020, 'open'))])
  expect(differences).toMatchObject([{ one: 'done', other: 'open' }])
})

const confirm = (key: string, json: unknown): Named => ({
  ...read(json),
  name: 'confirm',
  request: { method: 'POST', url: 'http://there.test/api/v1/upload/confirm', headers: new Headers() },
  sent: JSON.stringify({ completed_files: [{ key }] }),
})
const [ours, theirs] = ['tenants/4711/a.pdf', 'tenants/67de08c47c36/a.pdf']

test('members that are named by a storage key agree with those of the other service', () => {
  const alike = measureLikeness([confirm(ours, { [ours]: 'ok' })], [confirm(theirs, { [theirs]: 'ok' })])
  expect(alike).toMatchObject({ differences: [] })
  const { differences } = measureLikeness([confirm(ours, { [ours]: 'ok' })], [confirm(theirs, { [ours]: 'ok' })])
  expect(differences).toHaveLength(2)
})

test('the folders of a tenant agree in addresses of files that were not confirmed', () => {
  const url = (key: string) => `http://there.test/bucket/${key.replace('a.pdf', 'b.pdf')}`
  const both = (key: string) => [confirm(key, {}), read({ upload_url: url(key) })]
  expect(measureLikeness(both(ours), both(theirs))).toMatchObject({ differences: [] })
  expect(measureLikeness(both(ours), [confirm(theirs, {}), read({ upload_url: url('other/c/a.pdf') })])).toMatchObject({
    differences: [{ pointer: '/body/upload_url' }],
  })
})
