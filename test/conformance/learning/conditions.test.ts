import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conditionFor, underCondition } from '../../../conformance/learning/conditions.ts'
import { compile, type Json } from '../../../src/profile/template.ts'
import { cases } from '../../support/sample.ts'
import { expectLearned, luck, now, sampleOf } from './templates.ts'

/** Returns the facts about a workflow. Each number stands for a step, and is the count of its approvers. */
function known(approvers: readonly number[], total = 0, isSequential = true, status = 'active') {
  const steps = approvers.map((count, index) => ({ step_id: `s${index}`, approvers: Array(count).fill({}) }))
  return { answer: { isSequential, total, status, steps } }
}

type Known = ReturnType<typeof known>
type Answer = Known['answer']

/** Returns what the condition for a value says of calls, or undefined if there is no condition. */
function told(lesson: readonly Known[], answerOf: (one: Known) => unknown) {
  const samples = lesson.map((one, index) => sampleOf(one, answerOf(one), { thing: String(index) }))
  const place = { pointer: '', name: '', depth: 0, guess: () => {} }
  const condition = conditionFor(samples, place, ({ value }) => String(value))
  if (!condition) return undefined
  const { render } = compile(underCondition(condition, (key) => condition.classOf.get(key) as Json))
  return (one: Known) => render({ now, ...one }, luck)
}

const lesson = [
  known([1]),
  known([2, 3], 0, false),
  known([2, 1, 3, 1], 4, true, 'used'),
  known([2, 2, 2], 3, false, 'used'),
  known([2, 1], 5, true, 'used'),
  known([2, 2], 1),
]
const hasLone = ({ steps }: Answer) => steps.some(({ approvers }) => approvers.length === 1)

test.each<readonly [string, (one: Answer) => boolean]>([
  ['a boolean', ({ isSequential }) => isSequential],
  ['a word', ({ status }) => status === 'used'],
  ['a length of a list', ({ steps }) => steps.length > 2],
  ['an item that lacks something', hasLone],
])('a condition about %s is found', (_, answerOf) => {
  const says = told(lesson, ({ answer }) => answerOf(answer))
  const others = [known([3, 1, 2], 6, false), known([2], 2, true, 'used'), known([4, 2, 2, 2], 7)]
  for (const one of [...lesson, ...others]) expect(says?.(one)).toBe(String(answerOf(one.answer)))
})

test.each([
  ['facts that are the same', [1, 1, 2, 2].map((count) => known([count])), [true, false, true, false]],
  ['a single sample', [1, 2, 3, 9].map((total) => known([2], total)), [false, false, false, true]],
])('no condition is made up of %s', (_, alike, values) => {
  expect(told(alike, (one) => values[alike.indexOf(one)])).toBeUndefined()
})

test('a condition agrees with every sample, however many there are', () => {
  const approvers = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 })
  const anyKnown = fc
    .tuple(approvers, fc.nat(6), fc.boolean(), fc.constantFrom('active', 'used', 'retired'))
    .map((parts) => known(...parts))
  fc.assert(
    fc.property(fc.array(fc.tuple(anyKnown, fc.boolean()), { minLength: 2, maxLength: 18 }), (pairs) => {
      const shown = new Map(pairs)
      const says = told([...shown.keys()], (one) => shown.get(one))
      for (const [one, value] of shown) if (says) expect(says(one)).toBe(String(value))
    }),
    { numRuns: cases(1000, 100) },
  )
})

test('a member of some answers is learned with the item of a list that it is about', () => {
  const answer = ({ answer }: Known) => ({ id: 1, ...(hasLone(answer) && { note: 'lone' }) })
  expectLearned(lesson, [known([4, 1]), known([4, 2])], answer)
})
