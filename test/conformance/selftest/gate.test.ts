import { expect, test } from 'vitest'
import { type GateResult, isNoticed, judgeMutant, judgeVariant } from '../../../conformance/selftest/gate.ts'

const name = 'workflow.name'
const read = 'get-workflow.method-and-path'
const create = 'create-workflow.method-and-path'

const sound: GateResult[] = [
  { id: create, verdict: 'pass' },
  { id: name, verdict: 'pass' },
  { id: read, verdict: 'pass' },
]
const mutant = { id: 'one', kills: [create], mayKill: [] } as const

const judge = (...results: GateResult[]) => judgeMutant(mutant, results, sound)

test('a mutant is exact if its checks fail and those that need them are blocked', () => {
  const judgement = judge(
    { id: create, verdict: 'fail' },
    { id: name, verdict: 'blocked', blockedBy: create },
    { id: read, verdict: 'blocked', blockedBy: name },
  )
  expect(judgement).toEqual({ id: 'one', survives: [], accused: [], disturbed: [] })
})

test('a mutant survives where its check passes', () => {
  const judgement = judge(...sound)
  expect(judgement.survives).toEqual([create])
})

test('a check that fails without a reason is accused, unless it may fail', () => {
  const results: GateResult[] = [
    { id: create, verdict: 'fail' },
    { id: name, verdict: 'fail' },
    { id: read, verdict: 'pass' },
  ]
  expect(judge(...results).accused).toEqual([name])
  expect(judgeMutant({ ...mutant, mayKill: [name] }, results, sound).accused).toEqual([])
})

test('a check that is undecided, or blocked by no failure, is disturbed', () => {
  const red: GateResult = { id: create, verdict: 'fail' }
  expect(judge(red, { id: name, verdict: 'inconclusive' }, { id: read, verdict: 'blocked' }).disturbed).toEqual([
    name,
    read,
  ])
  expect(
    judge(red, { id: name, verdict: 'blocked', blockedBy: read }, { id: read, verdict: 'blocked', blockedBy: name })
      .disturbed,
  ).toEqual([name, read])
  expect(judge(red, { id: name, verdict: 'pass' }).disturbed).toEqual([read])
})

test('a harness error on a mutant is no kill', () => {
  const { survives, disturbed } = judge({ id: create, verdict: 'harness-error' }, ...sound.slice(1))
  expect([survives, disturbed]).toEqual([[create], [create]])
})

test('a run notices a mutant by a red check alone', () => {
  expect(isNoticed([{ id: name, verdict: 'inconclusive' }])).toBe(false)
  expect(isNoticed([{ id: name, verdict: 'fail' }])).toBe(true)
})

test('a variant is judged by false alarms and by the share of decided checks', () => {
  const results: GateResult[] = [
    { id: create, verdict: 'pass' },
    { id: name, verdict: 'inconclusive' },
    { id: read, verdict: 'fail' },
    { id: 'workflow.steps', verdict: 'not-applicable' },
  ]
  expect(judgeVariant({ envelope: 'data' }, results)).toEqual({
    choice: { envelope: 'data' },
    alarms: [read],
    undecided: [name],
    deciding: 2 / 3,
  })
  expect(judgeVariant({}, []).deciding).toBe(0)
})
