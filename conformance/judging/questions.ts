/** The open questions of the document, and how a deployment's answers are read from the evidence. */
import type { GapId } from '../catalogue/catalogue.ts'
import { confirmed, keyPlace, requested, storageKey } from '../evidence/documents.ts'
import { type Evidence, isStepFailure, wasCarriedOut } from '../evidence/evidence.ts'
import { executedDetails, execution } from '../evidence/executions.ts'
import { Crashed, Missing } from '../evidence/failures.ts'
import { reach, workflow } from '../evidence/workflows.ts'
import { type LocatedPlaces, located } from '../model/findings.ts'
import { findNamed } from '../reading/locate.ts'
import { findPart } from '../reading/parts.ts'
import { type Exchange, pathOf, Undecided } from '../wire/exchange.ts'
import { truncate } from '../wire/inert.ts'
import { preparing, type QuestionStep, type StepName } from '../wire/label.ts'

/** An open question of the document, and how the evidence answers it. It has no verdict. */
interface Question {
  readonly id: GapId
  /** The reference's answer, in the words of `answer`. */
  readonly ours: string
  /** The call that is sent only for this question, if there is one. */
  readonly step?: QuestionStep
  readonly answer: (evidence: Evidence) => string
}

/** Creates a question that is answered by the outcome of its own call. `what` is the prefix of the answer. */
function byOutcome(id: QuestionStep, ours: string, what = ''): Question {
  return {
    id,
    ours: what + ours,
    step: id,
    answer: (evidence) => what + outcome(evidence, answerOfQuestion(id, evidence)),
  }
}

/** Creates a question that is answered by the members of an answer. */
const byMembers = (id: GapId, ours: string, answerTo: (evidence: Evidence) => Exchange): Question => ({
  ...{ id, ours },
  answer: (evidence) => memberNames(answerTo(evidence)),
})

/** Creates a question that is answered by the state in which something starts, under one of some names. */
const byState = (
  id: GapId,
  what: string,
  ours: string,
  names: readonly string[],
  answerTo: (evidence: Evidence) => Exchange,
): Question => ({
  ...{ id, ours: `${what} starts as ${ours}` },
  answer(evidence) {
    const state = findNamed(answerTo(evidence).json, ...names)?.value
    return typeof state === 'string' ? `${what} starts as ${state}` : 'no state is shown'
  },
})

/** Returns the answer to a question's own call. Throws `Undecided` if only calls that prepare it were sent. */
function answerOfQuestion(id: QuestionStep, evidence: Evidence): Exchange {
  const answer = evidence.last(id)
  if (answer.label?.about !== preparing) return answer
  throw new Undecided(
    `The question '${id}'`,
    'was not asked',
    `${pathOf(answer.request)} was answered ${answer.status}, without what the question needs`,
  )
}

/** Describes the outcome of a call in a few words. `accepted` says what it means that it was carried out. */
function outcome(evidence: Evidence, exchange: Exchange, accepted = 'accepted'): string {
  if (wasCarriedOut(evidence, exchange)) return accepted
  const { status } = exchange
  return status < 300 ? `refused with status ${status}` : `status ${status}`
}

/** Says where a part of an answer stands. */
const placed = (what: string, place: string | undefined) => (place ? `${what} at ${place}` : `${what} not found`)

/** Lists the names of an answer's top-level members. */
function memberNames({ json }: Exchange): string {
  if (json === null || typeof json !== 'object') return 'no members'
  return Object.keys(json).sort().slice(0, 20).join(', ') || 'no members'
}

/** A deployment's answer to an open question of the document. */
export interface GapAnswer {
  readonly id: GapId
  readonly observed: string
  readonly sameAsOurs: boolean
}

/** Open questions about keys, errors and HTTP: interface.md sections 4, 5, 7 and 8. */
const httpQuestions: readonly Question[] = [
  {
    id: 'gap.missing-key',
    ours: 'status 401',
    step: 'gap.auth-scheme',
    answer: (evidence) => outcome(evidence, evidence.last('gap.auth-scheme'), 'calls without a key are not refused'),
  },
  {
    id: 'gap.auth-scheme',
    ours: 'ApiKey',
    step: 'gap.auth-scheme',
    answer: (evidence) =>
      evidence.last('gap.auth-scheme').headers.get('WWW-Authenticate')?.split(' ')[0] ?? 'no challenge',
  },
  {
    id: 'gap.invalid-key',
    ours: 'another test key is accepted',
    step: 'gap.invalid-key',
    answer: (evidence) => outcome(evidence, evidence.last('gap.invalid-key'), 'another test key is accepted'),
  },
  byOutcome('gap.unknown-workflow', 'status 404'),
  {
    id: 'gap.error-codes',
    ours: 'workflow-not-found',
    step: 'gap.unknown-workflow',
    answer(evidence) {
      const code = findNamed(evidence.last('gap.unknown-workflow').json, 'code', 'error_code', 'type')?.value
      return typeof code === 'string' || typeof code === 'number' ? truncate(String(code), 60) : 'no code'
    },
  },
  {
    id: 'gap.error-format',
    ours: 'application/problem+json with type, title, status, code and detail',
    step: 'gap.unknown-workflow',
    answer(evidence) {
      const { headers, json } = evidence.last('gap.unknown-workflow')
      const names = json !== null && typeof json === 'object' ? Object.keys(json).slice(0, 8) : []
      const last = names.pop()
      const members = names.length > 0 ? `${names.join(', ')} and ${last}` : (last ?? 'no JSON')
      return `${headers.get('Content-Type')?.split(';')[0] ?? 'no media type'} with ${members}`
    },
  },
  {
    id: 'gap.invalid-request-status',
    ours: 'status 400',
    answer: (evidence) => outcome(evidence, evidence.last('create with 101 plain'), 'invalid fields are not refused'),
  },
  byOutcome('gap.unsupported-media-type', 'status 415', 'JSON as text/plain: '),
  byOutcome('gap.unknown-path', 'status 404'),
  {
    id: 'gap.cors',
    ours: 'a page on another origin may call',
    step: 'gap.cors',
    answer(evidence) {
      const isAllowed = evidence.last('gap.cors').headers.has('Access-Control-Allow-Origin')
      return isAllowed ? 'a page on another origin may call' : 'a page on another origin may not call'
    },
  },
  {
    id: 'gap.rate-limits',
    ours: 'no limit was reached',
    answer({ answers }) {
      const throttled = answers.filter(({ status }) => status === 429).length
      return throttled > 0 ? `${throttled} answers with status 429` : 'no limit was reached'
    },
  },
]

