/** Diagnoses of the steps that a conforming deployment carries out, for deployments that refuse them. */
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
import { putUntilReady } from '../flow/sending.ts'
import { type RunStep, type Sender, step } from '../flow/step.ts'
import { describeAnswer, describeRefusal, type Exchange, isRefusedAlike, succeeded } from '../wire/exchange.ts'
import type { DiagnosisStep, StepName } from '../wire/label.ts'
import { type Diagnosis, type Experiment, reasonFor, sendExperiments } from './experiment.ts'
import {
  bodyExperiments,
  type ChangeOf,
  confirmationRows,
  executionRows,
  experimentsOf,
  uploadRows,
  workflowRows,
} from './fields.ts'
import { confirmationFields, executionFields, fieldNamedIn, uploadFields, workflowFields } from './named-field.ts'

const creation: Diagnosis = {
  call: 'create-workflow.method-and-path',
  fields: workflowFields,
  again: ({ target, samples }) => target.createWorkflow(samples.workflow()),
  experiments: () => [
    ...experimentsOf(workflowRows, ({ target, samples }, change) => target.createWorkflow(change(samples.workflow()))),
    ...bodyExperiments('/api/v1/workflows', ({ samples }) => samples.workflow()),
  ],
}

const uploadRequest = (which: 1 | 2): Diagnosis => {
  const sample = ({ samples }: Sender) => samples.upload(samples.pdf(which).byteLength)
  const send = (sender: Sender, change: ChangeOf) => sender.target.requestUpload(change(sample(sender)))
  // The limit of a file's size is not documented (section 8).
  const smaller = experimentsOf([['upload.file-size', 'for a smaller file', '/file_size', 1, 'allowed']], send)
  return {
    call: 'request-upload.method-and-path',
    fields: uploadFields,
    again: (sender) => sender.target.requestUpload(sample(sender)),
    experiments: () => [
      ...(which === 2 ? smaller : []),
      ...experimentsOf(uploadRows, send),
      ...(which === 1 ? smaller : []),
      ...bodyExperiments('/api/v1/upload/', sample),
    ],
  }
}

const upload = (which: 1 | 2): Diagnosis => {
  const step = `diagnose put object ${which}` as const
  /** Uploads to a new upload URL, since a URL may be valid only once. */
  const put =
    (bytesOf: (sender: Sender) => Uint8Array<ArrayBuffer>, headers: (sender: Sender) => Record<string, string>) =>
    async (sender: Sender) => {
      const { target, samples, evidence } = sender
      const bytes = bytesOf(sender)
      const about = `an upload for the next experiment`
      await target.about(about).requestUpload(samples.upload(bytes.byteLength))
      const answer = evidence.about(step, about)
      if (!answer || !succeeded(answer)) return
      const { uploadUrl } = uploadOf(evidence, step)
      await target.put(uploadUrl, headers(sender), bytes)
    }
  const whole = ({ samples }: Sender) => samples.pdf(which)
  const small = ({ samples }: Sender) => samples.pdf(1)
  const text = () => new TextEncoder().encode('%PDF-1.4\nplain text alone\n')
  const type = () => ({ 'Content-Type': 'application/pdf' })
  return {
    call: 'storage.put-to-upload-url',
    isDone: ({ request, status }) => request.method === 'PUT' && status >= 200 && status <= 299,
    again: (sender) => {
      const { uploadUrl, sent } = requested(sender.evidence, which)
      return sender.target.putObject(uploadUrl, sent.content_type, whole(sender))
    },
    experiments: (evidence) => {
      const { uploadUrl } = requested(evidence, which)
      const refusal = evidence.last(`put object ${which}`)
      // Only storage on the deployment's own origin may see the key.
      const isOwn = new URL(uploadUrl).origin === new URL(evidence.settings.url).origin
      const experiments: Experiment[] = [
        {
          id: 'storage.put-to-upload-url',
          how: 'while no other upload is open',
          send: put(whole, type),
        },
        {
          id: 'storage.declared-content-type',
          how: 'declared as application/octet-stream',
          send: put(whole, () => ({ 'Content-Type': 'application/octet-stream' })),
        },
        { id: 'storage.declared-content-type', how: 'without Content-Type', send: put(whole, () => ({})) },
        { id: 'storage.raw-bytes', how: 'with plain text', send: put(text, type) },
      ]
      const withKey: Experiment = {
        id: 'storage.no-service-key',
        how: 'with the key',
        send: put(whole, ({ target }) => ({ ...type(), ...target.auth })),
      }
      if (isOwn) experiments.splice(1, 0, withKey)
      // The limit of a file's size is not documented (section 8), but a 5xx is not a limit.
      const isAllowed = refusal.status < 500
      if (which === 2) {
        experiments.unshift({ id: 'storage.raw-bytes', how: 'with a smaller file', isAllowed, send: put(small, type) })
      }
      return experiments
    },
  }
}

