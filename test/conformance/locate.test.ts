import { expect, test } from 'vitest'
import {
  findNamed,
  identifierCandidates,
  identifiersInLinks,
  membersOf,
  namedIdentifiers,
  oncePerAnswer,
} from '../../conformance/reading/locate.ts'

test.each([
  [{ workflow_id: 'w' }, '/workflow_id'],
  [{ workflowId: 'w' }, '/workflowId'],
  [{ id: 7 }, '/id'],
  [{ data: { id: 'w' } }, '/data/id'],
  [{ success: true, result: { workflow: { id: 'w' } } }, '/result/workflow/id'],
  [{ data: { type: 'workflows', id: '7', attributes: { name: 'n' } } }, '/data/id'],
  [[{ uuid: 'w' }], '/0/uuid'],
  [{ request_id: 'r', id: 'w', workflow_id: 'x' }, '/workflow_id'],
])('the identifier in $0 is $1', (json, pointer) => {
  expect(identifierCandidates(json, 'workflow')[0]?.pointer).toBe(pointer)
})

test('the identifier may be in Location alone', () => {
  const headers = new Headers({ Location: 'https://x.example/api/v1/workflows/a%20b/?x=1' })
  expect(identifiersInLinks(headers, {}, 'workflows')[0]?.value).toBe('a b')
})

test('identifiers are known by the words of their names', () => {
  const names = ['wf_id', 'documentReference', 'workflowNo', 'insertId', 'number', 'slug']
  const others = ['note', 'number_of_executions', 'no_of_steps', 'identity', 'idle_time']
  const json = Object.fromEntries([...names, ...others].map((name, index) => [name, index + 4]))
  expect(namedIdentifiers(json).map(({ pointer }) => pointer)).toEqual(names.map((name) => `/${name}`))
  expect(namedIdentifiers({ wf_id: 'doc_hhtk' })).toMatchObject([{ value: 'doc_hhtk' }])
})

test('a name is found in any case and at any depth', () => {
  expect(findNamed({ data: [{ 'Upload-URL': 'u' }] }, 'upload_url')?.pointer).toBe('/data/0/Upload-URL')
})

test('an answer of any depth and size is searched in bounded time', () => {
  let deep: object = {}
  for (let level = 0; level < 5000; level += 1) deep = { deep }
  expect(findNamed(deep, 'nothing')).toBeUndefined()
})

test('nested long names cost no more than the members that are searched', () => {
  let looks = 0
  const counted = (target: object) =>
    new Proxy(target, {
      ownKeys: (of) => {
        looks += 1
        return Reflect.ownKeys(of)
      },
    })
  let hostile: unknown = Array.from({ length: 5000 }, () => 1)
  for (let level = 0; level < 30; level += 1) {
    hostile = counted({ ['n'.repeat(level % 2 ? 30_000 : 200)]: hostile, a: hostile })
  }
  const lengths = membersOf(hostile).map(({ pointer }) => pointer.length)
  expect(lengths.length).toBeGreaterThan(1000)
  expect(lengths.length).toBeLessThanOrEqual(10_000)
  expect(looks).toBeLessThanOrEqual(10_000)
  expect(Math.max(...lengths)).toBeLessThan(2000)
})

test('a lone surrogate is no identifier, as addresses cannot contain it', () => {
  expect(identifierCandidates({ id: 'w\ud800' }, 'workflow')).toEqual([])
})

test('a base path that is called like the collection hides no identifier', () => {
  const headers = new Headers({ Location: '/workflows/api/v1/workflows/wf_1' })
  expect(identifiersInLinks(headers, {}, 'workflows').map(({ value }) => value)).toEqual(['api', 'wf_1'])
})

const [small, large, other] = [{ id: 1 }, Array(1001).fill(1), Array(1002).fill(1)]

test.each([
  [
    'once, but of very large ones only the latest is kept',
    {},
    [small, small, large, large, other, large, small],
    [small, large, other, large],
  ],
  ['once for a single value, however large', { isSingle: true }, [large, other, large, other], [large, other]],
  ['by itself, not by its content', {}, [small, { id: 1 }, small], [small, { id: 1 }]],
] as const)('an answer is searched %s', (_, options, answers, expected) => {
  const searched: unknown[] = []
  const find = oncePerAnswer((json) => searched.push(json), options)
  for (const json of answers) find(json)
  expect(searched).toEqual(expected)
})