/** Open questions about uploads and storage: interface.md sections 2, 4.4 to 4.6 and 8. */
const uploadQuestions: readonly Question[] = [
  byOutcome('gap.file-size-unit', 'accepted', 'a size of 0: '),
  byOutcome('gap.max-file-size', 'status 413', 'a size of 10 GiB: '),
  byOutcome('gap.content-type-format', 'accepted', 'application/x-conformance: '),
  byOutcome('gap.file-name-rules', 'status 400', 'a name with a slash: '),
  byMembers(
    'gap.upload-response',
    'expires_at, headers, key, method, session_id, upload_url',
    (evidence) => requested(evidence, 1).exchange,
  ),
  byMembers(
    'gap.confirm-response',
    'confirmed_at, content_type, crc32, document_id, file_name, file_size, key, session_id',
    (evidence) => confirmed(evidence, 1),
  ),
  {
    id: 'gap.storage-key-middle',
    ours: '3 segments between tenants/ and the file name',
    answer: (evidence) =>
      `${storageKey(evidence, 1).split('/').length - 2} segments between tenants/ and the file name`,
  },
  {
    id: 'gap.storage-address',
    ours: "on the service's own origin",
    answer(evidence) {
      const isSame = new URL(requested(evidence, 1).uploadUrl).origin === new URL(evidence.settings.url).origin
      return isSame ? "on the service's own origin" : 'on another origin'
    },
  },
  {
    id: 'gap.upload-url-lifetime',
    ours: '900 seconds, according to the URL',
    answer(evidence) {
      const { searchParams } = new URL(requested(evidence, 1).uploadUrl)
      const [, seconds] = [...searchParams].find(([name]) => name.toLowerCase().endsWith('expires')) ?? []
      return seconds && Number(seconds) < 1e6 ? `${seconds} seconds, according to the URL` : 'not shown in the URL'
    },
  },
  byOutcome('gap.confirm-before-put', 'status 409'),
  byOutcome('gap.unknown-session', 'status 404'),
  byOutcome('gap.confirm-mismatch', 'status 409', 'the key of another upload: '),
  byOutcome('gap.confirm-twice', 'accepted'),
  byOutcome('gap.storage-content-type-mismatch', 'status 403'),
  byOutcome('gap.storage-length-mismatch', 'status 403'),
  byOutcome('gap.storage-authorization', 'status 400'),
  byOutcome('gap.storage-checksum', 'status 400', 'the Content-MD5 of other bytes: '),
  byOutcome('gap.storage-precondition', 'status 412', 'a second PUT with If-None-Match: '),
  byOutcome('gap.storage-content-encoding', 'status 403'),
  {
    id: 'gap.storage-errors',
    ours: 'application/xml',
    step: 'gap.storage-errors',
    answer: (evidence) =>
      answerOfQuestion('gap.storage-errors', evidence).headers.get('Content-Type')?.split(';')[0] ?? 'no media type',
  },
  byOutcome('gap.storage-rewrite', 'accepted', 'a second PUT before the confirmation: '),
]

/** Open questions about workflows and executions: interface.md sections 2, 3, 4.1 to 4.3. */
const workflowQuestions: readonly Question[] = [
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
  byMembers(
    'gap.execution-response',
    'completed_at, document_id, execution_id, execution_mode, priority, started_at, status, steps, submitter_email, workflow_id',
    (evidence) => execution(evidence, 1).exchange,
  ),
  byState(
    ...(['gap.execution-states', 'an execution', 'running', ['status', 'state', 'execution_status']] as const),
    (evidence) => execution(evidence, 1).exchange,
  ),
  byState(
    ...(['gap.workflow-states', 'a workflow', 'active', ['status', 'state']] as const),
    (evidence) => workflow(evidence, 1).created,
  ),
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
