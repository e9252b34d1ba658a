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
