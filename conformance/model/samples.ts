/** What must be true of each workflow, execution and upload of a run, beside the answers that show it. */

import { starred } from '../../src/profile/tolerance.ts'
import { digestsOf, type SentBytes } from '../../src/session/digests.ts'
import { workflowsRead } from '../evidence/details-read.ts'
import { confirmed, keyOf, namedAt, putOf, uploadOf } from '../evidence/documents.ts'
import { type Evidence, mayHaveSucceeded, resultIfSucceeded, sentBody } from '../evidence/evidence.ts'
import { idsIn, knownDocument, type SentExecution } from '../evidence/executions.ts'
import { workflowInPath } from '../evidence/identifiers.ts'
import { type MadeWorkflow, madeWorkflow, withContentType, workflow } from '../evidence/workflows.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import { isQuestionStep, type StepName } from '../wire/label.ts'
import type { Recorded } from '../wire/record.ts'
import { type Bound, bind, type Sample, type Thing } from './bind.ts'
import { flat } from './values.ts'
import { allTexts, type TextOwner, withoutStrays } from './whose.ts'

/** The kinds of answers that show what was sent. */
export const answerKinds = ['created', 'details', 'executed', 'upload', 'stored', 'confirmation'] as const
export type AnswerKind = (typeof answerKinds)[number]

/** Binds the facts of each kind of answer. */
export function boundIn(evidence: Evidence, kind: AnswerKind): Bound {
  return evidence.once(`bound ${kind}`, () =>
    bind(samplesOf[kind](evidence), { fact: '', place: '', given: givenIn(evidence, kind) }),
  )
}

/** The thing that each kind of answer shows, in the names of locators. */
const things: Readonly<Record<AnswerKind, string>> = {
  ...{ created: 'workflow', details: 'workflow', executed: 'execution' },
  ...{ upload: 'upload', stored: 'confirmation', confirmation: 'confirmation' },
}

/** Returns the places that the profile names for fields of a kind of answer. */
function givenIn({ settings: { profile } }: Evidence, kind: AnswerKind): ReadonlyMap<string, string> {
  const named = Object.entries(profile.locators ?? {}).filter(([name]) => name.startsWith(`${things[kind]}.`))
  return new Map(named.map(([name, place]) => [name.slice(things[kind].length + 1), starred(place)]))
}

/** A workflow that was executed, or may be. */
export interface Known {
  readonly made: MadeWorkflow
  readonly facts: Thing
  readonly reads: readonly Recorded[]
}

const sideCreations = [
  'twin 1',
  'twin 2',
  'by default',
  'shuffled',
  'accented',
  'with 100 plain',
  'with 100 accented',
  'with 100 reserved',
] as const

export function knownWorkflows(evidence: Evidence): readonly Known[] {
  return evidence.once('known workflows', () => {
    const main = ([1, 2] as const).map((which) => resultIfSucceeded(() => workflow(evidence, which)))
    const beside = sideCreations.map((name) =>
      resultIfSucceeded(() => madeWorkflow(evidence, `create ${name}` as StepName, `read ${name}` as StepName)),
    )
    // These wait for the last reads.
    resultIfSucceeded(() => workflowsRead(evidence))
    resultIfSucceeded(() => evidence.all('read by default again'))
    const all = [...main, ...beside]
    return all.flatMap((made) => {
      if (!made) return []
      const { sent, id } = made
      const facts = flat({ workflow_id: String(id.value), ...sent, isSequential: sent.isSequential ?? true })
      // Details that belong to two workflows tell nothing.
      const isShared = all.some((other) => other !== made && String(other?.id.value) === facts.workflow_id)
      return [{ made, facts, reads: isShared ? [] : readsOf(evidence, made) }]
    })
  })
}

/** Returns all details that the run has read of a workflow, but for those of open questions. */
function readsOf(evidence: Evidence, { id, details }: MadeWorkflow): Recorded[] {
  return answersOf(evidence, 'GET')
    .filter(({ request, label, status }) => {
      const isOwn = workflowInPath(request.url) === String(id.value)
      return isOwn && label?.about !== withContentType && status === details.status
    })
    .map((answer) => evidence.recorded(answer))
}

/** Returns the accepted calls with the first key, but for those of open questions. */
function answersOf({ answers, attempt }: Evidence, method: string): Exchange[] {
  return answers.filter(
    (answer) =>
      answer.request.method === method &&
      answer.request.headers.has('authorization') &&
      answer.label?.attempt === attempt &&
      !isQuestionStep(answer.label.step) &&
      !answer.label.step.includes('second tenant') &&
      succeeded(answer) &&
      !answer.isCut,
  )
}

/** An accepted execution. */
export interface ExecutionRun {
  readonly workflow: Known
  readonly exchange: Recorded
  readonly facts: Thing
}

/** Returns the accepted executions, in the order of their calls. */
export function runsIn(evidence: Evidence): readonly ExecutionRun[] {
  return evidence.once('known runs', () => {
    const known = knownWorkflows(evidence)
    const runs = answersOf(evidence, 'POST').flatMap((exchange): ExecutionRun[] => {
      const id = workflowInPath(exchange.request.url)
      const [owner, other] = known.filter(({ facts }) => facts.workflow_id === id)
      if (!owner || other || !/\/execute(\?|$)/.test(exchange.request.url) || !mayHaveSucceeded(evidence, exchange))
        return []
      const sent = sentBody<SentExecution>(exchange)
      const facts = {
        ...flat({ execution_id: idsIn(evidence, exchange)[0], ...sent, workflow_id: id }),
        steps: owner.facts.steps,
      }
      return [{ workflow: owner, exchange: evidence.recorded(exchange), facts }]
    })
    // A service may answer with the execution that is under way instead of beginning another.
    const isSame = (one: ExecutionRun, other: ExecutionRun) =>
      one.workflow === other.workflow &&
      one.facts.execution_id !== undefined &&
      one.facts.execution_id === other.facts.execution_id
    return runs.filter((run, index) => !runs.slice(0, index).some((other) => isSame(run, other)))
  })
}

