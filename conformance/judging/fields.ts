/** The checks of fields: each names its fact, the answers in which it is looked for, and how it is compared. */
import { digestsOf } from '../../src/session/digests.ts'
import type { RequirementId } from '../catalogue/catalogue.ts'
import { confirmed, isCalledDocument, requested } from '../evidence/documents.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { executedDetails, execution } from '../evidence/executions.ts'
import { sideWorkflow, type WorkflowBody, workflow } from '../evidence/workflows.ts'
import type { Seen } from '../model/bind.ts'
import { digestFacts } from '../model/samples.ts'
import { decodePercent, lastName } from '../reading/locate.ts'
import { fieldsOf } from '../wire/contract-fields.ts'
import { succeeded } from '../wire/exchange.ts'
import { accepted, type Checks, type Judge, pass } from './check.ts'
import { bindingsOf, type FieldLook, judgeField, judgeList } from './field.ts'
import { togetherByDefault } from './step-order.ts'
import { judgeRefusal } from './workflow-name.ts'

/** The calls without which a field cannot be judged. Each throws the reason if it failed. */
const needs = {
  workflows: (evidence: Evidence) => workflow(evidence, 1),
  uploads: (evidence: Evidence) => [requested(evidence, 1), requested(evidence, 2)],
  confirmations: (evidence: Evidence) => confirmed(evidence, 1),
  executions: (evidence: Evidence) => [execution(evidence, 1), executedDetails(evidence, 1)],
} as const

interface Row extends FieldLook {
  readonly needs: keyof typeof needs
}

const ofWorkflow = { needs: 'workflows', answers: ['created', 'details'] } as const
const ofStep = { needs: 'workflows', answers: ['created', 'details', 'executed'] } as const
const ofUpload = { needs: 'uploads', answers: ['upload'] } as const
const ofConfirmation = { needs: 'confirmations', answers: ['confirmation'] } as const
const ofExecution = { needs: 'executions', answers: ['executed', 'details'] } as const

const lower = (text: string) => text.normalize('NFC').toLowerCase()
const inAnyCase = (shown: string, sent: string) => lower(shown) === lower(sent)
/** A text that the document calls one of a list, of which it names no other: it may be shown as a code, or with a prefix. */
const asCode = (shown: string, sent: string) => /^\d+$/.test(shown) || lower(shown).includes(lower(sent))
/** FHIR has no high priority; the next one there is urgent. */
const asPriority = (shown: string, sent: string) => asCode(shown, sent) || lower(shown) === 'urgent'
const containsName = (shown: string, sent: string) =>
  [shown, decodePercent(shown)].some((text) => lower(text).includes(lower(sent)))
/** The confirmation may move the object to another key. */
const isMoved = (shown: string, sent: string) => shown.startsWith('tenants/') && shown.endsWith(lastName(sent))

/** The size may be shown in another unit, which the document leaves open. */
const inUnit = (shown: string, sent: string) =>
  [1000, 1024, 1000 ** 2, 1024 ** 2].some((unit) => Math.abs(Number(shown) - Number(sent) / unit) <= 1)

/** Other texts in the place of a digest say nothing, such as the tag of a file that was put in parts, or that of the empty answer. */
function isNoDigest(shown: string, sent: string): boolean {
  const words = shown.toLowerCase().split(/[^\w+/=]+/)
  const isHex = /^[\da-f]+$/.test(sent)
  const isLike = (word: string) => word.length === sent.length && (!isHex || /^(?=\d*[a-f])[\da-f]+$/.test(word))
  return !words.some(isLike) || words.some((word) => digestsOfNothing.has(word))
}

const digestsOfNothing = new Set(Object.values(digestFacts(digestsOf(new Uint8Array()))).map(lower))

/** What answers about a stored file may show of its bytes. */
const ofBytes: readonly FieldLook[] = [
  ...(['md5', 'sha256', 'crc32', 'md5_base64', 'sha256_base64'] as const).map((fact) => ({
    ...{ answers: ['stored', 'confirmation'] as const, fact, isRight: isNoDigest },
    said: `A file with the ${fact.replace('_', ' in ')}`,
  })),
  { answers: ['confirmation'], fact: 'file_size', isRight: inUnit, mayBePart: true, said: 'A file with the size' },
]

/** One row for each field. */
const rows: Readonly<Partial<Record<RequirementId, Row>>> = {
  'workflow.description': { ...ofWorkflow, fact: 'description' },
  'step.step-id': { ...ofStep, fact: 'steps/*/step_id' },
  'step.name': { ...ofStep, fact: 'steps/*/name' },
  'step.order': { ...ofStep, fact: 'steps/*/order' },
  'step.order-starts-at-1': {
    ...ofStep,
    fact: 'steps/*/order',
    of: ({ sent, sample }) => sent === 1 && sample.position === 1,
  },
  'step.type-approval': { ...ofWorkflow, fact: 'steps/*/type', isRight: asCode },
  'step.estimated-duration': { ...ofWorkflow, fact: 'steps/*/estimated_duration' },
  'approver.email': { ...ofWorkflow, fact: 'steps/*/approvers/*/email' },
  'approver.name': { ...ofStep, fact: 'steps/*/approvers/*/name' },
  'execution.submitter-email': { ...ofExecution, fact: 'submitter_email', isRight: inAnyCase },
  'execution.mode-standard': { ...ofExecution, fact: 'execution_mode', isRight: asCode },
  'execution.priority-high': { ...ofExecution, fact: 'priority', isRight: asPriority },
  'upload.file-name': { ...ofUpload, fact: 'file_name', isRight: containsName },
  'upload.content-type': {
    ...ofUpload,
    fact: 'content_type',
    isRight: (shown, sent) => lower(shown).startsWith(lower(sent)),
  },
  'upload.file-size': { ...ofUpload, fact: 'file_size', isRight: inUnit, mayBePart: true },
  'confirm.session-id': { ...ofConfirmation, fact: 'session_id', isRight: inAnyCase },
  'completed-file.key': { ...ofConfirmation, fact: 'key', isRight: isMoved },
  'completed-file.file-name': { ...ofConfirmation, fact: 'file_name', isRight: containsName },
}

