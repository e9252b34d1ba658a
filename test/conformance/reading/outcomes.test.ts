import { describe, expect, test } from 'vitest'
import { wrongShare } from '../../../conformance/reading/contradictions/rates.ts'
import { meanBeyondTimes, mistakenMean, unfoundedMean } from '../../../conformance/reading/contradictions/times.ts'
import { listedExecutions } from '../../../conformance/reading/outcomes.ts'

const executionsWith = (...states: readonly string[]) => states.map((status, index) => ({ id: `run-${index}`, status }))

test.each([
  ['in their own words', executionsWith('approved', 'rejected', 'running'), ['approved', 'denied', 'open']],
  ['in words that tell no result', executionsWith('completed', 'closed'), ['ended', 'ended']],
  ['with a prefix', executionsWith('STATE_APPROVED', 'STATE_REJECTED'), ['approved', 'denied']],
  ['in an envelope', [{ id: '1', attributes: { status: 'approved' } }], ['approved']],
  ['not of all', [...executionsWith('approved'), { id: 'run-9' }], []],
])('the states of executions are shown %s', (_, executions, outcomes) => {
  expect(listedExecutions({ executions }).map(({ outcome }) => outcome)).toEqual(outcomes)
})

test.each([
  [0, ['approved', 'rejected'], '/metrics/success_rate'],
  ['0 %', ['approved'], '/metrics/success_rate'],
  [0, ['rejected', 'running'], undefined],
  [0, ['completed', 'running'], undefined],
  [0.5, ['approved', 'rejected'], undefined],
  [null, ['approved'], undefined],
])('a success rate of %s beside executions that are %j', (success_rate, states, place) => {
  const json = { metrics: { success_rate }, executions: executionsWith(...states) }
  expect(wrongShare(json, new Map())?.finding.place).toBe(place)
})

describe('a mean completion time', () => {
  const at = (ms: number) => new Date(Date.UTC(2026, 2, 1) + ms).toISOString()
  const begun = [1000, 9000]
  /** Builds details whose executions took this many milliseconds. An execution of `undefined` is still open. */
  const details = (
    mean: unknown,
    lengths: readonly (number | undefined)[],
    isListed = true,
    name = 'avg_completion',
  ) => ({
    started: lengths.length,
    json: {
      metrics: { [name]: mean },
      executions: lengths.slice(isListed ? 0 : 1).map((length, index) => ({
        ...{ id: `run-${index}`, status: length === undefined ? 'running' : 'approved' },
        started_at: at(begun[index] ?? 0),
        finished_at: length === undefined ? null : at((begun[index] ?? 0) + length),
      })),
    },
  })
  const isUnfounded = (...reads: Parameters<typeof unfoundedMean>[0]) => unfoundedMean(reads) !== undefined

  test.each([
    ['milliseconds', 1200, 1600],
    ['seconds', 1.2, 1.6],
    ['minutes', 0.02, 0.0267],
    ['an unknown unit', 30, 40],
  ])('may be in %s', (_, first, both) => {
    expect(isUnfounded(details(first, [1200]), details(both, [1200, 2000]))).toBe(false)
  })

  test.each([
    ['that lacks whole seconds matches no times', [details(0.204, [1204]), details(0.104, [1204, 3004])], true],
    ['that counts open executions matches no times', [details(1.204, [1204]), details(0.602, [1204, undefined])], true],
    ['proves nothing alone', [details(0.2, [1200])], false],
    ['proves nothing if it stays', [details(0.2, [1200]), details(0.2, [1200, 3000])], false],
    ['proves nothing without all executions', [details(0.2, [1200]), details(0.6, [1200, 3000], false)], false],
    ['proves nothing with short executions', [details(0.2, [12]), details(0.6, [12, 30])], false],
  ])('%s', (_, reads, expected) => {
    expect(isUnfounded(...reads)).toBe(expected)
  })

  test.each(['p90_completion_s', 'median_completion_s', 'completion_percentiles_s'])('is no %s', (name) => {
    const reads = [details(0.204, [1204], true, name), details(0.104, [1204, 3004], true, name)]
    expect(isUnfounded(...reads)).toBe(false)
  })

  test.each([
    ['avg_ms', 1_200_000, null, true],
    ['average', 'PT1H1.2S', null, true],
    ['avg_seconds', 3601, null, true],
    // It may be right, or come from other data.
    ['avg', 1_200_000, null, false],
    ['avg_ms', 1200, null, false],
    ['average', 'PT1.2S', null, false],
    ['average', 'PT4H', 'PT4H', false],
  ])('called %s, %s after %s, is too long for one execution: %s', (name, mean, before, expected) => {
    const { json, started } = details(mean, [1200])
    const [now, earlier] = [mean, before].map((value) => ({ ...json, metrics: { completion: { [name]: value } } }))
    expect(meanBeyondTimes({ started, json: now }, earlier) !== undefined).toBe(expected)
  })

  // The workflow was created at 0; executions begin at 1 s and 9 s, and their last steps take 200 ms.
  test.each([
    ['of the executions', [1200, 1400], 1, undefined],
    ['from the creation of the workflow', [2200, 6400], 1, 'the creation of the workflow'],
    ['of last steps, in an unknown unit', [200, 300], 60_000, 'the start of the last step'],
    ['that is near neither', [700, 6900], 1, undefined],
    ['from the creation, once', [2200, 7000], 1, undefined],
  ])('%s is counted from a wrong start: %s ms', (_, means, unit, start) => {
    const last = [200, 400]
    const reads = means.map((mean, index) => {
      const read = details(
        mean / unit,
        [1200, 1600].slice(0, index + 1),
        true,
        unit === 1 ? 'avg_completion_ms' : 'avg_completion',
      )
      const executions = read.json.executions.map((one, which) => {
        const end = Date.parse(one.finished_at ?? '')
        const step = { id: 'board', from: new Date(end - (last[which] ?? 0)).toISOString(), to: one.finished_at }
        return { ...one, steps: [{ id: 'legal', from: one.started_at, to: step.from }, step] }
      })
      return { ...read, json: { ...read.json, created: at(0), executions } }
    })
    expect(mistakenMean(reads)?.finding.rule.includes(start ?? '') ?? false).toBe(start !== undefined)
  })

  test('of an execution that does not show its end may be right', () => {
    const executions = [{ id: 'run-0', status: 'approved', started_at: at(0) }]
    const json = { metrics: { avg_completion_s: 300 }, executions }
    expect(meanBeyondTimes({ started: 1, json }, null)).toBeUndefined()
  })
})
