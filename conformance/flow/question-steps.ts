/** Calls that show a deployment's behaviour where the document is silent. Each step is named after its question. */
import { confirmationOf, confirmed, requested, storageKey, stored } from '../evidence/documents.ts'
import { resultIfSucceeded } from '../evidence/evidence.ts'
import { execution } from '../evidence/executions.ts'
import { unknownLike } from '../evidence/identifiers.ts'
import { workflow } from '../evidence/workflows.ts'
import { allFlowSteps, preparing, type QuestionStep, type StepName } from '../wire/label.ts'
import { changed, missing } from './changed.ts'
import { requestSpare } from './sending.ts'
import { type RunStep, type Sender, step } from './step.ts'

/** These calls come last, so that they cannot affect the flow. */
const after: readonly StepName[] = allFlowSteps

const call = (send: (sender: Sender) => Promise<unknown>, ...needs: StepName[]): RunStep => step(send, { needs, after })

/** Creates a workflow with other values at some places. */
const create = (...changes: readonly (readonly [pointer: string, value: unknown])[]) =>
  call(({ target, samples }) => {
    const body = changes.reduce((one, [pointer, value]) => changed(one, pointer, value), samples.workflow())
    return target.createWorkflow(body)
  }, 'create workflow 1')

/** Executes workflow 1 for document 1, once with each change. */
const execute = (changes: Readonly<Record<string, object>>) =>
  call(async ({ target, samples, evidence }) => {
    const [{ id }, { documentId }] = [workflow(evidence, 1), execution(evidence, 1)]
    for (const [about, change] of Object.entries(changes)) {
      const body = { ...samples.execution(documentId), ...change }
      await target.about(about).executeWorkflow(id.value, body)
    }
  }, 'execute workflow 1')

/** Sends a changed upload request. */
const request = (change: object) =>
  call(({ target, samples }) => target.requestUpload({ ...samples.upload(1), ...change }), 'request upload 1')

/** Uploads bytes to a new upload URL, with other headers or another length than announced. */
const put = (change: { readonly headers?: Record<string, string>; readonly isLonger?: boolean }) =>
  call(async (sender) => {
    const spare = await requestSpare(sender, preparing)
    const bytes = change.isLonger ? new Uint8Array([...spare.bytes, 0]) : spare.bytes
    const headers = { 'Content-Type': spare.sent.content_type, ...change.headers }
    await sender.target.put(spare.uploadUrl, headers, bytes)
  }, 'put object 1')

const longName = 'x'.repeat(101)

