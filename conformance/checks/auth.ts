/** Authentication: interface.md section 5. */
import { type Check, fail, pass } from '../check.ts'
import { label, succeeded } from '../exchange.ts'
import type { Flow } from '../flow.ts'

/** Every service call with these headers, as well formed as the ones that succeeded with the key. */
async function everyServiceCall(flow: Flow, headers: HeadersInit) {
  const { id } = await flow.workflow()
  const { sessionId, sent, bytes } = await flow.upload()
  const { documentId } = await flow.executeAnswer()
  const files = [{ key: await flow.storageKey(), file_name: sent.file_name }]
  const { target, samples } = flow
  return [
    await flow.create(samples.workflow(), headers),
    await target.executeWorkflow(String(id.value), samples.execution(documentId), headers),
    await target.getWorkflow(String(id.value), headers),
    await target.requestUpload(samples.upload(bytes), headers),
    await target.confirmUpload({ session_id: sessionId, completed_files: files }, headers),
  ]
}

/** The same calls with the key, from the flow: each answered with success, or the check has no control. */
async function withKey(flow: Flow) {
  const answers = [
    (await flow.createAnswer()).exchange,
    (await flow.executeAnswer()).exchange,
    await flow.detailsAnswer(),
    (await flow.uploadAnswer()).exchange,
    await flow.confirmAnswer(),
  ]
  const refused = answers.find((answer) => !succeeded(answer))
  return refused
    ? fail(`${label(refused)} although the key was sent as it is.`)
    : pass('All five service calls took the key as it is.')
}

export const authChecks: readonly Check[] = [
  { id: 'auth.raw-key', run: withKey },
  { id: 'auth.every-service-call', run: withKey },
  {
    id: 'auth.key-is-required',
    async run(flow) {
      const control = await withKey(flow)
      if (control.verdict !== 'pass') return control
      const answered = (await everyServiceCall(flow, {})).filter(succeeded)
      return answered.length === 0
        ? pass('None of the five service calls succeeds without the key.')
        : fail(`Without the key, ${answered.map(label).join(' and ')}.`)
    },
  },
]
