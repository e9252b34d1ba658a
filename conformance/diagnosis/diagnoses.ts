/** Diagnoses of the steps that a conforming deployment carries out, for deployments that refuse them. */
import type { RequirementId } from '../catalogue/catalogue.ts'
import {
  confirmationOf,
  documentIdentifiers,
  isCalledDocument,
  keyOf,
  requested,
  uploadOf,
} from '../evidence/documents.ts'
import { type Evidence, wasCarriedOut } from '../evidence/evidence.ts'
import { execution, unknownDocument } from '../evidence/executions.ts'
import { Broken, type Refused } from '../evidence/failures.ts'
import { isUnauthorized, workflow } from '../evidence/workflows.ts'
import { putUntilReady, requestSpare } from '../flow/sending.ts'
import { type RunStep, type Sender, step } from '../flow/step.ts'
import type { Located } from '../reading/locate.ts'
import { describeAnswer, describeRefusal, type Exchange, isRefusedAlike, succeeded } from '../wire/exchange.ts'
import type { DiagnosisStep, StepName } from '../wire/label.ts'
import { type Diagnosis, reasonFor, sendExperiments } from './experiment.ts'
import { experimentRows, posting } from './fields.ts'
import { executionFields, fieldNamedIn } from './named-field.ts'

const creation = posting({
  call: 'create-workflow.method-and-path',
  rows: experimentRows.workflow,
  path: () => '/api/v1/workflows',
  body: ({ samples }) => samples.workflow(),
  post: ({ target }, body) => target.createWorkflow(body),
})

const uploadRequest = (which: 1 | 2) =>
  posting({
    call: 'request-upload.method-and-path',
    // The second file is large, so its size is the likeliest reason.
    rows:
      which === 1
        ? [...experimentRows.upload, ...experimentRows.smallerFile]
        : [...experimentRows.smallerFile, ...experimentRows.upload],
    path: () => '/api/v1/upload/',
    body: ({ samples }) => samples.upload(samples.pdf(which).byteLength),
    post: ({ target }, body) => target.requestUpload(body),
  })

type PutRow = readonly [
  id: RequirementId,
  how: string,
  headersOf: (sender: Sender) => Record<string, string>,
  bytesOf: (sender: Sender) => Uint8Array<ArrayBuffer>,
]

/** Uploads to a new upload URL, since a URL may be valid only once. */
const put = (step: DiagnosisStep, bytesOf: PutRow[3], headersOf: PutRow[2]) => async (sender: Sender) => {
  const { target, samples, evidence } = sender
  const bytes = bytesOf(sender)
  await target.about(nextUpload).requestUpload(samples.upload(bytes.byteLength))
  const answer = evidence.about(step, nextUpload)
  if (answer && succeeded(answer)) await target.put(uploadOf(evidence, step).uploadUrl, headersOf(sender), bytes)
}

const nextUpload = 'an upload for the next experiment'

const upload = (which: 1 | 2): Diagnosis => {
  const step = `diagnose put object ${which}` as const
  const whole = ({ samples }: Sender) => samples.pdf(which)
  const small = ({ samples }: Sender) => samples.pdf(1)
  const text = () => new TextEncoder().encode('%PDF-1.4\nplain text alone\n')
  const type = () => ({ 'Content-Type': 'application/pdf' })
  const anyType = () => ({ 'Content-Type': 'application/octet-stream' })
  return {
    call: 'storage.put-to-upload-url',
    isDone: ({ request, status }) => request.method === 'PUT' && status >= 200 && status <= 299,
    again: (sender) => {
      const { uploadUrl, sent } = requested(sender.evidence, which)
      return sender.target.putObject(uploadUrl, sent.content_type, whole(sender))
    },
    experiments: (evidence) => {
      const { uploadUrl } = requested(evidence, which)
      // Only storage on the deployment's own origin may see the key.
      const isOwn = new URL(uploadUrl).origin === new URL(evidence.settings.url).origin
      // The limit of a file's size is not documented (section 8), but a 5xx is not a limit.
      const isAllowed = evidence.last(`put object ${which}`).status < 500
      const rows: readonly PutRow[] = [
        ['storage.raw-bytes', 'with a smaller file', type, small],
        ['storage.put-to-upload-url', 'while no other upload is open', type, whole],
        ['storage.no-service-key', 'with the key', ({ target }) => ({ ...type(), ...target.auth }), whole],
        ['storage.declared-content-type', 'declared as application/octet-stream', anyType, whole],
        ['storage.declared-content-type', 'without Content-Type', () => ({}), whole],
        ['storage.raw-bytes', 'with plain text', type, text],
      ]
      const isTried = ([id, , , bytesOf]: PutRow) =>
        (which === 2 || bytesOf !== small) && (isOwn || id !== 'storage.no-service-key')
      return rows.filter(isTried).map(([id, how, headersOf, bytesOf]) => ({
        ...{ id, how, isAllowed: isAllowed && bytesOf === small },
        send: put(step, bytesOf, headersOf),
      }))
    },
  }
}

