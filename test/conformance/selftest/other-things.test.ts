/** Sound answers that use the names of an execution's fields for something else. No documented check may fail on them. */
import { expect, test } from 'vitest'
import { reference } from '../../../conformance/selftest/reference.ts'
import { documentedOn } from '../../../conformance/selftest/run-on.ts'
import { changeAnswers, compose, type Members, type Wrapper } from '../../../conformance/selftest/wrapper.ts'

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

/** Details that mark one step by its order as soon as there is an execution, and show no other state of steps. */
function marked(markOf: (position: number, reads: number) => unknown, section: string): Wrapper {
  const reads = new Map<unknown, number>()
  const hidden = ({ steps, ...execution }: Members) => execution
  const ofDetails = changeAnswers(['getWorkflow'], (body) => {
    const executions = body.recent_executions as Members[] | undefined
    const isExecuted = executions !== undefined && executions.length > 0
    const read = reads.get(body.workflow_id) ?? 0
    if (isExecuted) reads.set(body.workflow_id, read + 1)
    const steps = (body.steps as { readonly step_id: string; readonly order: number }[]).map(({ step_id, order }) => {
      return { step_id, average_seconds: null, mark: markOf(isExecuted ? order - 1 : 2, isExecuted ? read : 0) }
    })
    const rest = { ...body, ...(isExecuted && { recent_executions: executions.map(hidden) }) }
    return { ...rest, step_performance: [], [section]: steps }
  })
  return compose(ofDetails, changeAnswers(['executeWorkflow'], hidden))
}

const marks: [string, (position: number, reads: number) => unknown][] = [
  ['a bottleneck', (position) => position === 0],
  ['a bottleneck that moves on', (position, reads) => position === Math.floor(reads / 3)],
  ['a rank', (position, reads) => (reads < 3 ? [1, 2, 2] : [3, 1, 2])[position]],
  ['a share', (position, reads) => (reads < 3 ? ['100 %', '0 %', '0 %'] : ['40 %', '100 %', '0 %'])[position]],
  ['a text', (position) => (position === 0 ? 'slowest' : 'normal')],
  ['a text that moves on', (position, reads) => (position === Math.floor(reads / 3) ? 'slowest' : 'normal')],
]

test.each<[string, Wrapper]>([
  ...marks.map(([what, markOf]): [string, Wrapper] => [`${what} in performance`, marked(markOf, 'step_performance')]),
  ...marks.map(([what, markOf]): [string, Wrapper] => [`${what} elsewhere`, marked(markOf, 'hints')]),
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
