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

const steps = ['legal', 'board'].map((id, index) => ({ id, order: index + 1 }))

test('rows of a table are objects, whether columns are texts or objects', () => {
  const rows = ['legal', 'board'].map((id, index) => [id, index + 1])
  expect(plainOf({ header: ['id', 'order'], rows, next: 'a' })).toMatchObject({ rows: steps })
  const set = { columns: [{ name: 'id' }, { name: 'order' }], data: rows, count: 2 }
  expect(plainOf({ set })).toEqual({ set: steps })
})

test('rows are objects, whether columns, rows and cells are wrapped or not', () => {
  const fields = ['id', 'order'].map((name) => ({ name, type: 'ANY' }))
  const wrapped = steps.map(({ id, order }) => ({ f: [{ v: id }, { v: order }] }))
  expect(plainOf({ set: { schema: { fields }, rows: wrapped, totalRows: '2' } })).toEqual({ set: steps })
})

test('texts with semicolons are the rows of a table', () => {
  expect(plainOf({ steps: ['legal;1;0.5', 'board;2;'] })).toEqual({
    steps: [
      ['legal', 1, 0.5],
      ['board', 2, ''],
    ],
  })
  const notes = ['slow; add people', 'fine']
  expect(plainOf(notes)).toBe(notes)
})

test('names that count are those of a list', () => {
  const counted = { step1_id: 'legal', step1_order: 1, step2_id: 'board', step2_order: 2 }
  expect(plainOf({ name: 'One', ...counted })).toEqual({ name: 'One', step: steps })
  const others = { p50_ms: 1, p95_ms: 2, line1: 'a', line2: 'b', run1_id: 'x', run3_id: 'y' }
  expect(plainOf(others)).toEqual(others)
})

test('the only member of all items is left out if it wraps them', () => {
  const [legal, board] = steps
  const wrapped = [{ resource: { ...legal, type: { text: 'run' } } }, { resource: board }]
  expect(plainOf(wrapped)).toEqual([{ ...legal, type: 'run' }, board])
})

test('a value below the name of its type is that value', () => {
  const ref = { $ref: 'a', $id: 'b' }
  const written = { _id: { $oid: '5f1c' }, runs: [{ n: { $numberLong: '2' } }], ref }
  expect(plainOf(written)).toEqual({ _id: '5f1c', runs: [{ n: '2' }], ref })
})

test('the resources that JSON:API includes stand in the place of references', () => {
  const reference = (type: string, id: string) => ({ type, id })
  const run = { ...reference('runs', '1'), relationships: { tasks: { data: [reference('tasks', '7')] } } }
  const task = {
    ...reference('tasks', '7'),
    attributes: { state: 'open' },
    relationships: { run: reference('runs', '1') },
  }
  const document = (data: unknown) => ({ data: { relationships: { runs: [data], file: reference('files', '2') } } })
  const whole = { ...run, relationships: { tasks: { data: [task] } } }
  expect(plainOf({ ...document(reference('runs', '1')), included: [run, task] })).toEqual(document(whole))
})

test('resources that all refer to each other are read in bounded work', () => {
  const references = Array.from({ length: 30 }, (_, id) => ({ type: 'runs', id }))
  const included = references.map((one) => ({ ...one, others: references }))
  expect(JSON.stringify(plainOf({ data: references, included })).length).toBeLessThan(2_000_000)
})

test('a locator may name a place of the plain form, or one as it was written', () => {
  const answer = plainOf({ 'run.id': 'r1', 'run.step[0].id': 'legal', 'run.step[1].id': 'board' })
  expect(['/run/step/1/id', '/run.step[1].id', '/run.none'].map((place) => locatedAt(answer, place))).toEqual([
    'board',
    'board',
    undefined,
  ])
})

/** Objects that have these values, in the order of their members. */
const objects = (members: string, ...rows: readonly unknown[][]) =>
  rows.map((row) => Object.fromEntries(members.split(' ').map((member, index) => [member, row[index]])))

test.each([
  ['numbers beside texts', objects('k v', ['rate', 1], ['slow', 'legal']), { rate: 1, slow: 'legal' }],
  ['their type beside them', objects('k t v', ['rate', 'int', 1], ['x', 'int', 'a']), { rate: 1, x: 'a' }],
  [
    'titles, units and states beside them',
    objects(
      'k title v unit state',
      ['TOTAL', 'Started', '2', 'EA', 'Neutral'],
      ['OPEN', 'Open now', '0', 'EA', 'Neutral'],
      ['RATE', 'Success rate', '50.0', '%', 'Neutral'],
      ['SLOWEST', 'Slowest step', 'legal', '', 'Critical'],
    ),
    { TOTAL: '2', OPEN: '0', RATE: '50.0', SLOWEST: 'legal' },
  ],
  [
    'other members for each kind',
    [...objects('code count', ['sum', 1]), ...objects('code absent', ['rate', 'n/a'])],
    { sum: 1, rate: 'n/a' },
  ],
  [
    'units',
    objects('k v unit', ['sum', '1.0', 'ms'], ['mean', null, 'ms']),
    { sum: { v: '1.0', unit: 'ms' }, mean: { v: null, unit: 'ms' } },
  ],
  [
    'counted things',
    objects('k v unit', ['sum', 3, 'pcs'], ['open', 1, 'pcs'], ['all', 4, '1']),
    { sum: 3, open: 1, all: 4 },
  ],
  [
    'paths below one identifier',
    objects(
      'tag val unit q',
      ['W-1/runs/total', 2, '1', 192],
      ['W-1/runs/open', 0, '1', 192],
      ['W-1/rate', null, '%', 64],
      ['W-1/name', 'Contract', '-', 192],
      ['W-1/area', 'North', '-', 192],
    ),
    { runs: { total: 2, open: 0 }, rate: null, name: 'Contract', area: 'North' },
  ],
  [
    'names of the contract',
    objects('name value', ['documentId', 'D1'], ['submitterEmail', 'ann@example.com']),
    { documentId: 'D1', submitterEmail: 'ann@example.com' },
  ],
])('names beside values with %s are an object', (_, written, meant) => {
  expect(plainOf({ all: written })).toEqual({ all: meant })
})

