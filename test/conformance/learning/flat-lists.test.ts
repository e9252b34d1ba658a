import { expect, test } from 'vitest'
import { shapeOf } from '../../../conformance/learning/shape.ts'
import { compile, type Facts } from '../../../src/profile/template.ts'
import { learned, luck } from './templates.ts'

const now = '2026-03-01T09:00:00.000Z'
const approver = (name: string) => ({ email: `${name}@example.com`, name })

/** Steps with these approvers. */
const steps = (...lists: readonly string[][]) =>
  lists.map((names, index) => ({
    step_id: `step-${names.join('-')}`,
    order: index + 1,
    approvers: names.map(approver),
  }))

const workflows = [steps(['ann', 'bob']), steps(['cid'], ['dan', 'eve', 'flo'], ['gus']), steps(['hal'], ['ida'])]

/** A workflow with a member for each step and approver. */
function flat(shown: ReturnType<typeof steps>, name: (path: readonly (string | number)[]) => string) {
  const members: [string, unknown][] = [[name(['wf', 'steps']), String(shown.length)]]
  for (const [index, { step_id, order, approvers }] of shown.entries()) {
    members.push([name(['wf', 'step', index, 'id']), step_id], [name(['wf', 'step', index, 'order']), String(order)])
    for (const [at, { email }] of approvers.entries())
      members.push([name(['wf', 'step', index, 'approver', at]), email])
  }
  return Object.fromEntries(members)
}

const counted = (from: number, mark: string) => (path: readonly (string | number)[]) =>
  path.map((part) => (typeof part === 'number' ? part + from : part)).join(mark)

test.each([
  ['dots, from 1 on', counted(1, '.')],
  ['underscores, from 0 on', counted(0, '_')],
  [
    'brackets',
    (path: readonly (string | number)[]) =>
      path
        .join('.')
        .replaceAll(/\.(\d+)/g, '[$1]')
        .replaceAll(/\]$/g, ']'),
  ],
])('members with numbers in their names are lists: %s', (_, name) => {
  const { template, guesses } = learned(
    workflows.map((shown, index) => {
      const facts: Facts = { now, answer: { steps: shown } }
      return { facts, value: flat(shown, name), items: [], thing: String(index), at: Date.parse(now) }
    }),
  )
  expect(guesses).toEqual([])
  const unseen = steps(['joe'], ['kim'], ['lee', 'mia'], ['ned'], ['oda', 'pia', 'quy', 'rob'])
  expect(compile(template).render({ now, answer: { steps: unseen } }, luck)).toEqual(flat(unseen, name))
})

test('names with a digest or an address in two lines are no lists of other things', () => {
  const value = (name: string) => ({ md5: `md5 of ${name}`, sha256: `sha of ${name}`, street: 'Main street' })
  const { template } = learned(
    ['draft', 'final'].map((name, index) => {
      return { facts: { now, answer: { name } }, value: value(name), items: [], thing: String(index), at: 0 }
    }),
  )
  expect(Object.keys(template as object)).toEqual(['md5', 'sha256', 'street'])
})

test('the schema of an answer with numbers in its names leaves these names open', () => {
  const item = { '.id': { $: '0/step_id' } }
  const template = {
    $flat: { total: { $count: '/answer/steps', as: 'text' }, 'step.': { $each: '/answer/steps', item } },
    from: 1,
  }
  const schema = shapeOf(template, { operation: 'createWorkflow', isGuess: () => false, requires: true })
  expect(Object.keys(schema.properties as object)).toEqual(['total'])
  expect(schema.required).toEqual(['total'])
  expect(schema.additionalProperties).not.toHaveProperty('properties')
})
