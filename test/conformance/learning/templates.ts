/** Random facts and templates, to learn from. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { generalise } from '../../../conformance/learning/generalise.ts'
import type { AnswerSample, Guess } from '../../../conformance/learning/sample.ts'
import { compile, type Facts, type Json, type RandomSource } from '../../../src/profile/template.ts'
import { nonEmpty } from '../../support/non-empty.ts'

export const now = '2026-03-01T09:00:00.000Z'

/** The place that a pointer names, such as `steps[1].order`. */
export const bracketed = (pointer: string) =>
  pointer
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')

/** Draws that depend on nothing but the text. */
export const luck: RandomSource = {
  draw(text = 'call') {
    let state = [...text].reduce((sum, character) => sum + character.charCodeAt(0), 7)
    return () => {
      state = (state * 16_807) % 2_147_483_647
      return state / 2_147_483_647
    }
  },
}

/** Letters and digits that stand for a number. */
const spelled = (number: number) => [...String(number)].map((digit) => 'bcdfghjkmn'.charAt(Number(digit))).join('')

/** A text that no other fact has, since each begins with what it is. */
const named = (start: string) => fc.integer({ min: 100_000, max: 999_999 }).map((rest) => `${start}${spelled(rest)}47`)

const step = (index: number) =>
  fc.record({
    ...{ step_id: named(`s${index}`), name: named(`step${index}`), order: fc.constant(index + 1) },
    estimated_duration: fc.integer({ min: 101, max: 997 }),
    assignee: fc.option(fc.record({ email: named('mail') }), { nil: null }),
  })

const answer = fc.record({
  ...{ workflow_id: named('wf'), name: named('name'), description: named('about'), isSequential: fc.boolean() },
  file_size: fc.integer({ min: 10_007, max: 99_991 }),
  steps: fc.integer({ min: 1, max: 4 }).chain((count) => fc.tuple(...[0, 1, 2, 3].slice(0, count).map(step))),
})

/** The values of an answer that are made for it alone. */
const valuesOf = (answer: object) => [...JSON.stringify(answer).matchAll(/"\w+47"|\d{3,}/g)].map(String)

/**
 * Facts of several calls. No two have a value in common, and neither the
 * number of steps nor the boolean is the same in all.
 */
export const severalFacts: fc.Arbitrary<Facts[]> = fc
  .uniqueArray(answer, {
    ...{ minLength: 4, maxLength: 7 },
    comparator: (one, other) => valuesOf(one).some((value) => valuesOf(other).includes(value)),
  })
  .filter((all) => [all.map(({ steps }) => steps.length), all.map((one) => one.isSequential)].every(isVaried))
  .map((answers) =>
    answers.map((one, index): Facts => ({ answer: one, now: new Date(Date.UTC(2026, 2, 1, index)).toISOString() })),
  )

function isVaried(values: readonly unknown[]): boolean {
  return new Set(values).size > 1
}

/** Names as deployments have them, and some that mean something to templates or to JavaScript. */
const memberName = fc.oneof(
  { weight: 8, arbitrary: fc.nat(9999).map((number) => `m${spelled(number)}`) },
  { weight: 1, arbitrary: fc.constantFrom('$', '$text', '$members', '__proto__', 'constructor', 'a/b~c', '', '0') },
)

const constant = fc.oneof(
  fc.nat(9999).map((number) => `K${spelled(number)}`),
  fc.constantFrom<Json>(null, true, false, 'KEY', '', [], {}),
)

const texts = ['workflow_id', 'name', 'description'].map((name) => `/answer/${name}`)

const follows = (pointer: string): Json => ({ $: pointer })

function leaf(pointers: readonly string[], numbers: readonly string[]): fc.Arbitrary<Json> {
  const text = fc.constantFrom(...pointers)
  return fc.oneof(
    constant,
    fc.constantFrom(...pointers, ...numbers).map(follows),
    text.map((pointer): Json => ({ $: pointer, as: 'upper' })),
    fc.tuple(fc.nat(9999), text).map(([start, $]): Json => ({ $text: [`K${spelled(start)} `, { $ }] })),
  )
}

const members = (value: fc.Arbitrary<Json>) =>
  fc.array(fc.tuple(memberName, value), { minLength: 1, maxLength: 4 }).map((entries): Json => {
    const object = Object.fromEntries(entries)
    return entries.some(([name]) => name.startsWith('$')) ? { $members: object } : object
  })

