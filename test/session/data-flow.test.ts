import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapePointer } from '../../src/contract/json.ts'
import { type DataUse, followData, type Turn, valueFrom, withValues } from '../../src/session/data-flow.ts'
import { jsonLeaves } from '../../src/session/leaves.ts'

const isIdentifier = (kind: string, pointer: string) => kind === 'use' && pointer === '/path/id'

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

/** A session as a plan: things are made, and used at later calls in some way. */
interface Plan {
  /** The name of the member that shows the identifier. */
  readonly shownAs: string
  readonly uses: readonly { readonly thing: number; readonly how: keyof typeof ways }[]
}

const things = [0, 1, 2, 3]
const name = fc.constantFrom('id', 'ref', 'thing', 'a/b~c', 'result', '__proto__x', 'größe')
const how = fc.constantFrom(...(Object.keys(ways) as (keyof typeof ways)[]))
const uses = fc.array(fc.record({ thing: fc.constantFrom(...things), how }), { minLength: 1, maxLength: 8 })

/** Identifiers as services make them: letters, digits and hyphens, with a digit. */
const identifiers = fc.uniqueArray(fc.stringMatching(/^(wf|exec|x)[_-][\da-f]{4,9}7$/), { minLength: 4, maxLength: 4 })

/** Sends a plan to a service with these identifiers. */
function sessionOf({ shownAs, uses }: Plan, ids: readonly string[]): Turn[] {
  const made = things.slice(0, ids.length).map((thing): Turn => {
    const [id, order] = [ids[thing], 1]
    const answered = { headers: { location: `/things/${id}` }, body: { data: { [shownAs]: id, order } } }
    return { kind: 'make', asked: { path: {}, body: { title: `Thing ${thing}`, order } }, answered }
  })
  const used = uses.map(({ thing, how }): Turn => {
    const answered = { headers: {}, body: { ok: true, title: `Thing ${thing}` } }
    return { kind: 'use', asked: ways[how](ids[thing] ?? ''), answered }
  })
  return [...made, ...used]
}

const planWithIds = fc.tuple(fc.record({ shownAs: name, uses }), identifiers, identifiers)

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
  const turns = sessionOf({ shownAs: 'id', uses: [{ thing: 0, how: 'in the path' }] }, ['wf-12345'])
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
