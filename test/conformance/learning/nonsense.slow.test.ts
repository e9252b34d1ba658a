/** Deployments that answer nonsense teach nothing bad, in bounded work. */
import { expect, test } from 'vitest'
import { reference } from '../../../conformance/selftest/reference.ts'
import { virtualTime } from '../../../conformance/selftest/virtual-time.ts'
import {
  changeAnswers,
  type Members,
  onCalls,
  serviceCalls,
  type Wrapper,
} from '../../../conformance/selftest/wrapper.ts'
import { learnDeployment } from '../../../src/learn/learn-deployment.ts'
import { learned } from './templates.ts'

/** The largest profile that nonsense may make, in characters of JSON. */
const largest = 250_000

const key = 'test_canary_7f3Kq9Zw2LxV'
const adding = (more: (body: Members) => Members): Wrapper =>
  changeAnswers(serviceCalls, (body) => ({ ...body, ...more(body) }))

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
  ['lists of thousands of items', () => ({ items: Array.from({ length: 6000 }, (_, index) => index) })],
  ['a million characters of text', () => ({ text: 'x'.repeat(1_000_000) })],
  [
    'deep, long, many, changing and polluting members',
    () => ({
      ...{ tree: nested(500), ['n'.repeat(10_000)]: 1, many: manyMembers, changing: newShape() },
      ...JSON.parse(polluting),
    }),
  ],
]

async function learnFrom(wrapper: Wrapper) {
  return learnDeployment({
    url: 'http://nonsense.test',
    apiKey: key,
    fetch: wrapper(reference()),
    gaps: false,
    time: virtualTime(),
    onStage: () => {},
  })
}

test.each(nonsense)('%s make a bounded profile', async (_, more) => {
  const { profile } = await learnFrom(adding(more))
  expect(JSON.stringify(profile).length).toBeLessThan(largest)
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('the key is in no spelling in the profile of a deployment that repeats it', async () => {
  const spellings = [
    key,
    btoa(key),
    encodeURIComponent(key),
    [...key].map((one) => `%${one.charCodeAt(0).toString(16)}`).join(''),
    [...key].toReversed().join(''),
  ]
  const flipped = [...key].map((one) => (one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase())).join('')
  const all = [...spellings, flipped]
  const wrapper: Wrapper = (inner) =>
    onCalls(serviceCalls, async (request, next) => {
      const response = await next(request)
      const headers = new Headers(response.headers)
      headers.set('X-Caller', key)
      return new Response(response.body, { status: response.status, headers })
    })(adding(() => ({ you_are: all, [`caller ${key}`]: all.join(' ') }))(inner))
  const learnedOf = await learnFrom(wrapper)
  const text = JSON.stringify(learnedOf)
  for (const spelling of all) expect(text).not.toContain(spelling)
})

test('a guess names its place', () => {
  const facts = { now: '2026-03-01T09:00:00.000Z' }
  const samples = ['one thing', 'no other thing at all', 'something'].map((value) => ({
    facts,
    value: { list: [{ odd: value }] },
    items: [],
    thing: '',
    at: 0,
  }))
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
  const facts = {
    now: '2026-03-01T09:00:00.000Z',
    answer: counted({ name: 'a', steps: Array.from({ length: 5 }, () => counted({ order: 1 })) }),
  }
  const samples = Array.from({ length: 6 }, (_, index) => ({
    facts,
    value: { rows: Array.from({ length: 5000 }, (_, row) => ({ row, index })) },
    items: [],
    thing: String(index),
    at: 0,
  }))
  learned(samples)
  expect(looked).toBeLessThan(10_000)
})