const confirmation = (which: 1 | 2): Diagnosis => {
  const step = `diagnose confirm upload ${which}` as const
  const body = (evidence: Evidence) => confirmationOf(evidence, requested(evidence, which))
  /** Confirms a new upload, since the refused one may no longer be usable. */
  const send = async (sender: Sender, change: ChangeOf) => {
    const { target, samples, evidence } = sender
    const bytes = samples.pdf(100)
    await target.about('an upload for the next experiment').requestUpload(samples.upload(bytes.byteLength))
    const upload = uploadOf(evidence, step)
    keyOf(evidence, upload)
    const putting = { ...sender, target: target.about('an object for the next experiment') }
    await putUntilReady(putting, upload, bytes)
    await target.confirmUpload(change(confirmationOf(evidence, upload)))
  }
  return {
    call: 'confirm-upload.method-and-path',
    fields: confirmationFields,
    again: ({ target, evidence }) => target.confirmUpload(body(evidence)),
    experiments: () => [
      {
        id: 'confirm-upload.method-and-path',
        how: 'for an upload that was requested last',
        send: (sender) => send(sender, (all) => all),
      },
      ...experimentsOf(confirmationRows, send),
      ...bodyExperiments('/api/v1/upload/confirm', ({ evidence }) => body(evidence)),
    ],
  }
}

/** The label of the repeated confirmation, which is the first experiment. */
const repeated = 'the confirmation itself, once more'

const workflowExecution: Diagnosis = {
  call: 'execute-workflow.method-and-path',
  again: (sender) => execute(sender, (body) => body),
  experiments: (evidence) => {
    const { id } = workflow(evidence, 1)
    return [
      ...experimentsOf(executionRows, execute),
      ...bodyExperiments(`/api/v1/workflows/${encodeURIComponent(String(id.value))}/execute`, executionBody),
    ]
  },
}

const executionBody = ({ samples, evidence }: Sender) =>
  samples.execution(String(documentIdentifiers(evidence, 1)[0]?.value))

function execute(sender: Sender, change: ChangeOf) {
  const { id } = workflow(sender.evidence, 1)
  return sender.target.executeWorkflow(String(id.value), change(executionBody(sender)))
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

/** Creates the step that sends the experiments for a refused step. */
function diagnosisStep(refused: StepName, diagnosis: Diagnosis): RunStep {
  return step(
    async (sender) => {
      const refusal = sender.evidence.last(refused)
      await sendExperiments(sender, `diagnose ${refused}` as DiagnosisStep, refusal, diagnosis)
    },
    { needs: [refused] },
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

export const diagnosisSteps = {
  'diagnose reach': step(tryReach, { needs: ['create workflow 1', 'request upload 1'] }),
  'diagnose create workflow 1': diagnosisStep('create workflow 1', creation),
  'diagnose create workflow 2': diagnosisStep('create workflow 2', creation),
  'diagnose request upload 1': diagnosisStep('request upload 1', diagnoses['request upload 1']),
  'diagnose request upload 2': diagnosisStep('request upload 2', diagnoses['request upload 2']),
  'diagnose put object 1': diagnosisStep('put object 1', diagnoses['put object 1']),
  'diagnose put object 2': diagnosisStep('put object 2', diagnoses['put object 2']),
  'diagnose confirm upload 1': explainConfirmation(1),
  'diagnose confirm upload 2': explainConfirmation(2),
  'diagnose execute workflow 1': diagnosisStep('execute workflow 1', workflowExecution),
  // If an ordinary workflow is refused too, an earlier refusal was independent of the content of the request.
  'create plain': step(({ target, samples }) => target.createWorkflow(samples.workflow()), {
    needs: ['create workflow 1'],
  }),
} as const satisfies Partial<Record<DiagnosisStep, RunStep>>

function explainConfirmation(which: 1 | 2): RunStep {
  const refused = `confirm upload ${which}` as const
  return step(
    async (sender) => {
      const { target, evidence } = sender
      const refusal = evidence.last(refused)
      await target.about(repeated).confirmUpload(confirmationOf(evidence, requested(evidence, which)))
      const again = evidence.about(`diagnose ${refused}`, repeated)
      if (again && succeeded(again)) return
      await sendExperiments(sender, `diagnose ${refused}`, refusal, diagnoses[refused])
    },
    { needs: [refused] },
  )
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
    case 'create workflow 1':
    case 'request upload 1':
    case 'request upload 2':
    case 'put object 1':
    case 'put object 2':
      return reason(evidence, refused, answer)
    default:
      return new Broken('create-workflow.method-and-path', 'inconclusive', describeAnswer(answer))
  }
}

function reason(evidence: Evidence, refused: keyof typeof diagnoses, answer: Exchange) {
  const step = `diagnose ${refused}` as DiagnosisStep
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
