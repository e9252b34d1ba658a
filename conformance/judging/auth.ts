/** Authentication: interface.md section 5. */
import { confirmed, requested } from '../evidence/documents.ts'
import { type Evidence, sentBody } from '../evidence/evidence.ts'
import { execution } from '../evidence/executions.ts'
import { reach, type WorkflowBody, workflow } from '../evidence/workflows.ts'
import { memberCalled } from '../reading/locate.ts'
import { type Exchange, label, succeeded, succeededLike } from '../wire/exchange.ts'
import { type Check, fail, pass } from './check.ts'
import { isUuid, refusalOf } from './shared.ts'

/** The five service calls with the key as it is; each came about, or says why not. */
function withKey(evidence: Evidence): Exchange[] {
  const { created, details } = workflow(evidence, 1)
  const { exchange } = requested(evidence, 1)
  return [created, details, exchange, confirmed(evidence, 1), execution(evidence, 1).exchange]
}

/**
 * Returns those of the same calls without the header that were carried out. Before and after each, the same recipe with the
 * key is accepted, so nothing but the key can be what is missed: the confirmation and the execution are those that document 2
 * and workflow 2 then make.
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
  const answers = [created, read, asked, confirmedWithout, executed]
  const proven = [
    ...(isUpload(asked) ? [asked] : []),
    ...(shows(read, sent.name) ? [read] : []),
    ...(isCreated(evidence, created) ? [created] : []),
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
function isCreated(evidence: Evidence, answer: Exchange): boolean {
  if (!succeeded(answer) || !evidence.has('read what was created without key')) return false
  const { name } = sentBody<WorkflowBody>(answer)
  return evidence.all('read what was created without key').some((details) => shows(details, name))
}

export const authChecks: readonly Check[] = [
  {
    id: 'auth.raw-key',
    judge(evidence) {
      reach(evidence)
      withKey(evidence)
      return pass('The key was taken as it is, with no scheme word in front.')
    },
  },
  {
    id: 'auth.every-service-call',
    judge(evidence) {
      const answers = withKey(evidence)
      return pass(`All ${answers.length} service calls took the key.`)
    },
  },
  {
    id: 'auth.key-is-required',
    judge(evidence) {
      const answered = carriedOutWithoutKey(evidence)
      return answered.length === 0
        ? pass('None of the five service calls succeeds without the key, and all of them succeed with it.')
        : fail(`Without the key, ${answered.map(label).join(' and ')}.`, 'outcome')
    },
  },
]