test.each([
  ['steps with a figure', objects('step count', ['legal', 1], ['board', 2])],
  ['people', objects('email score', ['ann@example.com', 1], ['bob@example.com', null])],
  ['two things of one name', objects('type by', ['a', 1], ['a', 'x'])],
  ['steps in states', objects('step state by', ['legal', 'open', 'ann'], ['board', 'open', 'bob'])],
])('a list of %s stays as it is', (_, written) => {
  expect(plainOf({ all: written })).toEqual({ all: written })
})

/** A value beside its text for people, as ServiceNow has them. */
const shown = (value: string, display_value = value) => ({ display_value, value })

test('values beside their texts are read if most of them show the same text twice', () => {
  const record = { id: shown('a1'), name: shown('Legal'), time: shown('2', '2 hours'), type: shown('approval') }
  expect(plainOf({ records: [record, record] })).toEqual({
    records: Array(2).fill({ id: 'a1', name: 'Legal', time: '2', type: 'approval' }),
  })
  const ranges = Array.from({ length: 5 }, () => ({ min: 0, max: 0 }))
  expect(plainOf({ ranges })).toEqual({ ranges })
})

test('figures of several forms are an object by name, also before there are any', () => {
  const rate = { measure: { code: 'RATE', display: 'success rate (all)' }, quantity: { value: 0.5, unit: '1' } }
  const slowest = { measure: { code: 'SLOWEST', display: 'slowest step' }, text: 'legal' }
  const count = { measure: { code: 'COUNT', display: 'reviews' }, count: 2 }
  expect(plainOf([rate, slowest, count])).toEqual({
    RATE: { quantity: rate.quantity },
    SLOWEST: 'legal',
    COUNT: { count: 2 },
  })
  const empty = ['RATE', 'SLOWEST', 'COUNT'].map((code) => ({ code, value: null }))
  expect(plainOf(empty)).toEqual({ RATE: { value: null }, SLOWEST: { value: null }, COUNT: { value: null } })
})

test('names and values are an object in all lists of an answer that has several', () => {
  const pair = (name: string, value: unknown) => ({ name, value })
  const prompted = { ...pair('name', 'Legal'), prompt: 'Name' }
  const step = [pair('step-id', 'legal'), prompted, pair('order', 1), pair('people', ['ann'])]
  const decision = [pair('step-id', 'legal'), pair('verdict', 'yes')]
  const run = [pair('id', 'run-1'), pair('open', true)]
  const links = [{ rel: 'self', href: '/a' }]
  expect(plainOf({ items: [step, decision, run, links] })).toEqual({
    items: [
      { 'step-id': 'legal', name: 'Legal', order: 1, people: ['ann'] },
      { 'step-id': 'legal', verdict: 'yes' },
      { id: 'run-1', open: true },
      links,
    ],
  })
})

test('figures among other widgets are an object by name, and counts are numbers', () => {
  const runs = { id: 'runs', type: 'number', value: 2, unit: 'items' }
  const mean = { id: 'mean', type: 'number', value: 300, unit: 'ms' }
  const chart = { id: 'steps', type: 'chart', series: [{ name: 'mean', values: [1, 2] }] }
  const { id: _mean, ...meanAlone } = mean
  const { id: _chart, ...chartAlone } = chart
  expect(plainOf([runs, mean, chart])).toMatchObject({ runs: 2, mean: meanAlone, steps: { type: chartAlone.type } })
})

test.each([
  ['steps with several figures', { count: 1, mean: 2 }, { count: 0, mean: null }],
  ['events', { at: '2026-03-01T09:00:00Z', by: 1 }, { at: '2026-03-01T09:01:00Z' }],
  ['people', { mail: 'ann@example.com', level: 1 }, { mail: 'bob@example.com' }],
])('%s are no list of figures', (_, one, other) => {
  const list = [one, other, other].map((own, index) => ({ name: ['legal', 'board', 'final'][index], ...own }))
  expect(plainOf(list)).toEqual(list)
})

test('a state that is the name of an object is a text, beside what belongs to it', () => {
  const approved = { by: 'lena', at: 5 }
  expect(
    plainOf([
      { id: 1, state: { Approved: approved } },
      { id: 2, state: 'Pending' },
    ]),
  ).toEqual([
    { id: 1, state: 'Approved', 'state Approved': approved },
    { id: 2, state: 'Pending' },
  ])
  const wrapped = [{ data: { user: { id: 1 } } }, { data: { user: { id: 2 } } }]
  expect(plainOf({ wrapped, total: 2 })).toEqual({ wrapped, total: 2 })
})