const itemLeaf = leaf(['0/step_id', '0/name'], ['0/order', '0/estimated_duration'])
const stepText = fc.constantFrom<Json>({ $: '0/step_id' }, { $text: ['step ', { $: '0/name' }] })
const item = fc.oneof(members(itemLeaf), stepText)
const [each, entries, key] = [{ $each: '/answer/steps' }, { $entries: '/answer/steps' }, { $: '0/step_id' }]

const steps = fc.oneof(
  item.map((item): Json => ({ ...each, item })),
  item.map((item): Json => ({ ...each, item, reversed: true })),
  members(itemLeaf).map((value): Json => ({ ...entries, key, value })),
  fc.tuple(memberName, itemLeaf, itemLeaf).map(([name, value, other]): Json => {
    return { ...entries, key: { $text: [key, `.${name}`] }, value, also: [{ key, value: other }] }
  }),
  fc.constant<Json>({ $count: '/answer/steps' }),
)

/** The answers of a deployment, without anything that is made anew. */
export const deploymentTemplate: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf(texts, ['/answer/file_size', '/answer/isSequential']),
    steps,
    members(tie('value')),
    fc
      .tuple(fc.constantFrom(...texts), tie('value'))
      .map(([$entries, value]): Json => ({ $entries, key: { $: '0' }, value })),
    fc.tuple(tie('value'), tie('value')).map((items): Json => items),
  ),
})).value

/** The same, with values that differ from call to call. */
export const livelyTemplate: fc.Arbitrary<Json> = fc
  .tuple(
    deploymentTemplate,
    fc.constantFrom<Json>(
      { $new: 'uuid' },
      { $new: 'hex', length: 12, per: 'call' },
      { $time: '/now', form: 'iso' },
      { $time: '/now', form: 'list-seconds' },
      { $text: ['at ', { $time: '/now', form: 'seconds-text' }, '/', { $new: 'digits', length: 3, per: 'call' }] },
    ),
  )
  .map((items): Json => items)

/** Answers as the template writes them. */
export function samplesOf(template: Json, facts: readonly Facts[]): AnswerSample[] {
  const { render } = compile(template)
  return facts.map((one, index) => {
    const value = JSON.parse(JSON.stringify(render(one, luck) ?? null))
    return sampleOf(one, value, { thing: String(index), at: Date.parse(one.now) })
  })
}

/** An answer, with the facts of its call. */
export function sampleOf(facts: Partial<Facts>, value: unknown, more: Partial<AnswerSample> = {}): AnswerSample {
  return { facts: { now, ...facts }, value, items: [], thing: '', at: Date.parse(now), ...more }
}

/** Answers about several things, which show these values; the facts of their calls differ in the value at a pointer. */
export function samplesAt(pointer: string, facts: readonly unknown[], values: readonly unknown[]): AnswerSample[] {
  return values.map((value, index) => sampleOf(factsAt(pointer, facts[index]), value, { thing: String(index) }))
}

/** Facts with one value, at a pointer. */
function factsAt(pointer: string, value: unknown): Partial<Facts> {
  const names = pointer.split('/').slice(1)
  return names.reduceRight<unknown>((inner, name) => (name === '0' ? [inner] : { [name]: inner }), value) as Facts
}

/** Learns what a deployment answers to some calls, and expects the same of what it would answer to others. */
export function expectLearned<Known extends Partial<Facts>>(
  lesson: readonly Known[],
  unseen: readonly Known[],
  answer: (facts: Known) => unknown,
): Json {
  const samples = lesson.map((one, index) => sampleOf(one, answer(one), { thing: String(index) }))
  const { template, guesses } = learned(samples)
  expect(guesses).toEqual([])
  for (const one of nonEmpty([...lesson, ...unseen])) expect(written(template, { now, ...one })).toEqual(answer(one))
  return template
}

/** Learns a template, and returns what it does not explain too. */
export function learned(samples: readonly AnswerSample[]): { template: Json; guesses: Guess[] } {
  const guesses: Guess[] = []
  const template = generalise(samples, { pointer: '', name: '', depth: 0, guess: (guess) => guesses.push(guess) })
  return { template, guesses }
}

/** Renders a template, as it is sent. */
export function written(template: Json, facts: Facts): unknown {
  return JSON.parse(JSON.stringify(compile(template).render(facts, luck) ?? null))
}
