import { expect, test } from 'vitest'
import { changedPlaces, executionFindings, hasMoved, type Reading } from '../../../conformance/reading/movement.ts'

const read = (workflow: string, executions: number, details: object): Reading => ({ workflow, executions, details })

const strengths = (readings: readonly Reading[]) =>
  Object.fromEntries(executionFindings(readings).map(({ place, strength }) => [place, strength]))

/** Details of two workflows before and after executions of the first. */
const around = (before: object, after: object, executions = 1, other = before): Reading[] => [
  read('one', 0, before),
  read('two', 0, before),
  read('one', executions, after),
  read('two', 0, other),
]

const tasks = (by: number) => ({ pending_tasks: by, version: by, current_step: by, frobs: by })
const started = (total: number, more: object = {}) => ({ execution_metrics: { total_executions: total }, ...more })
const named = { '/execution_metrics/total_executions': 'named' }

test.each<[what: string, readings: Reading[], strengths: object]>([
  [
    'of any name that increases only with executions',
    around({ Frobs__c: 0 }, { Frobs__c: 1 }),
    { '/Frobs__c': 'proven' },
  ],
  ['for all workflows', around({ frobs: 4 }, { frobs: 5 }, 1, { frobs: 5 }), { '/frobs': 'likely' }],
  ['without another workflow', [read('one', 0, { frobs: 0 }), read('one', 1, { frobs: 1 })], { '/frobs': 'likely' }],
  [
    'that is a list, or shown only afterwards',
    around({ runs: [] }, { runs: [{}, {}], frobs: '2' }, 2, { runs: [], frobs: '0' }),
    { '/runs': 'proven', '/frobs': 'proven' },
  ],
  [
    'of tasks, steps or versions',
    around(tasks(0), tasks(1)),
    { '/pending_tasks': 'likely', '/version': 'likely', '/current_step': 'likely', '/frobs': 'proven' },
  ],
  ['that an execution moves by two', around({ frobs: 0 }, { frobs: 2 }), {}],
  ['by name that increases too far', [read('one', 0, started(0)), read('one', 1, started(2))], named],
  ['by name that does not change', around(started(0, { frobs: 0 }), started(0, { frobs: 0 })), named],
  [
    'by name that does not change beside another one',
    around(started(0, { frobs: 0 }), started(0, { frobs: 1 })),
    { '/frobs': 'proven' },
  ],
])('a count %s', (_, readings, expected) => {
  expect(strengths(readings)).toEqual(expected)
})

test('a figure that also grows without executions says why it is not proven', () => {
  const [found] = executionFindings(around({ frobs: 4 }, { frobs: 5 }, 1, { frobs: 5 }))
  expect(found?.rejected).toEqual(['/frobs: changed by 1 for two, after 0 executions'])
})

test('the changes by an execution are named; without a change, none is', () => {
  const before = { total: 0, runs: [], name: 'n' }
  expect(changedPlaces(before, { total: 1, runs: [{ id: 'x' }], name: 'n' })).toEqual([
    '/total',
    '/runs',
    '/runs/0',
    '/runs/0/id',
  ])
  expect(changedPlaces(before, before)).toEqual([])
})

test('details have moved if more than times has changed', () => {
  const at = (seconds: number, status: string) => ({ status, read_at: `2026-03-01T09:00:0${seconds}Z` })
  expect(hasMoved(at(1, 'pending'), at(2, 'pending'))).toBe(false)
  expect(hasMoved(at(1, 'pending'), at(1, 'approved'))).toBe(true)
})
