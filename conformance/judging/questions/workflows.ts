/** Open questions about workflows and executions: interface.md sections 2, 3, 4.1 to 4.3. */
import { executedDetails, execution } from '../../evidence/executions.ts'
import { workflow } from '../../evidence/workflows.ts'
import { findNamed } from '../../reading/locate.ts'
import { findPart } from '../../reading/parts.ts'
import { byOutcome, memberNames, outcome, placed, type Question } from './question.ts'

export const workflowQuestions: readonly Question[] = [
  byOutcome('gap.required-fields', 'status 400', 'steps without name, type and estimated_duration: '),
  byOutcome('gap.unknown-fields', 'accepted'),
  byOutcome('gap.field-lengths', 'status 400', 'a step name of 101 characters: '),
  byOutcome('gap.name-length-unit', 'accepted', '100 characters beyond the basic plane: '),
  byOutcome('gap.step-id-format', 'status 400', 'one step_id for all steps: '),
  byOutcome('gap.step-order', 'accepted', 'one order for all steps: '),
  byOutcome('gap.step-types', 'status 400', 'type review: '),
  byOutcome('gap.email-format', 'status 400', 'an approver with an invalid e-mail address: '),
  byOutcome('gap.max-steps', 'status 400', 'no steps: '),
  byOutcome('gap.max-approvers', 'status 400', 'a step without approvers: '),
  byOutcome('gap.execution-modes', 'status 400', 'mode express: '),
  {
    id: 'gap.priorities',
    ours: 'priority low: accepted, priority urgent: status 400',
    step: 'gap.priorities',
    answer(evidence) {
      const last = evidence.last('gap.priorities')
      const [low, urgent] = ['low', 'urgent'].map((about) =>
        outcome(evidence, evidence.about('gap.priorities', about) ?? last),
      )
      return `priority low: ${low}, priority urgent: ${urgent}`
    },
  },
  {
    id: 'gap.execution-response',
    ours: 'completed_at, document_id, execution_id, execution_mode, priority, started_at, status, steps, submitter_email, workflow_id',
    answer: (evidence) => memberNames(execution(evidence, 1).exchange),
  },
  {
    id: 'gap.execution-states',
    ours: 'an execution starts as running',
    answer(evidence) {
      const { json } = execution(evidence, 1).exchange
      const state = findNamed(json, 'status', 'state', 'execution_status')?.value
      return typeof state === 'string' ? `an execution starts as ${state}` : 'no state is shown'
    },
  },
  {
    id: 'gap.workflow-states',
    ours: 'a workflow starts as active',
    answer(evidence) {
      const state = findNamed(workflow(evidence, 1).created.json, 'status', 'state')?.value
      return typeof state === 'string' ? `a workflow starts as ${state}` : 'no state is shown'
    },
  },
  {
    id: 'gap.analytics-place',
    ours: 'success rate at /execution_metrics/success_rate',
    answer(evidence) {
      const { after } = executedDetails(evidence, 1)
      return placed('success rate', findPart(after.json, 'success_rate'))
    },
  },
  {
    id: 'gap.identifier-format',
    ours: 'a string such as aa_xxxxxxxxxxxxxxxx',
    answer(evidence) {
      const { value } = workflow(evidence, 1).id
      if (typeof value === 'number') return 'an integer'
      const text = String(value)
      if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return 'a UUID'
      // A count has as many digits as it needs.
      const [isCounted, word = ''] = text.match(/^([a-z]*[_-]?)[1-9]\d{0,8}$/i) ?? []
      if (isCounted) return word === '' ? 'a string of digits' : `a string such as ${word.replaceAll(/[a-z]/gi, 'a')}1`
      const [, prefix = '', rest = ''] = text.match(/^([a-z]+[_-])?(.*)$/i) ?? []
      return `a string such as ${prefix.replaceAll(/[a-z]/gi, 'a')}${'x'.repeat(Math.min(rest.length, 60))}`
    },
  },
]
