import { expect, test } from 'vitest'
import { findNamed, identifierCandidates, identifierInLocation } from '../../conformance/locate.ts'

test.each([
  [{ workflow_id: 'w' }, '/workflow_id'],
  [{ workflowId: 'w' }, '/workflowId'],
  [{ id: 7 }, '/id'],
  [{ data: { id: 'w' } }, '/data/id'],
  [{ success: true, result: { workflow: { id: 'w' } } }, '/result/workflow/id'],
  [{ data: { type: 'workflows', id: '7', attributes: { name: 'n' } } }, '/data/id'],
  [[{ uuid: 'w' }], '/0/uuid'],
  [{ request_id: 'r', id: 'w', workflow_id: 'x' }, '/workflow_id'],
])('the identifier in %j is at %s', (json, pointer) => {
  expect(identifierCandidates(json, 'workflow')[0]?.pointer).toBe(pointer)
})

test('the identifier may be in Location alone', () => {
  const headers = new Headers({ Location: 'https://x.example/api/v1/workflows/a%20b/?x=1' })
  expect(identifierInLocation(headers)?.value).toBe('a b')
})

test('a name is found in any case and at any depth', () => {
  expect(findNamed({ data: [{ 'Upload-URL': 'u' }] }, 'upload_url')?.pointer).toBe('/data/0/Upload-URL')
})

test('an answer of any depth and size is looked at without end or error', () => {
  let deep: object = {}
  for (let level = 0; level < 5000; level += 1) deep = { deep }
  expect(findNamed(deep, 'nothing')).toBeUndefined()
})
