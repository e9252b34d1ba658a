/** Finds the field that is the reason for a refusal, by sending the call without the field or with another value. */
import type { RequirementId } from '../catalogue/catalogue.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { Broken, Refused } from '../evidence/failures.ts'
import { isUnauthorized } from '../evidence/workflows.ts'
import type { Sender } from '../flow/step.ts'
import { describeRefusal, type Exchange, succeeded } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import { type Field, fieldNamedIn } from './named-field.ts'

/** A request that avoids one documented fact. */
export interface Experiment {
  /** The fact that is broken if the changed call is accepted. */
  readonly id: RequirementId
  /** The change, as a phrase for messages and labels. */
  readonly how: string
  /** True if the document allows the refusal, so that the result is inconclusive. */
  readonly isAllowed?: boolean
  readonly send: (sender: Sender) => Promise<unknown>
  /** Sends the call without the change. @default that of the diagnosis */
  readonly again?: (sender: Sender) => Promise<unknown>
}

/** The experiments that explain the refusal of a call. */
export interface Diagnosis {
  /** The requirement of the call itself, which is broken if no field is the reason. */
  readonly call: RequirementId
  /** Sends the refused call again, unchanged. */
  readonly again: (sender: Sender) => Promise<unknown>
  readonly experiments: (evidence: Evidence) => readonly Experiment[]
  /** The fields of the call, of which a refusal may name one. @default none */
  readonly fields?: readonly Field[]
  /** Returns true if the call was carried out. @default `succeeded` */
  readonly isDone?: (answer: Exchange) => boolean
}

/** The label of the repeated call. */
const again = 'the same call again'

/** Sends experiments until one is accepted. Then repeats the call itself, since it may only have needed time. */
export async function sendExperiments(sender: Sender, step: StepName, refusal: Exchange, diagnosis: Diagnosis) {
  const { call, isDone = succeeded } = diagnosis
  const about = (what: string): Sender => ({ ...sender, target: sender.target.about(what) })
  if (isUnauthorized(refusal) && !isStorage(call)) return void (await diagnosis.again(about(again)))
  if (refusal.status >= 500 && !isStorage(call)) return
  for (const { how, send, again: unchanged = diagnosis.again } of diagnosis.experiments(sender.evidence)) {
    await ignoreRefusals(send(about(how)))
    const answer = sender.evidence.about(step, how)
    if (!answer || !isDone(answer)) continue
    await unchanged(about(again))
    return
  }
}

/** Ignores refusals of an experiment's preparing calls. The experiment then has no result. */
async function ignoreRefusals(sending: Promise<unknown>): Promise<void> {
  try {
    await sending
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Broken)) throw error
  }
}

/** Returns true if a call goes to storage. Its 403 concerns the URL, not the key, and a PUT may be repeated after a 5xx. */
const isStorage = (call: RequirementId) => call === 'storage.put-to-upload-url'

/**
 * Returns the broken requirement behind a refusal: the fact of the first accepted experiment, if the repeated call is still
 * refused; otherwise the call itself.
 */
export function reasonFor(
  evidence: Evidence,
  step: StepName,
  refusal: Exchange,
  { call, experiments, fields = [], isDone = succeeded }: Diagnosis,
): Broken {
  const refused = describeRefusal(refusal)
  const passing = () => new Broken(call, 'inconclusive', `${refused}, but accepted the same call when it was repeated`)
  const repeated = () => {
    const answer = evidence.about(step, again)
    return answer !== undefined && isDone(answer)
  }
  if (isUnauthorized(refusal) && !isStorage(call)) {
    if (repeated()) return passing()
    const message = `${describeRefusal(refusal)}, although another call accepted the key`
    return new Broken('auth.every-service-call', 'fail', message)
  }
  const broken = new Broken(call, 'fail', `${refused} to a valid request`)
  if (refusal.status >= 500 && !isStorage(call)) return broken
  for (const { id, how, isAllowed } of experiments(evidence)) {
    const answer = evidence.about(step, how)
    if (!answer || !isDone(answer)) continue
    if (repeated()) return passing()
    return new Broken(id, isAllowed ? 'inconclusive' : 'fail', `${refused}, but accepted the call ${how}`)
  }
  if (isStorage(call) && refusal.status === 401) {
    // RFC 9110 section 15.5.2: a 401 asks for credentials. The key is not sent to another host to try it.
    const message = `${refused}, so storage requires credentials besides those in upload_url`
    return new Broken('storage.no-service-key', 'fail', message)
  }
  if (saysUnknownPerson(refusal)) {
    const message = `${refused}. Perhaps it accepts only known users, which the document leaves open (gap.email-format)`
    return new Broken(call, 'inconclusive', message)
  }
  const field = fieldNamedIn(refusal, fields)
  return field ? new Broken(field.id, 'fail', `${refused}, and names only ${field.name}`) : broken
}

/** Words for people in refusals, and words that say that a person is unknown. */
const people = ['approver', 'submitter', 'email', 'e-mail']
const unknown = ['user', 'users', 'member', 'members', 'account', 'accounts', 'directory', 'unknown', 'exist', 'exists']

/** Returns true if a refusal says that a person is unknown. The document does not say who may approve or submit. */
function saysUnknownPerson({ bytes }: Exchange): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, 2000)).toLowerCase()
  const words = text.split(/[^a-z]+/)
  const saysWho = people.some((word) => text.includes(word))
  return saysWho && (unknown.some((word) => words.includes(word)) || text.includes('not found'))
}
