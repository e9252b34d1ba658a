import { expect, test } from 'vitest'
import { changedPlaces, executionFindings, hasMoved, type Reading } from '../../../conformance/reading/movement.ts'

const read = (workflow: string, executions: number, details: object): Reading => ({ workflow, executions, details })

const strengths = (readings: readonly Reading[]) =>
  Object.fromEntries(executionFindings(readings).map(({ place, strength }) => [place, strength]))

test('a figure of any name that increases only with executions counts them', () => {
  const readings = [
    read('one', 0, { Frobs__c: 0 }),
    read('two', 0, { Frobs__c: 0 }),
    read('one', 1, { Frobs__c: 1 }),
    read('two', 0, { Frobs__c: 0 }),
  ]
  expect(strengths(readings)).toEqual({ '/Frobs__c': 'proven' })
})

test('a figure for all workflows is only likely, as it grows without executions', () => {
  const readings = [
    read('one', 0, { frobs: 4 }),
    read('two', 0, { frobs: 4 }),
    read('one', 1, { frobs: 5 }),
    read('two', 0, { frobs: 5 }),
  ]
  expect(strengths(readings)).toEqual({ '/frobs': 'likely' })
  expect(executionFindings(readings)[0]?.rejected).toEqual(['/frobs: changed by 1 for two, after 0 executions'])
})

test('without a workflow that does not change, nothing is proven', () => {
  expect(strengths([read('one', 0, { frobs: 0 }), read('one', 1, { frobs: 1 })])).toEqual({ '/frobs': 'likely' })
})

test('a list that grows counts too, as does a figure that is shown only afterwards', () => {
  const readings = [
    read('one', 0, { runs: [] }),
    read('two', 0, { runs: [] }),
    read('one', 2, { runs: [{}, {}], frobs: '2' }),
    read('two', 0, { runs: [], frobs: '0' }),
  ]
  expect(strengths(readings)).toEqual({ '/runs': 'proven', '/frobs': 'proven' })
})

test('figures of tasks, steps or versions are not proven to count executions', () => {
  const moved = (by: number) => ({ pending_tasks: by, version: by, current_step: by, frobs: by })
  const readings = [
    read('one', 0, moved(0)),
    read('two', 0, moved(0)),
    read('one', 1, moved(1)),
    read('two', 0, moved(0)),
  ]
  expect(strengths(readings)).toEqual({
    '/pending_tasks': 'likely',
    '/version': 'likely',
    '/current_step': 'likely',
    '/frobs': 'proven',
  })
})

test('a figure that an execution moves by two counts something else', () => {
  const readings = [
    read('one', 0, { frobs: 0 }),
    read('two', 0, { frobs: 0 }),
    read('one', 1, { frobs: 2 }),
    read('two', 0, { frobs: 0 }),
  ]
  expect(strengths(readings)).toEqual({})
})

const started = (total: number) => ({ execution_metrics: { total_executions: total } })

test('a count of executions by name that increases too far is named, and may fail', () => {
  const readings = [read('one', 0, started(0)), read('one', 1, started(2))]
  expect(strengths(readings)).toEqual({ '/execution_metrics/total_executions': 'named' })
})

test('a count by name that does not change is named unless another figure counts', () => {
  const still = (frobs: number) => ({ ...started(0), frobs })
  const readings = (frobs: number) => [
    read('one', 0, still(0)),
    read('two', 0, still(0)),
    read('one', 1, still(frobs)),
    read('two', 0, still(0)),
  ]
  expect(strengths(readings(0))).toEqual({ '/execution_metrics/total_executions': 'named' })
  expect(strengths(readings(1))).toEqual({ '/frobs': 'proven' })
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
