import type { GapId } from '../../catalogue/catalogue.ts'
import { confirmed, keyPlace, requested } from '../../evidence/documents.ts'
import { type Evidence, isStepFailure } from '../../evidence/evidence.ts'
import { executedDetails, execution } from '../../evidence/executions.ts'
import { Crashed, Missing } from '../../evidence/failures.ts'
import { reach, workflow } from '../../evidence/workflows.ts'
import { type LocatedPlaces, located } from '../../model/findings.ts'
import type { StepName } from '../../wire/label.ts'
import { httpQuestions } from './http.ts'
import { outcome, placed, type Question } from './question.ts'
import { uploadQuestions } from './uploads.ts'
import { workflowQuestions } from './workflows.ts'

/** A deployment's answer to an open question of the document. */
export interface GapAnswer {
  readonly id: GapId
  readonly observed: string
  readonly sameAsOurs: boolean
}

/** Open questions about the whole flow. */
const flowQuestions: readonly Question[] = [
  {
    id: 'gap.success-statuses',
    ours: 'create 201, execute 202, read 200, request 200, confirm 200',
    answer(evidence) {
      const answers = {
        create: workflow(evidence, 1).created,
        execute: execution(evidence, 1).exchange,
        read: executedDetails(evidence, 1).after,
        request: requested(evidence, 1).exchange,
        confirm: confirmed(evidence, 1),
      }
      return Object.entries(answers)
        .map(([call, { status }]) => `${call} ${status}`)
        .join(', ')
    },
  },
  { id: 'gap.workflow-response', ours: 'identifier at /workflow_id', answer: placeOf('workflow_id', 'identifier') },
  {
    id: 'gap.storage-key-source',
    ours: 'key at /key',
    answer: (evidence) => `key at ${keyPlace(evidence, 1).pointer}`,
  },
  {
    id: 'gap.document-id-source',
    ours: 'document at confirm/document_id',
    answer: placeOf('document_id', 'document'),
  },
  {
    id: 'gap.details-response',
    ours: 'metrics at /execution_metrics, step performance at /step_performance, recommendations at /optimization_recommendations',
    answer(evidence) {
      const {
        execution_metrics: metrics,
        step_performance: steps,
        optimization_recommendations: advice,
      } = located(evidence)
      return [placed('metrics', metrics), placed('step performance', steps), placed('recommendations', advice)].join(
        ', ',
      )
    },
  },
  {
    id: 'gap.unknown-document',
    ours: 'status 409',
    step: 'gap.unknown-document',
    answer: (evidence) => outcome(evidence, evidence.last('gap.unknown-document'), 'any document is accepted'),
  },
]

const questions: readonly Question[] = [...flowQuestions, ...workflowQuestions, ...uploadQuestions, ...httpQuestions]

/** The gaps that a run can answer from outside. */
export const observableGaps: readonly GapId[] = questions.map(({ id }) => id)

/** The questions that a refusal of everything answers too, for they are asked without a key. */
const askedWithoutKey: readonly GapId[] = ['gap.missing-key', 'gap.auth-scheme']

/** The questions that can be asked: if the deployment refuses the key, or all calls, that is no answer to any other. */
function askable(evidence: Evidence): readonly Question[] {
  try {
    reach(evidence)
    return questions
  } catch (error) {
    if (isStepFailure(error)) return questions.filter(({ id }) => askedWithoutKey.includes(id))
    throw error
  }
}

/** The steps that a run takes for questions alone. Throws `Missing` if the run has not begun. */
export function stepsOfQuestions(evidence: Evidence): readonly StepName[] {
  return [...new Set(askable(evidence).flatMap(({ step }) => step ?? []))]
}

/**
 * Answers the open questions that a client can observe, and omits those that this deployment does not show. Errors of the
 * suite become notes, since the verdict does not depend on the answers.
 */
export function answerQuestions(evidence: Evidence): { answers: GapAnswer[]; notes: string[]; missing: Set<StepName> } {
  const answers: GapAnswer[] = []
  const notes: string[] = []
  const missing = new Set<StepName>()
  for (const { id, ours, answer } of askable(evidence)) {
    try {
      const observed = answer(evidence)
      answers.push({ id, observed, sameAsOurs: observed === ours })
    } catch (error) {
      if (error instanceof Missing) missing.add(error.step)
      else if (!isStepFailure(error)) {
        const why = error instanceof Crashed ? error.reason : error
        notes.push(`The suite failed at ${id}: ${why}. This is a bug of the suite. Please report it.`)
      }
    }
  }
  return { answers, notes, missing }
}

function placeOf(name: keyof LocatedPlaces, what: string): Question['answer'] {
  return (evidence: Evidence) => {
    execution(evidence, 1)
    return placed(what, located(evidence)[name])
  }
}
