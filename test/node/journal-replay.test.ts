import { expect, test } from 'vitest'
import { type JournalFile, openJournal } from '../../src/node/journal/journal-file.ts'
import type { RecordedEvent } from '../../src/world/events.ts'
import { journalPath } from '../support/kept.ts'

type Started = Extract<RecordedEvent, { type: 'ExecutionStarted' }>

const started = (executionId: string, workflowId: string, name: string): Started => {
  const approvers = [{ email: 'ada@example.com', name: 'Ada ]],"executionId":"é"' }]
  const stages = [[{ step_id: 'one', name, order: 1, approvers, estimated_duration: 0.1 + 0.2 }]]
  const request = { document_id: 'doc', priority: 'low' }
  return { seq: 1, at: 1, type: 'ExecutionStarted', workflowId, stages, executionId, request }
}
const completionOf = (executionId: string, workflowId: string, outcome: 'approved' | 'rejected' = 'approved') =>
  ({ seq: 1, at: 1, type: 'ExecutionCompleted', executionId, workflowId, outcome }) as const

/** Returns the tenants of the records that a journal passes on in a replay, with the number of later completions. */
function laterIn(journal: JournalFile) {
  const past: [tenantId: string, later: number | undefined][] = []
  journal.read(({ tenantId, laterCompletions }) => past.push([tenantId, laterCompletions]))
  journal.close()
  return past
}

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
  expect(laterIn(openJournal(path))).toEqual([
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
  const again = openJournal(path)
  again.forget('ab')
  again.append('ab', [completionOf('exe_3', 'wf_1')])
  expect(laterIn(again)).toEqual([
    ['cd', 0],
    ['ab', 0],
  ])
})
