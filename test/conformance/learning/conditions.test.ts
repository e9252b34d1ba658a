import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conditionFor, underCondition } from '../../../conformance/learning/conditions.ts'
import type { AnswerSample } from '../../../conformance/learning/sample.ts'
import { compile, type Facts, type Json } from '../../../src/profile/template.ts'
import { cases } from '../../support/sample.ts'
import { learned, luck } from './templates.ts'

const now = '2026-03-01T09:00:00.000Z'
const place = { pointer: '', name: '', depth: 0, guess: () => {} }

interface Known {
  readonly isSequential: boolean
  readonly total: number
  readonly status: string
  readonly steps: readonly { readonly step_id: string; readonly approvers: readonly object[] }[]
}

/** Returns the facts about a workflow. Each number stands for a step, and is the count of its approvers. */
const known = (approvers: readonly number[], total = 0, isSequential = true, status = 'active'): Known => ({
  isSequential,
  total,
  status,
  steps: approvers.map((count, index) => ({
    step_id: `s${index}`,
    approvers: Array.from({ length: count }, () => ({})),
  })),
})

const factsOf = (answer: Known): Facts => ({ now, answer })

const sampleOf = (answer: Known, value: unknown, index: number): AnswerSample => ({
  facts: factsOf(answer),
  value,
  items: [],
  thing: String(index),
  at: Date.parse(now),
})

/** Returns what the condition for a value says of calls, or undefined if there is no condition. */
function told(lesson: readonly Known[], answerOf: (one: Known) => unknown) {
  const samples = lesson.map((one, index) => sampleOf(one, answerOf(one), index))
  const condition = conditionFor(samples, place, ({ value }) => String(value))
  if (!condition) return undefined
  const { render } = compile(underCondition(condition, (key) => condition.classOf.get(key) as Json))
  return (one: Known) => render(factsOf(one), luck)
}

const lesson = [
  known([1]),
  known([2, 3], 0, false),
  known([2, 1, 3, 1], 4, true, 'used'),
  known([2, 2, 2], 3, false, 'used'),
  known([2, 1], 5, true, 'used'),
  known([2, 2], 1),
]

test.each<readonly [string, (one: Known) => unknown]>([
  ['a boolean', ({ isSequential }) => isSequential],
  ['a word', ({ status }) => status === 'used'],
  ['a length of a list', ({ steps }) => steps.length > 2],
  ['an item that lacks something', ({ steps }) => steps.some(({ approvers }) => approvers.length === 1)],
  ['a number above another one', ({ total }) => total > 3],
])('a condition about %s is found', (_, answerOf) => {
  const says = told(lesson, answerOf)
  const others = [known([3, 1, 2], 6, false), known([2], 2, true, 'used'), known([4, 2, 2, 2], 7)]
  for (const one of [...lesson, ...others]) expect(says?.(one)).toBe(String(answerOf(one)))
})

test('no condition is made up where the facts are the same', () => {
  const alike = [known([1]), known([1]), known([2]), known([2])]
  expect(told(alike, (one) => alike.indexOf(one) % 2 === 0)).toBeUndefined()
})

test('a single sample does not prove a limit of a number', () => {
  const alike = [1, 2, 3, 9].map((total) => known([2], total))
  expect(told(alike, ({ total }) => total > 8)).toBeUndefined()
})

const anyKnown = fc
  .tuple(
    fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
    fc.nat(6),
    fc.boolean(),
    fc.constantFrom('active', 'used', 'retired'),
  )
  .map((parts) => known(...parts))
const labelled = fc.array(fc.tuple(anyKnown, fc.boolean()), { minLength: 2, maxLength: 9 })

test('a condition agrees with every sample that it was found with', () => {
  fc.assert(
    fc.property(labelled, (pairs) => {
      const shown = new Map(pairs)
      const says = told([...shown.keys()], (one) => shown.get(one))
      for (const [one, value] of shown) if (says) expect(says(one)).toBe(String(value))
    }),
    { numRuns: cases(500, 50) },
  )
})

test('another sample never makes a condition wrong for the earlier ones', () => {
  fc.assert(
    fc.property(labelled, labelled, (first, more) => {
      const shown = new Map([...first, ...more])
      const says = told([...shown.keys()], (one) => shown.get(one))
      for (const [one, value] of first) if (says) expect(says(one)).toBe(String(value))
    }),
    { numRuns: cases(500, 50) },
  )
})

test('a member of some answers is learned with the item of a list that it is about', () => {
  const hasLone = ({ steps }: Known) => steps.some(({ approvers }) => approvers.length === 1)
  const samples = lesson.map((one, index) => sampleOf(one, { id: 1, ...(hasLone(one) && { note: 'lone' }) }, index))
  const { template, guesses } = learned(samples)
  expect(guesses).toEqual([])
  const { render } = compile(template)
  expect(render(factsOf(known([4, 1])), luck)).toEqual({ id: 1, note: 'lone' })
  expect(render(factsOf(known([4, 2])), luck)).toEqual({ id: 1 })
})