export const questionSteps: Readonly<Record<QuestionStep, RunStep>> = {
  'gap.auth-scheme': call(({ target }) => target.getWorkflow('conformance', { headers: {} })),
  'gap.unknown-workflow': step(
    ({ target, evidence }) => {
      const known = resultIfSucceeded(() => workflow(evidence, 1))
      return target.getWorkflow(known ? unknownLike(known.id.value) : crypto.randomUUID())
    },
    { soft: ['read workflow 1'], after },
  ),
  'gap.unsupported-media-type': call(({ target, samples }) =>
    target.post('/api/v1/workflows', JSON.stringify(samples.workflow()), 'text/plain'),
  ),
  'gap.unknown-path': call(({ target }) =>
    target.send(new Request(`${target.url}/api/v1/conformance-nowhere`, { headers: target.auth })),
  ),
  'gap.cors': call(({ target }) => {
    const headers = {
      Origin: 'https://conformance.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    }
    return target.send(new Request(`${target.url}/api/v1/workflows`, { method: 'OPTIONS', headers }))
  }),
  'gap.invalid-key': call(({ target, samples }) => {
    const headers = { Authorization: `test_${crypto.randomUUID().replaceAll('-', '')}` }
    return target.requestUpload(samples.upload(1), { headers })
  }),
  'gap.unknown-document': step(
    async ({ target, samples, evidence }) => {
      const { id } = workflow(evidence, 1)
      const known = resultIfSucceeded(() => execution(evidence, 1))
      const document = known ? unknownLike(known.documentId) : crypto.randomUUID()
      await target.executeWorkflow(id.value, samples.execution(document))
    },
    { needs: ['read workflow 1'], soft: ['execute workflow 1'], after },
  ),
  'gap.confirm-twice': call(async ({ target, evidence }) => {
    confirmed(evidence, 1)
    await target.confirmUpload(confirmationOf(evidence, requested(evidence, 1)))
  }, 'confirm upload 1'),
  'gap.file-size-unit': request({ file_size: 0 }),
  'gap.max-file-size': request({ file_size: 10 * 1024 ** 3 }),
  'gap.content-type-format': request({ content_type: 'application/x-conformance' }),
  'gap.file-name-rules': request({ file_name: 'conformance/../name.pdf' }),
  'gap.confirm-before-put': call(async (sender) => {
    const spare = await requestSpare(sender, preparing)
    await sender.target.confirmUpload(confirmationOf(sender.evidence, spare))
  }, 'request upload 1'),
  'gap.unknown-session': call(
    async ({ target, evidence }) => {
      const body = confirmationOf(evidence, requested(evidence, 1))
      await target.confirmUpload({ ...body, session_id: crypto.randomUUID() })
    },
    'request upload 1',
    'create workflow 1',
  ),
  'gap.confirm-mismatch': call(async (sender) => {
    const { target, evidence } = sender
    stored(evidence, 1)
    const spare = await requestSpare(sender, preparing)
    await target.about(preparing).putObject(spare.uploadUrl, spare.sent.content_type, spare.bytes)
    const { file_name } = requested(evidence, 1).sent
    const completed_files = [{ key: storageKey(evidence, 1), file_name }]
    await target.confirmUpload({ session_id: spare.sentBack as string, completed_files })
  }, 'put object 1'),
  'gap.storage-content-type-mismatch': put({
    headers: { 'Content-Type': 'text/plain' },
  }),
  'gap.storage-length-mismatch': put({ isLonger: true }),
  // Not the real key, which storage must not see.
  'gap.storage-authorization': put({ headers: { Authorization: 'test_nobody' } }),
  // The MD5 of an empty file.
  'gap.storage-checksum': put({ headers: { 'Content-MD5': '1B2M2Y8AsgTpgAmY7PhCfg==' } }),
  'gap.storage-precondition': call(async (sender) => {
    const { target } = sender
    const { uploadUrl, sent, bytes } = await requestSpare(sender, preparing)
    await target.about(preparing).putObject(uploadUrl, sent.content_type, bytes)
    await target.put(uploadUrl, { 'Content-Type': sent.content_type, 'If-None-Match': '*' }, bytes)
  }, 'put object 1'),
  'gap.storage-content-encoding': put({ headers: { 'Content-Encoding': 'gzip' } }),
  'gap.storage-errors': call(
    async ({ target, evidence }) => {
      const [address = ''] = requested(evidence, 1).uploadUrl.split('?')
      await target.putObject(address, 'application/pdf', new Uint8Array(1))
    },
    'request upload 1',
    'create workflow 1',
  ),
  'gap.storage-rewrite': call(async (sender) => {
    const { target } = sender
    const spare = await requestSpare(sender, preparing)
    const put = (one: Sender['target']) => one.putObject(spare.uploadUrl, spare.sent.content_type, spare.bytes)
    await put(target.about(preparing))
    await put(target)
  }, 'put object 1'),
  'gap.required-fields': create(
    ...['name', 'type', 'estimated_duration'].map((name) => [`/steps/*/${name}`, missing] as const),
  ),
  'gap.unknown-fields': create(['/conformance_probe', true]),
  'gap.field-lengths': create(['/steps/*/name', longName]),
  'gap.name-length-unit': call(
    ({ target, samples }) => target.createWorkflow(samples.workflow({ name: samples.nameOf(100, '𝒳') })),
    'create workflow 1',
  ),
  'gap.step-id-format': create(['/steps/*/step_id', 'same']),
  'gap.step-order': create(['/steps/*/order', 1]),
  'gap.step-types': create(['/steps/*/type', 'review']),
  'gap.email-format': create(['/steps/*/approvers', [{ email: 'nobody', name: 'Nobody' }]]),
  'gap.max-steps': create(['/steps', []]),
  'gap.max-approvers': create(['/steps/*/approvers', []]),
  'gap.execution-modes': execute({ express: { execution_mode: 'express' } }),
  'gap.priorities': execute({ low: { priority: 'low' }, urgent: { priority: 'urgent' } }),
}
