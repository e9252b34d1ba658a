import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapePointer } from '../../src/contract/json.ts'
import { type DataUse, followData, type Turn, valueFrom, withValues } from '../../src/session/data-flow.ts'
import { jsonLeaves } from '../../src/session/leaves.ts'

const isIdentifier = (kind: string, pointer: string) => kind === 'use' && pointer === '/path/id'

/** A session as a plan: things are made, and used at later calls in some way. */
interface Plan {
  /** The name of the member that shows the identifier. */
  readonly shownAs: string
  readonly things: number
  readonly uses: readonly { readonly thing: number; readonly how: keyof typeof ways }[]
}

/** The ways in which a request uses an identifier. */
const ways = {
  'in the path': (id: string) => ({ path: { id } }),
  'under another name': (id: string) => ({ path: {}, body: { of: { whatever: [id] } } }),
  'within a text': (id: string) => ({ path: {}, body: { note: `like ${id}, please` } }),
  'within a link': (id: string) => ({
    path: {},
    body: { link: `https://x.example/things/${encodeURIComponent(id)}?from=${id}` },
  }),
} as const

const name = fc.constantFrom('id', 'ref', 'thing', 'a/b~c', 'result', '__proto__x', 'größe')
const planOf: fc.Arbitrary<Plan> = fc.integer({ min: 1, max: 4 }).chain((things) =>
  fc.record({
    shownAs: name,
    things: fc.constant(things),
    uses: fc.array(
      fc.record({
        thing: fc.nat({ max: things - 1 }),
        how: fc.constantFrom(...(Object.keys(ways) as (keyof typeof ways)[])),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  }),
)

/** Identifiers as services make them: letters, digits and hyphens, with a digit. */
const identifiersOf = (count: number) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom('wf', 'exec', 'x'), fc.constantFrom('_', '-'), fc.nat(9 ** 9)), {
      minLength: count,
      maxLength: count,
      selector: ([, , number]) => number,
    })
    .map((all) => all.map(([kind, hyphen, number]) => `${kind}${hyphen}${(number + 10_000).toString(16)}7`))

/** Sends a plan to a service with these identifiers. */
function sessionOf({ shownAs, things, uses }: Plan, ids: readonly string[]): Turn[] {
  const made = Array.from(
    { length: things },
    (_, thing): Turn => ({
      kind: 'make',
      asked: { path: {}, body: { title: `Thing ${thing}`, order: 1 } },
      answered: { headers: { location: `/things/${ids[thing]}` }, body: { data: { [shownAs]: ids[thing], order: 1 } } },
    }),
  )
  const used = uses.map(
    ({ thing, how }): Turn => ({
      kind: 'use',
      asked: ways[how](ids[thing] ?? ''),
      answered: { headers: {}, body: { ok: true, title: `Thing ${thing}` } },
    }),
  )
  return [...made, ...used]
}

const planWithIds = planOf.chain((plan) =>
  fc.tuple(fc.constant(plan), identifiersOf(plan.things), identifiersOf(plan.things)),
)

test('a session whose identifiers or members have other names is the same session', () => {
  fc.assert(
    fc.property(planWithIds, name, ([plan, ids, others], shownAs) => {
      const follow = (given: Plan, ids: readonly string[]) =>
        followData(sessionOf(given, ids), { isIdentifier }).map((all) => all.map(({ value: _, ...use }) => use))
      const turnsOf = (uses: ReturnType<typeof follow>) =>
        uses.map((all) => all.map(({ pointer, part, sources }) => [pointer, part, sources[0]?.turn]))
      const uses = follow(plan, ids)
      expect(follow(plan, others)).toEqual(uses)
      expect(turnsOf(follow({ ...plan, shownAs }, ids))).toEqual(turnsOf(uses))
      expect(uses.flat().length).toBeGreaterThanOrEqual(plan.uses.length)
    }),
  )
})

test('a session sent to a service with other identifiers sends these', () => {
  fc.assert(
    fc.property(planWithIds, ([plan, ids, others]) => {
      const [recorded, there] = [sessionOf(plan, ids), sessionOf(plan, others)]
      const uses = followData(recorded, { isIdentifier })
      const read = ({ sources: [source] }: DataUse) => source && valueFrom(there[source.turn]?.answered, source)
      const sent = recorded.map(({ asked }, turn) => withValues(asked, uses[turn] ?? [], read))
      expect(sent).toEqual(there.map(({ asked }) => ({ asked, missing: [] })))
    }),
  )
})

test('what the client chose itself is never followed', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9._@-]{1,20}$/), (text) => {
      const answered = { body: { id: 'made-4711x', name: text, code: text } }
      const turns: Turn[] = [
        { kind: 'make', asked: { body: { name: text } }, answered },
        { kind: 'make', asked: { body: { name: text, note: `of ${text}` } }, answered: { body: {} } },
      ]
      expect(followData(turns, { isIdentifier })[1]).toEqual([])
    }),
  )
})

test('a short number comes from the place that explains most identifiers', () => {
  const make = (id: number, orders: readonly number[]): Turn => ({
    kind: 'make',
    asked: { body: { orders } },
    answered: { body: { orders, id } },
  })
  const use = (id: number): Turn => ({ kind: 'use', asked: { path: { id: String(id) } }, answered: {} })
  const turns = [make(1, [1, 2]), make(2, [2, 1]), use(2), use(1), { ...use(2), kind: 'count' }]
  const uses = followData(turns, { isIdentifier }).map((all) => all.map(({ sources }) => sources[0]))
  expect(uses).toEqual([
    [],
    [],
    [{ turn: 1, pointer: '/body/id', part: '' }],
    [{ turn: 0, pointer: '/body/id', part: '' }],
    [],
  ])
})

test('an identifier that is older than the session stays as it is', () => {
  const use: Turn = { kind: 'use', asked: { path: { id: 'old-4711' } }, answered: { body: { id: 'old-4711' } } }
  expect(followData([use, use], { isIdentifier })).toEqual([[], []])
})

test('a value that no answer shows is reported as missing', () => {
  const turns = sessionOf({ shownAs: 'id', things: 1, uses: [{ thing: 0, how: 'in the path' }] }, ['wf-12345'])
  const [, uses = []] = followData(turns, { isIdentifier })
  const { asked, missing } = withValues(turns[1]?.asked, uses, () => undefined)
  expect(asked).toEqual(turns[1]?.asked)
  expect(missing.map(({ pointer, value }) => [pointer, value])).toEqual([['/path/id', 'wf-12345']])
})

test('any JSON is followed without an error', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.jsonValue(), fc.jsonValue()), { maxLength: 4 }), (pairs) => {
      const turns = pairs.map(([asked, answered]) => ({ kind: 'use', asked, answered }))
      const uses = followData(turns, { isIdentifier: () => true })
      for (const [turn, { asked }] of turns.entries()) {
        expect(withValues(asked, uses[turn] ?? [], ({ value }) => value).missing).toEqual([])
      }
    }),
  )
  const odd = { 'a/b': [{ '~': 1 }], ['__proto__' as string]: 'x' }
  expect(jsonLeaves(odd).map(({ pointer }) => pointer)).toContain(`/${escapePointer('a/b')}/0/~0`)
})
