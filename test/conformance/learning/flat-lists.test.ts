import { expect, test } from 'vitest'
import { shapeOf } from '../../../conformance/learning/shape.ts'
import { expectLearned, learned, samplesAt } from './templates.ts'

/** The facts about a workflow whose steps have these approvers. */
const workflow = (...lists: readonly string[][]) => ({
  answer: {
    steps: lists.map((names, index) => ({
      step_id: `step-${names}`,
      order: index + 1,
      approvers: names.map((name) => ({ email: `${name}@example.com`, name })),
    })),
  },
})

type Path = readonly (string | number)[]

const counted = (from: number, mark: string) => (path: Path) =>
  path.map((part) => (typeof part === 'number' ? part + from : part)).join(mark)

test.each<[how: string, nameOf: (path: Path) => string]>([
  ['dots, from 1 on', counted(1, '.')],
  ['underscores, from 0 on', counted(0, '_')],
  ['brackets', (path) => path.join('.').replaceAll(/\.(\d+)/g, '[$1]')],
])('members with numbers in their names are lists: %s', (_, nameOf) => {
  const lesson = [
    workflow(['ann', 'bob']),
    workflow(['cid'], ['dan', 'eve', 'flo'], ['gus']),
    workflow(['hal'], ['ida']),
  ]
  const unseen = workflow(['joe'], ['kim'], ['lee', 'mia'], ['ned'], ['oda', 'pia', 'quy', 'rob'])
  expectLearned(lesson, [unseen], ({ answer: { steps } }) =>
    Object.fromEntries([
      [nameOf(['wf', 'steps']), String(steps.length)],
      ...steps.flatMap(({ step_id, order, approvers }, index) => [
        [nameOf(['wf', 'step', index, 'id']), step_id],
        [nameOf(['wf', 'step', index, 'order']), String(order)],
        ...approvers.map(({ email }, at) => [nameOf(['wf', 'step', index, 'approver', at]), email]),
      ]),
    ]),
  )
})

test('names with a digest or an address in two lines are no lists of other things', () => {
  const names = ['draft', 'final']
  const shown = names.map((name) => ({ md5: `md5 of ${name}`, sha256: `sha of ${name}`, street: 'Main street' }))
  const { template } = learned(samplesAt('/answer/name', names, shown))
  expect(Object.keys(template as object)).toEqual(['md5', 'sha256', 'street'])
})

test('the schema of an answer with numbers in its names leaves these names open', () => {
  const item = { '.id': { $: '0/step_id' } }
  const template = {
    $flat: { total: { $count: '/answer/steps', as: 'text' }, 'step.': { $each: '/answer/steps', item } },
    from: 1,
  }
  const schema = shapeOf(template, { operation: 'createWorkflow', isGuess: () => false, requires: true })
  expect([Object.keys(schema.properties as object), schema.required]).toEqual([['total'], ['total']])
  expect(schema.additionalProperties).not.toHaveProperty('properties')
})
