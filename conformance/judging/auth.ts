/** Authentication: interface.md section 5. */
import { confirmed, requested } from '../evidence/documents.ts'
import { type Evidence, sentBody } from '../evidence/evidence.ts'
import { execution } from '../evidence/executions.ts'
import { reach, type WorkflowBody, workflow } from '../evidence/workflows.ts'
import { memberCalled } from '../reading/locate.ts'
import { describeAnswer, type Exchange, succeeded, succeededLike } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import { type Checks, fail, pass } from './check.ts'
import { isUuid, refusalOf } from './shared.ts'

/** Returns the answers to the five service calls with the key. Throws if one of them failed. */
function withKey(evidence: Evidence): Exchange[] {
  const { created, details } = workflow(evidence, 1)
  const { exchange } = requested(evidence, 1)
  return [created, details, exchange, confirmed(evidence, 1), execution(evidence, 1).exchange]
}

/**
 * Returns the answers to calls without the key that were carried out. Before and after each, the same call with the key is
 * accepted, so a refusal can only concern the key. The confirmation and the execution are those of document 2 and
 * workflow 2.
 */
function carriedOutWithoutKey(evidence: Evidence): Exchange[] {
  const controls = withKey(evidence)
  const { sent } = workflow(evidence, 2)
  const confirmedWithout = refusalOf(evidence, 'confirm upload 2 without key')
  const created = refusalOf(evidence, 'create without key')
  const read = refusalOf(evidence, 'read without key')
  const asked = refusalOf(evidence, 'request upload without key')
  const executed = refusalOf(evidence, 'execute workflow 2 without key')
  execution(evidence, 2)
  const again = evidence.has('execute again without key') ? refusalOf(evidence, 'execute again without key') : executed
  const answers = [created, read, asked, confirmedWithout, succeeded(executed) ? executed : again]
  const proven = [
    ...(isUpload(asked) ? [asked] : []),
    ...(shows(read, sent.name) ? [read] : []),
    ...(isCreated(evidence, created) ? [created] : []),
  ]
  return answers.filter((answer, call) => proven.includes(answer) || succeededLike(answer, controls[call] ?? answer))
}

/** Returns true if an answer contains a workflow's name, which is unique. */
function shows(answer: Exchange, name: string): boolean {
  return succeeded(answer) && new TextDecoder().decode(answer.bytes).includes(name)
}

/** Returns true if an answer has everything that an upload needs. */
function isUpload(answer: Exchange): boolean {
  const shownAs = (name: string) => String(memberCalled(answer.json, name)?.value)
  return succeeded(answer) && /^https?:/.test(shownAs('upload_url')) && isUuid(shownAs('session_id'))
}

/** Returns true if an answer names a workflow that can then be read with the key, and has the sent name. */
function isCreated(evidence: Evidence, answer: Exchange): boolean {
  if (!succeeded(answer) || !evidence.has('read what was created without key')) return false
  const { name } = sentBody<WorkflowBody>(answer)
  return evidence.all('read what was created without key').some((details) => shows(details, name))
}

/** Calls with the key that repeat one of the flow with other values. */
const laterCalls = [
  'create shuffled',
  'execute shuffled',
  'execute by default',
  'execute workflow 1 again',
  'request upload accented',
  'request upload bracketed',
  'request upload text',
  'request upload image',
  'confirm upload accented',
  'confirm upload bracketed',
  'confirm upload text',
  'confirm upload image',
] as const satisfies readonly StepName[]

const refusesKey = ({ status }: Exchange) => status === 401

export const authChecks: Checks = {
  'auth.raw-key'(evidence) {
    reach(evidence)
    withKey(evidence)
    return pass('The key was accepted without a scheme word in front.')
  },
  'auth.every-service-call'(evidence) {
    const answers = withKey(evidence)
    const refused = laterCalls.flatMap((step) => (evidence.has(step) ? evidence.all(step) : [])).find(refusesKey)
    return refused
      ? fail(`${describeAnswer(refused)} to the key that the same call had accepted before.`, 'outcome', {
          exchange: refused,
        })
      : pass(`All ${answers.length} service calls accepted the key.`)
  },
  'auth.key-is-required'(evidence) {
    const answered = carriedOutWithoutKey(evidence)
    const [exchange] = answered
    return exchange === undefined
      ? pass('None of the five service calls succeeds without the key, and all of them succeed with it.')
      : fail(`Without the key, ${answered.map(describeAnswer).join(' and ')}.`, 'outcome', { exchange })
  },
}