const confirmation = (which: 1 | 2): Diagnosis =>
  posting({
    ...{ call: 'confirm-upload.method-and-path', rows: experimentRows.confirmation },
    path: () => '/api/v1/upload/confirm',
    body: ({ evidence }) => confirmationOf(evidence, requested(evidence, which)),
    post: ({ target }, body) => target.confirmUpload(body),
    first: 'for an upload that was requested last',
    /** Confirms a new upload, since the refused one may no longer be usable. */
    async send(sender, change) {
      const { target, evidence } = sender
      const { bytes, ...upload } = await requestSpare(sender, nextUpload)
      keyOf(evidence, upload)
      await putUntilReady({ ...sender, target: target.about('an object for the next experiment') }, upload, bytes)
      await target.confirmUpload(change(confirmationOf(evidence, upload)))
    },
  })

/** The label of the repeated confirmation, which is the first experiment. */
const repeated = 'the confirmation itself, once more'

const executionFor = ({ value, pointer }: Located, index: number): Diagnosis => {
  const { experiments, ...diagnosis } = posting({
    call: 'execute-workflow.method-and-path',
    rows: experimentRows.execution,
    path: (evidence) => `/api/v1/workflows/${encodeURIComponent(String(workflow(evidence, 1).id.value))}/execute`,
    body: ({ samples }) => samples.execution(String(value)),
    post: ({ target, evidence }, body) => target.executeWorkflow(String(workflow(evidence, 1).id.value), body),
  })
  const { again } = diagnosis
  const about = (how: string) => (index === 0 ? how : `${how}, for ${pointer}`)
  return {
    ...diagnosis,
    experiments: (evidence) => experiments(evidence).map((one) => ({ ...one, how: about(one.how), again })),
  }
}

/** The call was refused for each value that may be the document's identifier. Tries the likeliest, to limit the number of requests. */
const executions = (evidence: Evidence) => documentIdentifiers(evidence, 1).slice(0, 2).map(executionFor)

const workflowExecution: Diagnosis = {
  call: 'execute-workflow.method-and-path',
  again: async (sender) => executions(sender.evidence)[0]?.again(sender),
  experiments: (evidence) => executions(evidence).flatMap(({ experiments }) => experiments(evidence)),
}

/** Other ways to send a key than the documented one. */
const keyWays: readonly (readonly [how: string, headers: (key: string) => Record<string, string>])[] = [
  ['as a Bearer token', (key) => ({ Authorization: `Bearer ${key}` })],
  ['with the scheme word ApiKey', (key) => ({ Authorization: `ApiKey ${key}` })],
  ['with the scheme word Token', (key) => ({ Authorization: `Token ${key}` })],
  ['as the user of Basic authentication', (key) => ({ Authorization: `Basic ${btoa(`${key}:`)}` })],
  ['in X-API-Key', (key) => ({ 'X-API-Key': key })],
]

/** The call that shows whether all calls get the same refusal. */
const anyOther = 'a workflow that does not exist'

