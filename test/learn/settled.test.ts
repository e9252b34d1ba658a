import { expect, test } from 'vitest'
import { foundIn, settle } from '../../src/learn/review.ts'
import { keepSettled } from '../../src/learn/settled.ts'
import { changedPart, partAt } from '../../src/profile/places.ts'
import type { Profile } from '../../src/profile/profile.ts'
import type { Json } from '../../src/profile/template.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { answerTo } from './answers.ts'

const item = { title: { $: '0/name' } }
const templates: readonly (readonly [string, Json, string])[] = [
  ['a member', { a: { b: 1 } }, '/a/b'],
  ['an item of a list', { steps: { $each: '/answer/steps', item } }, '/steps/*/title'],
  ['an item of one of several lists', { all: { $concat: [[1], { $each: '/answer/steps', item }] } }, '/all/*/title'],
  ['a case', { a: { $case: '/answer/status', values: { open: { b: 1 } }, else: { b: 1 } } }, '/a/b'],
  ['a condition', { $if: '/answer/name', present: { b: 1 } }, '/b'],
  ['a value that is named by an item', { $entries: '/answer/steps', key: { $: '0/name' }, value: { b: 1 } }, '/s1/b'],
  ['members that begin with a dollar', { $members: { $a: { b: 1 } } }, '/$a/b'],
  ['an item at its place', { pair: [0, { b: 1 }] }, '/pair/1/b'],
]

test.each(nonEmpty(templates))('the template of %s is found and changed', (_, template, pointer) => {
  expect(partAt(template, pointer)).toEqual(pointer.endsWith('title') ? item.title : 1)
  const changed = changedPart(template, pointer, () => 'new')
  expect(partAt(changed, pointer)).toBe('new')
  expect(changedPart(changed, pointer, () => partAt(template, pointer) ?? null)).toEqual(template)
  expect(partAt(template, `${pointer}/more`)).toBeUndefined()
})

const learned: Profile = {
  version: 1,
  locators: { workflow_id: '/data/id', key: '/key' },
  learned: { at: '2026-03-01T09:00:00.000Z', answers: 9, guessed: { 'createWorkflow /body/rank': 'it differs' } },
  approvers: 'manual',
  accepts: ['file-too-large'],
  answers: { createWorkflow: { status: 201, body: { rank: 7 } } },
}
const session = ['one', 'two'].map((id, index) =>
  answerTo('createWorkflow', { data: { id }, number: index, rank: index }),
)

test('what was found is shown beside two answers, and guesses with their reason', () => {
  const found = foundIn(learned, session)
  expect(found.map(({ name, setting }) => [name, setting])).toEqual([
    ['locators.workflow_id', '/data/id'],
    ['locators.key', '/key'],
    ['createWorkflow /body/rank', 7],
    ['approvers', 'manual'],
    ['accepts file-too-large', true],
  ])
  expect(found[0]?.shown.map(({ value }) => value)).toEqual(['one', 'two'])
  expect(found[2]).toMatchObject({ doubt: 'it differs', shown: [{ value: 0 }, { value: 1 }] })
})

test('a part of the details that was not found is asked for, beside their places', () => {
  const kennzahlen = { laeufe: 1, tiefer: { x: {} } }
  const details = answerTo('getWorkflow', { id: 7, kennzahlen, engpass: null, rat: [] })
  const [first] = foundIn(learned, [...session, details])
  expect(first).toMatchObject({ name: 'locators.execution_metrics', doubt: 'it was not found' })
  expect(first?.shown[0]?.value).toEqual(['/kennzahlen', '/kennzahlen/tiefer', '/rat'])
  const said = { is: 'other', text: '/kennzahlen' } as const
  const settled = settle(learned, { name: 'locators.execution_metrics' }, said, [...session, details]) as Profile
  expect(settled.locators).toMatchObject({ execution_metrics: '/kennzahlen' })
})

test('a locator without a value is asked for until it is right, even if settled', () => {
  const broken: Profile = { ...learned, locators: { workflow_id: '/data/none' }, settled: ['locators.workflow_id'] }
  expect(foundIn(broken, session)[0]).toMatchObject({ doubt: 'no answer shows a value there' })
  const name = 'locators.workflow_id'
  expect(settle(broken, { name }, { is: 'right' }, session)).toMatch(/^No answer shows a value at \/data\/none/)
  const settled = settle(broken, { name }, { is: 'other', text: '/data/id' }, session) as Profile
  expect(settled).toMatchObject({ locators: { workflow_id: '/data/id' }, settled: [name] })
})

const settledAs = (name: string, text?: string) => {
  const other = text === '-' ? ({ is: 'none' } as const) : { is: 'other' as const, text: text ?? '' }
  return settle(learned, { name }, text === undefined ? { is: 'right' } : other, session)
}

const ranked = { createWorkflow: { status: 201, body: { rank: { $: '/answer/name' } } } }

test.each<[name: string, text: string, changed: Partial<Profile>]>([
  ['locators.workflow_id', '/number', { locators: { workflow_id: '/number', key: '/key' } }],
  ['locators.key', '-', { locators: { workflow_id: '/data/id' } }],
  ['createWorkflow /body/rank', '{"$":"/answer/name"}', { answers: ranked }],
  ['approvers', 'auto', { approvers: 'auto' }],
  ['accepts file-too-large', '-', { accepts: [] }],
])('%s stays as a person corrects it to %s', (name, text, changed) => {
  const corrected = settledAs(name, text) as Profile
  expect(corrected.settled).toEqual([name])
  expect(foundIn(corrected, session).map((one) => one.name)).not.toContain(name)
  for (const profile of [corrected, keepSettled(learned, corrected)])
    expect({ ...profile, ...changed }).toEqual(profile)
})

test.each([
  ['locators.workflow_id', 'data/id', 'It begins with a slash.'],
  ['locators.workflow_id', '/nothing', 'No answer shows a value at /nothing.'],
  ['approvers', 'sometimes', '/approvers is none of auto, instant and manual'],
  ['approvers', '-', 'Type auto, instant or manual.'],
  ['accepts file-too-large', 'x', 'type - to remove it'],
  ['createWorkflow /body/rank', '{"$":"/answer/nothing"}', "has no 'nothing'"],
])('it says what is wrong with %s as %s', (name, text, flaw) => {
  expect(settledAs(name, text)).toEqual(expect.stringContaining(flaw))
})

test('what is right stays as it is, and is no guess any more', () => {
  const kept = settledAs('createWorkflow /body/rank') as Profile
  expect(kept).toMatchObject({ settled: ['createWorkflow /body/rank'], learned: { guessed: {} } })
  expect(kept.answers).toEqual(learned.answers)
})
