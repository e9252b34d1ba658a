import { expect, test } from 'vitest'
import type { JournalFile } from '../../src/node/journal/journal-file.ts'
import type { RecordedEvent } from '../../src/world/events.ts'
import { openedJournal } from '../support/kept.ts'

const approvers = [{ email: 'ada@example.com', name: 'Ada ]],"executionId":"é"' }]
const started: RecordedEvent = {
  ...{ seq: 1, at: 1, type: 'ExecutionStarted', workflowId: 'wf_1', executionId: 'exe_3' },
  stages: [[{ step_id: 'one', name: 'One', order: 1, approvers, estimated_duration: 0.1 + 0.2 }]],
  request: { document_id: 'doc', priority: 'low' },
}
const completionOf = (executionId: string, workflowId: string, outcome: 'approved' | 'rejected' = 'approved') =>
  ({ seq: 1, at: 1, type: 'ExecutionCompleted', executionId, workflowId, outcome }) as const

/** Returns the tenants of the records that a journal passes on in a replay, with the number of later completions. */
function laterIn(journal: JournalFile) {
  const past: [tenantId: string, later: number | undefined][] = []
  journal.read(({ tenantId, laterCompletions }) => past.push([tenantId, laterCompletions]))
  return past
}

test('each completed execution has the number of later ones of its workflow', () => {
  const { path, journal } = openedJournal()
  journal.append('cd', [completionOf('exe_0', 'wf_1'), completionOf('exe_1', 'wf_1')])
  journal.append('ab', [
    completionOf('exe_1', 'wf_1'),
    completionOf('exe_2', 'wf_2'),
    completionOf('exe_3', 'wf_1', 'rejected'),
  ])
  journal.forget('cd')
  journal.append('cd', [completionOf('exe_2', 'wf_1'), started])
  journal.append('ab', [completionOf('exe_4', 'wf_2'), completionOf('exe_5', 'wf_1')])
  journal.close()
  expect(laterIn(openedJournal(path).journal)).toEqual([
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
  const { path, journal } = openedJournal()
  journal.append('ab', [completionOf('exe_1', 'wf_1'), completionOf('exe_2', 'wf_1')])
  journal.append('cd', [completionOf('exe_1', 'wf_1')])
  journal.close()
  const { journal: again } = openedJournal(path)
  again.forget('ab')
  again.append('ab', [completionOf('exe_3', 'wf_1')])
  expect(laterIn(again)).toEqual([
    ['cd', 0],
    ['ab', 0],
  ])
})
