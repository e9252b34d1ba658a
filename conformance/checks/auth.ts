/** Authentication: interface.md section 5. */
import { type Check, fail, pass } from '../check.ts'
import { type Exchange, label, succeededLike } from '../exchange.ts'
import type { Flow } from '../flow.ts'
import { refusalOf } from './shared.ts'

/** The five service calls with the key as it is; each came about, or says why not. */
async function withKey(flow: Flow): Promise<Exchange[]> {
  const { created, details } = await flow.workflow(1)
  const { exchange } = await flow.document(1).asked()
  return [created, details, exchange, await flow.document(1).confirmed(), (await flow.execution(1)).exchange]
}

/**
 * The same calls without the header. Before and after each, the same recipe with the key is accepted, so nothing but the
 * key can be what is missed: the confirmation and the execution are those that document 2 and workflow 2 then make.
 */
async function withoutKey(flow: Flow): Promise<Exchange[]> {
  const { target, samples } = flow
  const without = { headers: {} }
  const { id } = await flow.workflow(2)
  const document = flow.document(2)
  const [workflow, upload] = [samples.workflow(), samples.upload(1)]
  const confirmed = await refusalOf(document.confirmedWithoutKey, document.confirmWithoutKey)
  const answers = [
    await refusalOf(() => flow.create(workflow, {})),
    await refusalOf(() => target.getWorkflow(String(id.value), without)),
    await refusalOf(() => target.requestUpload(upload, without)),
    confirmed,
    await refusalOf(flow.executedWithoutKey, flow.executeWithoutKey),
  ]
  await flow.execution(2)
  return answers
}

export const authChecks: readonly Check[] = [
  {
    id: 'auth.raw-key',
    async run(flow) {
      await flow.reach()
      await withKey(flow)
      return pass('The key was taken as it is, with no scheme word in front.')
    },
  },
  {
    id: 'auth.every-service-call',
    async run(flow) {
      const answers = await withKey(flow)
      return pass(`All ${answers.length} service calls took the key.`)
    },
  },
  {
    id: 'auth.key-is-required',
    async run(flow) {
      const controls = await withKey(flow)
      const answers = await withoutKey(flow)
      const answered = answers.filter((answer, call) => succeededLike(answer, controls[call] ?? answer))
      return answered.length === 0
        ? pass('None of the five service calls succeeds without the key, and all of them succeed with it.')
        : fail(`Without the key, ${answered.map(label).join(' and ')}.`)
    },
  },
]