const isByDefault = ({ sample }: Seen) => (sample.about as WorkflowBody).isSequential === undefined
/** A workflow's name is longer only in the check of its limit. */
const longestName = 100
const hasUsualName = ({ sent }: Seen) => String(sent).length < longestName

/** The fields of the contract that no row names. They are judged with the thing that they belong to. */
const further: Readonly<Partial<Record<RequirementId, readonly FieldLook[]>>> = {
  'workflow.steps': [
    ...furtherFields('WorkflowRequest', '', ofWorkflow),
    ...furtherFields('Step', 'steps/*/', ofStep),
    ...furtherFields('Approver', 'steps/*/approvers/*/', ofWorkflow),
  ],
  'execution.document-id': furtherFields('ExecutionRequest', '', ofExecution),
  'completed-file.file-name': furtherFields('UploadRequest', '', ofConfirmation),
}

/** Returns the name of a field in its own object. */
function nameOf(fact: string): string {
  return fact.replace(/^.*\*\/(?=.)/, '').replace(/\/\*$/, '')
}

function furtherFields(schema: string, path: string, { answers }: Pick<FieldLook, 'answers'>): FieldLook[] {
  const judged = new Set(['name', 'isSequential', 'steps', 'steps/*/approvers', 'document_id'])
  for (const row of Object.values(rows)) judged.add(row.fact)
  return fieldsOf(schema, path).flatMap((fact) =>
    judged.has(fact) ? [] : { answers, fact, said: `${nameOf(fact)} of the contract's ${schema}` },
  )
}

const judgeRow =
  (row: Row): Judge =>
  (evidence) => {
    needs[row.needs](evidence)
    return judgeField(evidence, row)
  }

/** Judges a check, and with it the fields of the contract that no row names. Says which of these no answer shows. */
const withFurther = (id: RequirementId, judge: Judge): Judge => {
  const looks = further[id]
  if (!looks?.length) return judge
  return (evidence) => {
    const own = judge(evidence)
    if (own.verdict === 'fail') return own
    const found = looks.map((look) => ({ ...look, observed: judgeField(evidence, look) }))
    const wrong = found.find(({ observed }) => observed.verdict === 'fail')
    if (wrong) return wrong.observed
    const unseen = found.flatMap(({ fact, observed }) => (observed.verdict === 'accepted' ? nameOf(fact) : []))
    return unseen.length === 0
      ? own
      : { ...own, message: `${own.message} No answer is sure to show ${unseen.join(' or ')}.` }
  }
}

const checks: Checks = {
  ...Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, judgeRow(row)])),
  'execution.document-id'(evidence) {
    needs.executions(evidence)
    const field = { ...ofExecution, fact: 'document_id' }
    const isShown = bindingsOf(evidence, field).some(({ agree }) => agree.length > 0)
    // If the identifier was only guessed, answers may show the document under its true one.
    const isCalled = isCalledDocument(evidence, 1, execution(evidence, 1).documentId)
    if (isShown || isCalled) return judgeField(evidence, field)
    return accepted('document_id was accepted, but no answer names an identifier that it can be compared with.')
  },
  'workflow.name'(evidence) {
    workflow(evidence, 2)
    return judgeField(evidence, { ...ofWorkflow, fact: 'name', of: hasUsualName })
  },
  'workflow.is-sequential'(evidence) {
    workflow(evidence, 2)
    return judgeField(evidence, { ...ofWorkflow, fact: 'isSequential', of: (seen) => !isByDefault(seen) })
  },
  'workflow.is-sequential-default-true'(evidence) {
    workflow(evidence, 1)
    const created = evidence.last('create by default')
    if (!succeeded(created)) return judgeRefusal(evidence, created, 'a workflow without isSequential')
    sideWorkflow(evidence, 'create by default', 'read by default')
    const shown = judgeField(evidence, { ...ofWorkflow, fact: 'isSequential', of: isByDefault })
    return shown.verdict === 'fail' ? shown : (togetherByDefault(evidence) ?? shown)
  },
  'storage.raw-bytes'(evidence) {
    // The second file is longer than typical buffers. Neither file may replace the other.
    confirmed(evidence, 1)
    confirmed(evidence, 2)
    const found = ofBytes.map((field) => judgeField(evidence, field))
    const wrong = found.find(({ verdict }) => verdict === 'fail')
    if (wrong) return wrong
    return found.some(({ verdict }) => verdict === 'pass')
      ? pass('Storage took files with all byte values, and answers show the size or a digest of each.')
      : accepted('Storage took files with all byte values, but no answer shows a size or a digest.')
  },
  'workflow.steps'(evidence) {
    workflow(evidence, 1)
    return judgeList(evidence, ofWorkflow.answers, 'steps')
  },
  'step.approvers'(evidence) {
    workflow(evidence, 1)
    return judgeList(evidence, ofWorkflow.answers, 'steps/*/approvers')
  },
}

/** The checks of fields and lists. */
export const fieldChecks: Checks = Object.fromEntries(
  Object.entries(checks).map(([id, judge]) => [id, withFurther(id as RequirementId, judge)]),
)
