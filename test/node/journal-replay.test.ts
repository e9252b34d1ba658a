import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextBestMinutes } from '../../src/domain/approval/route.ts'
import { openJournal } from '../../src/node/journal/journal-file.ts'
import type { PastRecord } from '../../src/world/archive.ts'
import type { RecordedEvent } from '../../src/world/events.ts'
import { plain } from '../../src/world/journal.ts'
import { journalPath } from '../support/kept.ts'
import { cases } from '../support/sample.ts'

type Started = Extract<RecordedEvent, { type: 'ExecutionStarted' }>

const started = (executionId: string, workflowId: string, name: string): Started => {
  const approvers = [{ email: 'ada@example.com', name: 'Ada ]],"executionId":"é"' }]
  const stages = [[{ step_id: 'one', name, order: 1, approvers, estimated_duration: 0.1 + 0.2 }]]
  const request = { document_id: 'doc', priority: 'low' }
  return { seq: 1, at: 1, type: 'ExecutionStarted', workflowId, stages, executionId, request }
}
const completionOf = (executionId: string, workflowId: string, outcome: 'approved' | 'rejected' = 'approved') =>
  ({ seq: 1, at: 1, type: 'ExecutionCompleted', executionId, workflowId, outcome }) as const

/** Returns the records that a journal passes on in a replay. */
function pastIn(path: string): PastRecord[] {
  const past: PastRecord[] = []
  const journal = openJournal(path)
  journal.replay((record) => past.push(record))
  journal.close()
  return past
}

test('executions of a workflow share their stages, and no others do', () => {
  const path = journalPath()
  const journal = openJournal(path)
  const events = [
    started('exe_1', 'wf_1', 'One'),
    started('exe_2', 'wf_1', 'One'),
    started('exe_3', 'wf_2', 'Two'),
    started('exe_4', 'wf_1', 'One changed'),
    started('exe_5', 'wf_1', 'One changed'),
    { ...started('exe_6', 'wf_3', 'None'), stages: [] },
  ]
  journal.append('ab', events)
  journal.append('cd', events)
  journal.close()
  const restored = pastIn(path).map(({ record }) => record as Started)
  expect(restored).toEqual([...events, ...events])
  const stages = restored.map((event) => event.stages)
  expect(stages.map((one) => stages.indexOf(one))).toEqual([0, 0, 2, 3, 3, 5, 6, 6, 8, 9, 9, 11])
})

test('each completed execution has the number of later ones of its workflow', () => {
  const path = journalPath()
  const journal = openJournal(path)
  journal.append('cd', [completionOf('exe_0', 'wf_1'), completionOf('exe_1', 'wf_1')])
  journal.append('ab', [
    completionOf('exe_1', 'wf_1'),
    completionOf('exe_2', 'wf_2'),
    completionOf('exe_3', 'wf_1', 'rejected'),
  ])
  journal.forget('cd')
  journal.append('cd', [completionOf('exe_2', 'wf_1'), started('exe_3', 'wf_1', 'One')])
  journal.append('ab', [completionOf('exe_4', 'wf_2'), completionOf('exe_5', 'wf_1')])
  journal.close()
  const later = pastIn(path).map(({ tenantId, laterCompletions }) => [tenantId, laterCompletions])
  expect(later).toEqual([
    ['ab', 2],
    ['ab', 1],
    ['ab', 1],
    ['cd', 0],
    ['cd', 0],
    ['ab', 0],
    ['ab', 0],
  ])
})

test('a reset before the replay removes the completed executions', () => {
  const path = journalPath()
  const journal = openJournal(path)
  journal.append('ab', [completionOf('exe_1', 'wf_1'), completionOf('exe_2', 'wf_1')])
  journal.append('cd', [completionOf('exe_1', 'wf_1')])
  journal.close()
  const past: PastRecord[] = []
  const again = openJournal(path)
  again.forget('ab')
  again.append('ab', [completionOf('exe_3', 'wf_1')])
  again.replay((record) => past.push(record))
  again.close()
  const later = past.map(({ tenantId, laterCompletions }) => [tenantId, laterCompletions])
  expect(later).toEqual([
    ['cd', 0],
    ['ab', 0],
  ])
})

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('","expectedMinutes":1,', '},"reason":"', '"}]}', '\\"'),
)
const minutes = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })
const candidate = fc.record({
  email: text,
  expectedMinutes: minutes,
  samples: fc.nat(),
  openAssignments: fc.nat(),
  reason: text,
})
const routeOfCandidates = fc
  .uniqueArray(candidate, { selector: ({ email }) => email, minLength: 1, maxLength: 10 })
  .chain((candidates) =>
    fc.record({
      assignee: fc.record({ email: fc.constantFrom(...candidates.map(({ email }) => email)), name: text }),
      reason: text,
      candidates: fc.constant(candidates),
    }),
  )

test('restored assignments have the same routes and next best times', () => {
  fc.assert(
    fc.property(fc.array(routeOfCandidates, { minLength: 1, maxLength: 10 }), (routes) => {
      const path = journalPath()
      const journal = openJournal(path)
      const ids = { executionId: 'exe_1', workflowId: 'wf_1', stepId: 'one' }
      const events = routes.map((route) => ({ seq: 1, at: 1, type: 'StepAssigned' as const, ...ids, route }))
      journal.append('ab', events)
      journal.close()
      const restored = pastIn(path).map(({ record }) => record as (typeof events)[number])
      expect(restored.map(plain)).toEqual(JSON.parse(JSON.stringify(events)))
      expect(restored.map(({ route }) => nextBestMinutes(route))).toEqual(routes.map(nextBestMinutes))
    }),
    { numRuns: cases(500, 20) },
  )
})
