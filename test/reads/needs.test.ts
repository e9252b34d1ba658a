import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../conformance/reading/finding.ts'
import { judgeNeeds, type Need } from '../../conformance/reads/needs.ts'
import { needText, openNeeds } from '../../conformance/reads/needs-text.ts'
import { escapePointer } from '../../src/contract/json.ts'
import type { ReadPlace } from '../../src/reads/reads-file.ts'
import { typeOfJson } from '../../src/reads/tracker.ts'
import { exchange } from '../support/run-result.ts'

const at = (place: string, more: Partial<ReadPlace> = {}): ReadPlace => ({
  ...{ operation: 'createWorkflow', status: 201, place, uses: ['value'], types: ['string'] },
  ...{ tests: ['test/page.test.ts > shows it'], ...more },
})

/** A success, whatever the body says. */
const created = { responseHeaders: { location: '/api/v1/workflows/w-1' } }

/** Judges places on the answers to creating a workflow. */
function judge(
  places: readonly ReadPlace[],
  bodies: readonly unknown[],
  status = 201,
  findings: readonly Finding[] = [],
) {
  const exchanges = bodies.map((body) =>
    exchange({ status, responseBody: JSON.stringify(body), ...(status === 201 && created) }),
  )
  return judgeNeeds(places, { exchanges, withheld: [], crashes: [] }, findings)
}

/** Returns the places of all values in an answer, with their types. */
function placesIn(json: unknown, place = ''): ReadPlace[] {
  const type = typeOfJson(json)
  const own = place === '' || !type ? [] : [at(place, { types: [type] })]
  if (json === null || typeof json !== 'object') return own
  const inside = Object.entries(json).flatMap(([name, value]) =>
    placesIn(value, `${place}/${Array.isArray(json) ? '*' : escapePointer(name)}`),
  )
  return [...own, ...inside]
}

/** An answer whose lists have items of one form. */
const { body: answer } = fc.letrec((tie) => ({
  body: fc.dictionary(fc.string(), tie('value'), { minKeys: 1, maxKeys: 4 }),
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    tie('body'),
    tie('value').map((item) => [item, item]),
  ),
}))

test('an answer gives all that was read of it', () => {
  fc.assert(
    fc.property(answer, (drawn) => {
      const body: unknown = JSON.parse(JSON.stringify(drawn))
      const report = judge(placesIn(body), [body, body])
      expect(report.needs.filter(({ verdict }) => verdict !== 'given')).toEqual([])
      expect(report.verdict).toBe('met')
    }),
  )
})

test('without a member, its place and all places below it are missing', () => {
  fc.assert(
    fc.property(answer, fc.nat(), (drawn, which) => {
      const body = JSON.parse(JSON.stringify(drawn)) as Record<string, unknown>
      const places = placesIn(body)
      const names = Object.keys(body)
      const name = names[which % names.length] ?? ''
      const gone = `/${escapePointer(name)}`
      const { needs, verdict } = judge(places, [
        Object.fromEntries(names.filter((one) => one !== name).map((one) => [one, body[one]])),
      ])
      expect(verdict).toBe('unmet')
      const isGone = ({ place }: Need) => place === gone || place.startsWith(`${gone}/`)
      expect(needs.filter((need) => (need.verdict === 'missing') !== isGone(need))).toEqual([])
    }),
  )
})

type Verdict = readonly [verdict: string, message: string]
const empty = 'The lists or objects that would have it were empty.'

test.each<[string, Partial<ReadPlace>, bodies: unknown[], Verdict]>([
  ['/id', {}, [{ id: 7 }], ['missing', 'It is a number; the front end read a string.']],
  [
    '/id',
    { types: ['null', 'list'] },
    [{ id: {} }],
    ['missing', 'It is an object; the front end read null or a list.'],
  ],
  ['/end', {}, [{ end: null }], ['undecided', 'It was always null.']],
  ['/end', { types: ['string', 'null'] }, [{ end: null }], ['given', '']],
  ['/end', { types: ['null'] }, [{ end: 'now' }], ['given', '']],
  ['/end', {}, [{ end: 'now' }, {}], ['undecided', '1 of 2 answers do not have it.']],
  ['/end', { uses: ['value', 'absent'] }, [{ end: 'now' }, {}], ['given', '']],
  ['/list/*/name', {}, [{ list: [] }], ['undecided', empty]],
  ['/name', {}, [], ['undecided', 'There was no successful answer of createWorkflow.']],
  [
    '/code',
    { status: 404 },
    [{ code: 'none' }],
    ['undecided', 'There was no answer of createWorkflow with status 404.'],
  ],
])('%#: the place %s is judged by its type, null and absence', (place, more, bodies, verdict) => {
  const { needs } = judge([at(place, more)], bodies)
  expect(needs.map((need) => [need.verdict, need.message])).toEqual([verdict])
})

describe('a place', () => {
  test('is looked for in each success, or in each refusal with its status', () => {
    expect(judge([at('/name')], []).verdict).toBe('undecided')
    expect(judge([at('/name')], [{ name: 'Contract' }], 200).verdict).toBe('met')
    expect(judge([at('/code', { status: 404 })], [{ error: {} }], 404).verdict).toBe('unmet')
    // An answer that says that the call failed is no success, whatever its status is.
    expect(judge([at('/name')], [{ error: 'refused' }], 200).verdict).toBe('undecided')
  })

  test('that was only asked for, or never there, is no need', () => {
    expect(judge([at('/title', { uses: ['absent'] }), at('/title', { uses: ['asked'] })], [{}])).toEqual({
      verdict: 'undecided',
      needs: [],
    })
  })
})

test('missing places with one cause are one line, with the tests that read them', () => {
  const found = { what: 'workflow.name', answer: 'created', place: '/data/name', value: '' } as const
  const finding = { ...found, rule: '', strength: 'proven', rejected: [] } as const
  const report = judge([at('/steps', { types: ['list'] }), at('/steps/*/name'), at('/name')], [{ data: {} }], 201, [
    finding,
  ])
  expect(openNeeds(report).map(needText)).toEqual([
    'createWorkflow 201 /steps and 1 place more: No successful answer of createWorkflow has /steps. Read by test/page.test.ts > shows it.',
    'createWorkflow 201 /name: No successful answer of createWorkflow has /name. The suite found workflow.name at /data/name. Read by test/page.test.ts > shows it.',
  ])
})
