/** Deployments that answer nonsense teach nothing bad, in bounded work. */
import { expect, test } from 'vitest'
import { reference } from '../../../conformance/selftest/reference.ts'
import { changeAnswers, type Members, serviceCalls } from '../../../conformance/selftest/wrapper.ts'
import { mostValues } from '../../../conformance/session/bounds.ts'
import { longestBody } from '../../../conformance/wire/record.ts'
import { learned as learnDeployment } from '../../learn/lessons.ts'
import { learned, sampleOf } from './templates.ts'

/** The largest profile that nonsense may make, in characters of JSON. */
const largest = 250_000

function nested(depth: number): unknown {
  let value: unknown = 'end'
  for (let level = 0; level < depth; level += 1) value = { inner: value }
  return value
}

let calls = 0
const newShape = () => {
  calls += 1
  return { [`m${calls}`]: calls % 2 === 0 ? [calls] : { [`n${calls}`]: calls } }
}
const manyMembers = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`m${index}`, 1]))
const polluting = '{"constructor": {"prototype": {"polluted": 1}}, "x": {"__proto__": {"polluted": 1}}}'

/** Answers that are too large are cut or left out, so each of these has a deployment of its own; the others share one. */
const nonsense: readonly (readonly [string, (body: Members) => Members])[] = [
  ['long lists', () => ({ items: Array.from({ length: mostValues + 100 }, (_, index) => index) })],
  ['long texts', () => ({ text: 'x'.repeat(longestBody + 1) })],
  [
    'deep, long, many, changing and polluting members',
    () => ({
      ...{ tree: nested(500), ['n'.repeat(10_000)]: 1, many: manyMembers, changing: newShape() },
      ...JSON.parse(polluting),
    }),
  ],
]

test.each(nonsense)('%s make a bounded profile', async (_, more) => {
  const { profile } = await learnDeployment(
    changeAnswers(serviceCalls, (body) => ({ ...body, ...more(body) }))(reference()),
    { gaps: false },
  )
  expect(JSON.stringify(profile).length).toBeLessThan(largest)
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('a guess names its place', () => {
  const samples = ['one thing', 'no other thing at all', 'something'].map((odd) => sampleOf({}, { list: [{ odd }] }))
  expect(learned(samples).guesses).toMatchObject([
    { pointer: '/list/0/odd', why: 'it differs from answer to answer, and no fact explains it' },
  ])
})

test('the work for a list grows no faster than the list is allowed to', () => {
  let looked = 0
  const counted = (value: object) =>
    new Proxy(value, {
      get(target, name, receiver) {
        looked += 1
        return Reflect.get(target, name, receiver)
      },
    })
  const facts = { answer: counted({ name: 'a', steps: Array.from({ length: 5 }, () => counted({ order: 1 })) }) }
  const samples = Array.from({ length: 6 }, (_, index) => {
    const rows = Array.from({ length: 5000 }, (_, row) => ({ row, index }))
    return sampleOf(facts, { rows }, { thing: String(index) })
  })
  learned(samples)
  expect(looked).toBeLessThan(10_000)
})