const sampleOf = (answer: AnswerKind, exchange: Recorded, facts: Thing, about: object): Sample => ({
  ...{ answer, exchange, facts, about },
  shown: exchange.json,
  pointer: '',
})

const confirmedUploads = ['1', '2', 'accented', 'bracketed', 'text', 'image', 'empty'] as const
type UploadName = (typeof confirmedUploads)[number]
const requestedUploads = [...confirmedUploads, '3'] as const

/** The texts that identify workflows in their own answers. Their approvers may be shown with related workflows. */
function workflowOwners(evidence: Evidence): TextOwner[] {
  return knownWorkflows(evidence).map(({ made, facts: { workflow_id, name, description } }) => ({
    thing: made.sent,
    texts: [workflow_id, name, description],
  }))
}

/** The texts of executions, which identify their workflow in its details. */
function executionOwners(evidence: Evidence): TextOwner[] {
  return runsIn(evidence).map(({ workflow, facts: { execution_id, document_id, submitter_email } }) => ({
    thing: workflow.made.sent,
    texts: [execution_id, document_id, submitter_email],
  }))
}

/** Returns the samples of each kind of answer, without answers that show another thing: those have a check of their own. */
const samplesOf: Readonly<Record<AnswerKind, (evidence: Evidence) => Sample[]>> = {
  created: (evidence) =>
    withoutStrays(
      knownWorkflows(evidence).map(({ made, facts }) => sampleOf('created', made.created, facts, made.sent)),
      workflowOwners(evidence),
    ),
  details(evidence) {
    const all = knownWorkflows(evidence).flatMap((known) =>
      known.reads.map((read) => {
        const runs = runsIn(evidence).filter((run) => run.workflow === known && run.exchange.place < read.place)
        return sampleOf(
          'details',
          read,
          { executions: runs.map(({ facts }) => facts), ...known.facts },
          known.made.sent,
        )
      }),
    )
    return withoutStrays(withoutStrays(all, workflowOwners(evidence)), executionOwners(evidence))
  },
  executed(evidence) {
    const all = runsIn(evidence).map(({ workflow, exchange, facts }) =>
      sampleOf('executed', exchange, facts, workflow.made.sent),
    )
    const owners = knownWorkflows(evidence).map(({ made, facts }) => ({ thing: made.sent, texts: allTexts(facts) }))
    return withoutStrays(all, owners)
  },
  upload: (evidence) =>
    requestedUploads.flatMap((name) => {
      const upload = resultIfSucceeded(() => uploadOf(evidence, `request upload ${name}`))
      if (!upload) return []
      const { sent, exchange, sessionId, uploadUrl } = upload
      return [sampleOf('upload', exchange, flat({ ...sent, session_id: sessionId, upload_url: uploadUrl }), sent)]
    }),
  stored: (evidence) =>
    storedFiles(evidence).map(({ put, facts }) => {
      const shown = { headers: Object.fromEntries(put.headers), body: put.json }
      return { ...sampleOf('stored', put, facts, put), shown }
    }),
  confirmation: (evidence) =>
    storedFiles(evidence).flatMap(({ name, facts }) => {
      const upload = resultIfSucceeded(() => uploadOf(evidence, `request upload ${name}`))
      const exchange = resultIfSucceeded(() => confirmationOf(evidence, name))
      if (!upload || !exchange) return []
      const key = resultIfSucceeded(() => keyOf(evidence, upload).value)
      const place = resultIfSucceeded(() => knownDocument(evidence).pointer)
      const document_id = place === undefined ? undefined : namedAt(place, exchange, upload.exchange)
      const all = { document_id, session_id: upload.sessionId, key, ...upload.sent, ...facts }
      return [sampleOf('confirmation', exchange, flat(all), upload.sent)]
    }),
}

const confirmationOf = (evidence: Evidence, name: UploadName) =>
  name === '1' || name === '2' ? confirmed(evidence, name === '1' ? 1 : 2) : evidence.accepted(`confirm upload ${name}`)

/** Returns the files that storage took, with what answers may show of their bytes. */
function storedFiles(evidence: Evidence) {
  return confirmedUploads.flatMap((name) => {
    const step = `put object ${name}` as const
    const put = evidence.has(step) ? resultIfSucceeded(() => putOf(evidence, step)) : undefined
    if (!put) return []
    const sent = put.sentBytes ?? digestsOf(new TextEncoder().encode(put.sent))
    return [{ name, put, facts: { file_size: sent.size, ...digestFacts(sent) } }]
  })
}

/** Returns the digests of a file in hexadecimal, and all but the shortest in Base64. */
export function digestFacts({ md5 = '', sha256, crc32 = '' }: SentBytes): Readonly<Record<string, string>> {
  return { md5, sha256, crc32, md5_base64: base64(md5), sha256_base64: base64(sha256) }
}

const base64 = (hex: string) =>
  btoa(String.fromCharCode(...(hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))))
