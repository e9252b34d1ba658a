import fc from 'fast-check'
import { expect, test } from 'vitest'
import { locatedAt, plainOf } from '../../../conformance/reading/plain.ts'

/** Writes a value with flat names, as some deployments do. */
function flat(value: unknown, name: string): Record<string, unknown> {
  if (value === null || typeof value !== 'object') return { [name]: value }
  const inner = Object.entries(value).map(([key, one]) =>
    flat(one, Array.isArray(value) ? `${name}[${key}]` : `${name}.${key}`),
  )
  return Object.assign({}, ...inner)
}

const name = fc.stringMatching(/^[a-z]{1,6}$/)
// Without texts, no list can be the names of columns; without objects of one member, none wraps another one.
const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null))
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.dictionary(name, tie('tree'), { minKeys: 2, noNullPrototype: true }),
    fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
  ),
}))

test('flat names stand for the objects and lists that were written so', () => {
  const whole = fc.dictionary(name, tree, { minKeys: 4, noNullPrototype: true })
  fc.assert(
    fc.property(whole, (value) => {
      expect(plainOf(flat(value, 'all'))).toEqual({ all: value })
    }),
  )
})

test.each([
  ['the number of items stands beside them', { 'a[0].b': 1, 'a[1].b': 2, 'a.size': '2' }, { a: [{ b: 1 }, { b: 2 }] }],
  ['a name has a value and members', { 'a.b': 1, 'a.c': 2, a: 'x' }, { a: { b: 1, c: 2, value: 'x' } }],
])('flat names are read: %s', (_, written, meant) => {
  expect(plainOf(written)).toEqual(meant)
})

test.each([
  ['files', { 'a.pdf': 1, 'b.pdf': 2, 'c.txt': 3 }],
  ['people', { 'ann@example.com': 1, 'ann@example.org': 2, 'ann@example.net': 3 }],
  ['a few dotted names among others', { id: 1, name: 'a', 'odata.context': 'x', steps: [] }],
  ['rows without columns', { rows: [['a', 1]], names: ['a'] }],
])('names of %s stay as they are', (_, written) => {
  expect(plainOf(written)).toBe(written)
})

test('rows of a table are objects, whether columns are texts or objects', () => {
  const rows = [
    ['legal', 1],
    ['board', 2],
  ]
  const meant = [
    { id: 'legal', order: 1 },
    { id: 'board', order: 2 },
  ]
  expect(plainOf({ header: ['id', 'order'], rows, next: 'a' })).toMatchObject({ rows: meant })
  const set = { columns: [{ name: 'id' }, { name: 'order' }], data: rows, count: 2 }
  expect(plainOf({ set })).toEqual({ set: meant })
})

test('names that count are those of a list', () => {
  const steps = { step1_id: 'legal', step1_order: 1, step2_id: 'board', step2_order: 2 }
  const meant = [
    { id: 'legal', order: 1 },
    { id: 'board', order: 2 },
  ]
  expect(plainOf({ name: 'One', ...steps })).toEqual({ name: 'One', step: meant })
  const others = { p50_ms: 1, p95_ms: 2, line1: 'a', line2: 'b', run1_id: 'x', run3_id: 'y' }
  expect(plainOf(others)).toEqual(others)
})

test('the only member of all items is left out if it wraps them', () => {
  const wrapped = [{ resource: { id: 'a', type: { text: 'run' } } }, { resource: { id: 'b', type: 'plan' } }]
  expect(plainOf(wrapped)).toEqual([
    { id: 'a', type: 'run' },
    { id: 'b', type: 'plan' },
  ])
})

test('a value below the name of its type is that value', () => {
  expect(plainOf({ _id: { $oid: '5f1c' }, runs: [{ n: { $numberLong: '2' } }], ref: { $ref: 'a', $id: 'b' } })).toEqual(
    {
      ...{ _id: '5f1c', runs: [{ n: '2' }] },
      ref: { $ref: 'a', $id: 'b' },
    },
  )
})

test('a locator may name a place of the plain form, or one as it was written', () => {
  const answer = plainOf({ 'run.id': 'r1', 'run.step[0].id': 'legal', 'run.step[1].id': 'board' })
  expect(['/run/step/1/id', '/run.step[1].id', '/run.none'].map((place) => locatedAt(answer, place))).toEqual([
    'board',
    'board',
    undefined,
  ])
})

test.each([
  [
    'numbers beside texts',
    [
      { k: 'rate', v: 1 },
      { k: 'slow', v: 'legal' },
    ],
    { rate: 1, slow: 'legal' },
  ],
  [
    'their type beside them',
    [
      { k: 'rate', t: 'int', v: 1 },
      { k: 'x', t: 'int', v: 'a' },
    ],
    { rate: 1, x: 'a' },
  ],
  [
    'other members for each kind',
    [
      { code: 'sum', count: 1 },
      { code: 'rate', absent: 'n/a' },
    ],
    { sum: 1, rate: 'n/a' },
  ],
  [
    'units',
    [
      { k: 'sum', v: '1.0', unit: 'ms' },
      { k: 'mean', v: null, unit: 'ms' },
    ],
    { sum: { v: '1.0', unit: 'ms' }, mean: { v: null, unit: 'ms' } },
  ],
  [
    'names of the contract',
    [
      { name: 'documentId', value: 'D1' },
      { name: 'submitterEmail', value: 'ann@example.com' },
    ],
    { documentId: 'D1', submitterEmail: 'ann@example.com' },
  ],
])('names beside values with %s are an object', (_, written, meant) => {
  expect(plainOf({ all: written })).toEqual({ all: meant })
})

test.each([
  [
    'steps with a figure',
    [
      { step: 'legal', count: 1 },
      { step: 'board', count: 2 },
    ],
  ],
  [
    'people',
    [
      { email: 'ann@example.com', score: 1 },
      { email: 'bob@example.com', score: null },
    ],
  ],
  [
    'two things of one name',
    [
      { type: 'a', by: 1 },
      { type: 'a', by: 'x' },
    ],
  ],
  [
    'steps in states',
    [
      { step: 'legal', state: 'open', by: 'ann' },
      { step: 'board', state: 'open', by: 'bob' },
    ],
  ],
])('a list of %s stays as it is', (_, written) => {
  expect(plainOf({ all: written })).toEqual({ all: written })
})
