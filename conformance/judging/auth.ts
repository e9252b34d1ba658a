/** Authentication: interface.md section 5. */

import type { Flow } from '../flow/flow.ts'
import { identifierCandidates, identifiersInLinks, memberCalled } from '../reading/locate.ts'
import { type Exchange, label, succeeded, succeededLike } from '../wire/exchange.ts'
import { type Check, fail, pass } from './check.ts'
import { isUuid, refusalOf } from './shared.ts'

/** The five service calls with the key as it is; each came about, or says why not. */
async function withKey(flow: Flow): Promise<Exchange[]> {
  const { created, details } = await flow.workflow(1)
  const { exchange } = await flow.document(1).asked()
  return [created, details, exchange, await flow.document(1).confirmed(), (await flow.execution(1)).exchange]
}

/**
 * The same calls without the header, and which of them were carried out. Before and after each, the same recipe with the key
 * is accepted, so nothing but the key can be what is missed: the confirmation and the execution are those that document 2
 * and workflow 2 then make.
 */
async function carriedOutWithoutKey(flow: Flow): Promise<Exchange[]> {
  const controls = await withKey(flow)
  const { target, samples } = flow
  const without = { headers: {} }
  const { id, sent } = await flow.workflow(2)
  const document = flow.document(2)
  const [workflow, upload] = [samples.workflow(), samples.upload(1)]
  const confirmed = await refusalOf(document.confirmedWithoutKey, document.confirmWithoutKey)
  const created = await refusalOf(() => flow.create(workflow, {}))
  const read = await refusalOf(() => target.getWorkflow(String(id.value), without))
  const asked = await refusalOf(() => target.requestUpload(upload, without))
  const executed = await refusalOf(flow.executedWithoutKey, flow.executeWithoutKey)
  await flow.execution(2)
  const answers = [created, read, asked, confirmed, executed]
  const proven = [
    ...(isUpload(asked) ? [asked] : []),
    ...(shows(read, sent.name) ? [read] : []),
    ...((await isCreated(flow, created, workflow.name)) ? [created] : []),
  ]
  return answers.filter((answer, call) => proven.includes(answer) || succeededLike(answer, controls[call] ?? answer))
}

/** Whether an answer holds a name that only the run and the workflow have. */
function shows(answer: Exchange, name: string): boolean {
  return succeeded(answer) && new TextDecoder().decode(answer.bytes).includes(name)
}

/** Whether an answer has all that an upload takes, whatever else the sound one shows. */
function isUpload(answer: Exchange): boolean {
  const shownAs = (name: string) => String(memberCalled(answer.json, name)?.value)
  return succeeded(answer) && /^https?:/.test(shownAs('upload_url')) && isUuid(shownAs('session_id'))
}

/** Whether an answer names a workflow that can then be read, with the key, under the name that was sent. */
async function isCreated(flow: Flow, answer: Exchange, name: string): Promise<boolean> {
  if (!succeeded(answer)) return false
  const { headers, json } = answer
  const named = [...identifiersInLinks(headers, json, 'workflows'), ...identifierCandidates(json, 'workflow')]
  for (const { value } of named.slice(0, 2)) {
    if (shows(await flow.target.getWorkflow(String(value)), name)) return true
  }
  return false
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
      const answered = await carriedOutWithoutKey(flow)
      return answered.length === 0
        ? pass('None of the five service calls succeeds without the key, and all of them succeed with it.')
        : fail(`Without the key, ${answered.map(label).join(' and ')}.`)
    },
  },
]