/**
 * After the same refusal of both initial calls. If they want another key, or the key in another way, tries the usual ways at the
 * deployment's own address. Otherwise sends a call that has nothing in common with them.
 */
async function tryReach({ target, samples, evidence }: Sender): Promise<void> {
  if (!isUnauthorized(evidence.last('create workflow 1'))) {
    await target.about(anyOther).getWorkflow(crypto.randomUUID())
    return
  }
  for (const [how, headers] of keyWays) {
    const key = target.auth.Authorization
    await target.about(how).createWorkflow(samples.workflow(), { headers: headers(key) })
    const answer = evidence.about('diagnose reach', how)
    if (answer && succeeded(answer)) return
  }
}

/** All calls get the same refusal, so no single call is at fault. */
function refusedAlike(evidence: Evidence, answer: Exchange): Broken {
  evidence.has('diagnose reach')
  const other = evidence.about('diagnose reach', anyOther)
  if (!other || !isRefusedAlike(answer, other)) return reason(evidence, 'create workflow 1', answer)
  const message = `${describeRefusal(answer)}, and all other calls are refused alike. If a gateway requires another header, set headers in the profile`
  return new Broken('api.under-api-v1', 'inconclusive', message)
}

function keyBroken(evidence: Evidence): Broken {
  const [first, second] = [evidence.last('create workflow 1'), evidence.last('request upload 1')]
  const both = `${describeAnswer(first)} and ${describeAnswer(second)}`
  // The experiments have run, or were skipped.
  evidence.has('diagnose reach')
  for (const [how] of keyWays) {
    const answer = evidence.about('diagnose reach', how)
    if (answer && succeeded(answer))
      return new Broken('auth.raw-key', 'fail', `${both}, but the key is accepted ${how}`)
  }
  return new Broken(
    'auth.raw-key',
    'inconclusive',
    `${both}. Check that the key is valid for this deployment. If a gateway requires another header, set headers in the profile`,
  )
}

const diagnoses = {
  'create workflow 1': creation,
  'create workflow 2': creation,
  'request upload 1': uploadRequest(1),
  'request upload 2': uploadRequest(2),
  'put object 1': upload(1),
  'put object 2': upload(2),
  'confirm upload 1': confirmation(1),
  'confirm upload 2': confirmation(2),
  'execute workflow 1': workflowExecution,
} as const satisfies Partial<Record<StepName, Diagnosis>>

type Diagnosed = keyof typeof diagnoses

/** The steps that send the experiments for a refused step. */
const experimentSteps = Object.fromEntries(
  Object.entries(diagnoses).map(([refused, diagnosis]) => [
    `diagnose ${refused}`,
    step(
      async (sender) => {
        const { target, evidence } = sender
        const refusal = evidence.last(refused as Diagnosed)
        if (refused === 'confirm upload 1' || refused === 'confirm upload 2') {
          await diagnosis.again({ ...sender, target: target.about(repeated) })
          const again = evidence.about(`diagnose ${refused}`, repeated)
          if (again && succeeded(again)) return
        }
        await sendExperiments(sender, `diagnose ${refused as Diagnosed}`, refusal, diagnosis)
      },
      { needs: [refused as Diagnosed] },
    ),
  ]),
) as Readonly<Record<`diagnose ${Diagnosed}`, RunStep>>

export const diagnosisSteps: Readonly<Record<DiagnosisStep, RunStep>> = {
  'diagnose reach': step(tryReach, { needs: ['create workflow 1', 'request upload 1'] }),
  ...experimentSteps,
  // If an ordinary workflow is refused too, an earlier refusal was independent of the content of the request.
  'create plain': step(creation.again, { needs: ['create workflow 1'] }),
}

/** Returns true if an ordinary workflow is still accepted after a refusal. */
export function stillCreates(evidence: Evidence): boolean {
  return wasCarriedOut(evidence, evidence.last('create plain'))
}

