/** Lists the learned answers, question by question. */
import type { Profile } from '../../src/profile/profile.ts'
import { type GapId, gap, gapIds } from '../catalogue/catalogue.ts'
import type { Lesson } from './learn.ts'

/** An open question of the document, and what the deployment taught about it. */
export interface LearnedRow {
  readonly id: GapId
  readonly question: string
  /** Absent if nothing was seen: the mock's answer stays assumed. */
  readonly answer?: string
  /** `sure` if at least two answers agree, `guessed` if a part of them is not explained. */
  readonly certainty: 'sure' | 'seen once' | 'guessed' | 'assumed'
  readonly seen: number
}

/** The answers that teach about a question, as groups of a lesson. */
const groups: Partial<Record<GapId, readonly string[]>> = {
  'gap.success-statuses': [
    'answers/createWorkflow',
    'answers/executeWorkflow',
    'answers/getWorkflow',
    'answers/requestUpload',
    'answers/confirmUpload',
  ],
  'gap.workflow-response': ['answers/createWorkflow'],
  'gap.execution-response': ['answers/executeWorkflow'],
  'gap.details-response': ['answers/getWorkflow'],
  'gap.analytics-place': ['answers/getWorkflow'],
  'gap.upload-response': ['answers/requestUpload'],
  'gap.storage-key-source': ['answers/requestUpload'],
  'gap.storage-key-middle': ['answers/requestUpload'],
  'gap.storage-address': ['answers/requestUpload'],
  'gap.confirm-response': ['answers/confirmUpload'],
  'gap.document-id-source': ['answers/confirmUpload'],
  'gap.identifier-format': ['answers/createWorkflow', 'answers/executeWorkflow', 'answers/confirmUpload'],
  'gap.execution-states': ['answers/executeWorkflow'],
  'gap.approvals': ['answers/executeWorkflow'],
  'gap.missing-key': ['refusals/missing-key'],
  'gap.invalid-key': ['refusals/key-with-scheme', 'refusals/not-a-test-key'],
  'gap.error-format': ['refusals/missing-key', 'refusals/invalid-request', 'refusals/workflow-not-found'],
  'gap.error-codes': ['refusals/missing-key', 'refusals/invalid-request', 'refusals/workflow-not-found'],
  'gap.invalid-request-status': ['refusals/invalid-request'],
  'gap.unsupported-media-type': ['refusals/unsupported-media-type'],
  'gap.unknown-workflow': ['refusals/workflow-not-found'],
  'gap.unknown-path': ['refusals/unknown-path', 'refusals/method-not-allowed'],
  'gap.unknown-document': ['refusals/document-not-confirmed'],
  'gap.confirm-before-put': ['refusals/object-not-stored'],
  'gap.unknown-session': ['refusals/session-not-found'],
  'gap.confirm-twice': ['refusals/confirmed-again'],
  'gap.storage-content-type-mismatch': ['refusals/SignatureDoesNotMatch'],
  'gap.storage-errors': ['refusals/SignatureDoesNotMatch'],
}

/** The questions about statuses alone: what an answer shows beside its status may be a guess all the same. */
const ofStatuses: readonly GapId[] = ['gap.success-statuses', 'gap.invalid-request-status', 'gap.unknown-workflow']

/** The ways in which executions go on, in words. */
const approvers = {
  manual: 'executions stay open, as far as was seen',
  instant: 'executions end at once',
  auto: 'executions end after a while',
} as const

/** The answer to a question that only the templates of a profile give. */
const unnamed = 'as in the profile'

/** Returns a row for each open question: those that were answered first. */
export function learnedTable(
  answers: readonly { readonly id: GapId; readonly observed: string }[],
  { seen, guesses }: Pick<Lesson, 'seen' | 'guesses'>,
  profile: Pick<Profile, 'approvers'> = {},
): LearnedRow[] {
  const observed = new Map(answers.map(({ id, observed }) => [id, observed]))
  if (profile.approvers) observed.set('gap.approvals', approvers[profile.approvers])
  const rows = gapIds.map((id): LearnedRow => {
    const answer = observed.get(id)
    const counts = (groups[id] ?? []).map((group) => seen[group] ?? 0)
    const total = counts.reduce((sum, count) => sum + count, 0)
    const question = gap(id).question
    if (answer === undefined && total === 0) return { id, question, certainty: 'assumed', seen: 0 }
    const isGuessed = guesses.some(
      ({ answer: name, pointer }) =>
        groups[id]?.some((group) => group.endsWith(`/${name}`)) && (pointer === '/status' || !ofStatuses.includes(id)),
    )
    const certainty = isGuessed ? 'guessed' : total >= 2 ? 'sure' : 'seen once'
    return { id, question, answer: answer ?? unnamed, certainty, seen: Math.max(total, 1) }
  })
  return rows.toSorted((a, b) => Number(b.seen > 0) - Number(a.seen > 0))
}

/** Returns what is known of the open questions, as a profile has it. */
export function questionsIn(table: readonly LearnedRow[]): Readonly<Record<string, string>> {
  const answered = table.flatMap(({ id, answer, certainty }) =>
    answer === undefined || answer === unnamed ? [] : [[id, certainty === 'guessed' ? `${answer} (a guess)` : answer]],
  )
  return Object.fromEntries(answered)
}
