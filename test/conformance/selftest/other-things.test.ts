/** Sound answers that use the names of an execution's fields for something else. No documented check may fail on them. */
import { expect, test } from 'vitest'
import { reference } from '../../../conformance/selftest/reference.ts'
import { documentedOn } from '../../../conformance/selftest/run-on.ts'
import { changeAnswers, type Members, type Wrapper } from '../../../conformance/selftest/wrapper.ts'

const listing = (change: (execution: Members) => Members): Wrapper =>
  changeAnswers(['getWorkflow'], (body) => {
    const executions = body.recent_executions as Members[] | undefined
    return { ...body, ...(executions && { recent_executions: executions.map(change) }) }
  })

const desk = { email: 'desk@example.com', name: 'Desk' }

const executedWith = (more: (steps: readonly Members[]) => Members): Wrapper =>
  changeAnswers(['executeWorkflow'], ({ steps, ...body }) => ({ ...body, ...more((steps as Members[]) ?? []) }))

/** Details that list other workflows that were read, but not the workflow's own name. */
function relatedWorkflows(): Wrapper {
  const read = new Set<unknown>()
  return changeAnswers(['getWorkflow'], ({ name, ...body }) => {
    const related = [...read].filter((other) => other !== name).map((other) => ({ name: other }))
    read.add(name)
    return { ...body, related_workflows: related }
  })
}

test.each<[string, Wrapper]>([
  ['a mode of the key', listing(({ execution_mode, ...execution }) => ({ ...execution, mode: 'test' }))],
  ['the file name of a document', listing(({ document_id, ...one }) => ({ ...one, document: 'contract.pdf' }))],
  ['the name of a submitter', listing(({ submitter_email, ...one }) => ({ ...one, submitter: 'Jane Doe' }))],
  ['default approvers', executedWith(() => ({ organization: { default_approvers: [desk] } }))],
  ['excluded approvers', executedWith(() => ({ excluded_approvers: [desk] }))],
  [
    'a fallback approver of a step',
    executedWith((steps) => ({ steps: steps.map(({ step_id }) => ({ step_id, fallback_approver: desk })) })),
  ],
  ['the names of related workflows', relatedWorkflows()],
])('accuses nothing that shows %s', async (_, wrapper) => {
  const results = await documentedOn(wrapper(reference()))
  expect(results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([])
})