/** Returns the broken requirement that explains a refusal. Throws `Missing` if experiments have not run yet. */
export function explain(evidence: Evidence, { step: refused, answer }: Refused): Broken {
  switch (refused) {
    case 'diagnose reach':
      return isUnauthorized(answer) ? keyBroken(evidence) : refusedAlike(evidence, answer)
    case 'create workflow 2':
      return secondCreateBroken(evidence, answer) ?? reason(evidence, refused, answer)
    case 'put object accented':
    case 'put object bracketed':
      return new Broken('storage.put-to-upload-url', 'fail', refusedOdd(evidence, refused, answer))
    case 'confirm upload accented':
    case 'confirm upload bracketed':
      return new Broken('confirm-upload.method-and-path', 'fail', refusedOdd(evidence, refused, answer))
    case 'confirm upload 1':
    case 'confirm upload 2':
      return confirmBroken(evidence, refused, answer)
    case 'execute workflow 2': {
      execution(evidence, 1)
      const message = `${describeAnswer(answer)} to the execution of a second workflow, although the first was executed`
      return new Broken('execute-workflow.identifies-created-workflow', 'fail', message)
    }
    case 'execute workflow 1':
      return executeBroken(evidence, answer)
    default:
      return refused in diagnoses
        ? reason(evidence, refused as Diagnosed, answer)
        : new Broken('create-workflow.method-and-path', 'inconclusive', describeAnswer(answer))
  }
}

function reason(evidence: Evidence, refused: Diagnosed, answer: Exchange) {
  const step = `diagnose ${refused}` as const
  evidence.has(step)
  return reasonFor(evidence, step, answer, diagnoses[refused])
}

/** Blames isSequential for the refusal of workflow 2, which differs from workflow 1 only in this field. */
function secondCreateBroken(evidence: Evidence, refusal: Exchange): Broken | undefined {
  if (!succeeded(evidence.last('create workflow 1')) || !stillCreates(evidence)) return undefined
  const message = `${describeAnswer(refusal)} to a workflow with isSequential false, although one with true is accepted`
  return new Broken('workflow.is-sequential', 'fail', message)
}

function confirmBroken(evidence: Evidence, refused: 'confirm upload 1' | 'confirm upload 2', answer: Exchange): Broken {
  const step = `diagnose ${refused}` as const
  evidence.has(step)
  const again = evidence.about(step, repeated)
  if (again && succeeded(again)) {
    const message = `${describeAnswer(answer)}, but accepted the same call when it was repeated`
    return new Broken('flow.request-put-confirm', 'inconclusive', message)
  }
  return reason(evidence, refused, answer)
}

function executeBroken(evidence: Evidence, answer: Exchange): Broken {
  const broken = reason(evidence, 'execute workflow 1', answer)
  const candidates = documentIdentifiers(evidence, 1)
  const isOther = answer.status < 400 || [405, 415, 501].includes(answer.status)
  if (broken.by !== 'execute-workflow.method-and-path' || isOther || answer.status >= 500) return broken
  const field = broken.verdict === 'fail' ? fieldNamedIn(answer, executionFields) : undefined
  if (field && field.name !== 'document_id') {
    return new Broken(field.id, 'fail', `${describeAnswer(answer)}, and names only ${field.name}`)
  }
  if (!candidates.some(({ value }) => isCalledDocument(evidence, 1, value))) {
    const why = `${describeAnswer(answer)}. Perhaps no value in the answers is the document's identifier`
    return unknownDocument(why, evidence.settings.profile)
  }
  return field === undefined
    ? broken
    : new Broken(field.id, 'fail', `${describeAnswer(answer)} for a document that was just uploaded and confirmed`)
}

function refusedOdd(evidence: Evidence, refused: StepName, answer: Exchange): string {
  const request = refused.endsWith('bracketed') ? 'request upload bracketed' : 'request upload accented'
  const { sent } = uploadOf(evidence, request)
  return `${describeAnswer(answer)} for the file ${JSON.stringify(sent.file_name)}, although its upload request was accepted. A file with a plain name is accepted`
}
