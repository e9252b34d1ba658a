/** Sends the calls that may need several attempts: reading, executing, uploading, confirming. */
import { confirmationOf, type RequestedUpload, uploadOf } from '../evidence/documents.ts'
import { mayHaveSucceeded, resultIfSucceeded } from '../evidence/evidence.ts'
import { operationIn } from '../evidence/identifiers.ts'
import {
  asOperation,
  identifiersOf,
  type MadeWorkflow,
  mostTried,
  readsBack,
  withContentType,
  workflow,
} from '../evidence/workflows.ts'
import { identifiersInLinks, type Located } from '../reading/locate.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { Target } from '../wire/target.ts'
import type { Sender } from './step.ts'

/**
 * Reads a created workflow by each candidate identifier, until one succeeds. If the answer names a long-running operation
 * instead, asks that operation for the workflow.
 */
export async function readCreated({ evidence, target, settling }: Sender, step: StepName): Promise<void> {
  const created = evidence.accepted(step)
  const candidates = identifiersOf(evidence, created).slice(0, mostTried)
  const [first] = candidates
  let found: Located | undefined
  let asked = candidates
  const round = async (): Promise<Exchange> => {
    let answer: Exchange | undefined
    let doubtful: Located | undefined
    for (const id of asked) {
      const details = await target.about(id.pointer).getWorkflow(id.value)
      answer = details
      // A 202 means that the workflow is not ready yet. It counts if no better answer follows.
      if (mayHaveSucceeded(evidence, details)) {
        if (readsBack(evidence, created, details)) found = id
        else doubtful ??= id
      }
      if (found && details.status !== 202) return details
    }
    found ??= doubtful
    // Later rounds try only the likeliest candidates, to limit the number of requests.
    asked = found ? [found] : [...asked.slice(0, 2), ...(await operationResults(target, created))]
    return answer ?? created
  }
  const last = await settling.until(round, ({ status }) => found !== undefined && status !== 202)
  if (found || !first || last.status === 401 || last.status === 403) return
  const path = `${target.url}/api/v1/workflows/${encodeURIComponent(String(first.value))}`
  const headers = { ...target.auth, 'Content-Type': 'application/json' }
  const answer = await target.about(withContentType).send(new Request(path, { headers }))
  // The workflow may have become readable just now.
  if (succeeded(answer)) await target.about(first.pointer).getWorkflow(first.value)
}

/** Asks the long-running operation in the answer or in `Location` for the identifiers of its result. */
async function operationResults(target: Target, created: Exchange): Promise<Located[]> {
  const operation = operationIn(created)
  if (operation === undefined) return []
  const request = new Request(`${target.url}/api/v1/${operation}`, { headers: target.auth })
  const answer = await target.about(asOperation).send(request)
  return identifiersInLinks(answer.headers, answer.json, 'workflows')
}

/** Reads the details of a workflow of the flow. */
export function readWorkflow({ target, evidence }: Sender, which: 1 | 2): Promise<Exchange> {
  return target.getWorkflow(workflow(evidence, which).id.value)
}

/** Executes a workflow with each candidate for the document's identifier, until one succeeds. */
export async function executeFor(
  sender: Sender,
  { id }: Pick<MadeWorkflow, 'id'>,
  candidates: readonly Located[],
  separator?: '.' | '+',
): Promise<void> {
  const { target, samples, evidence } = sender
  let asked = candidates.slice(0, 8)
  let likeliest = candidates.slice(0, 4)
  if (asked.length === 0) return
  let refusal: Exchange | undefined
  await untilKnown(sender, async () => {
    for (const { pointer, value } of asked) {
      const body = samples.execution(String(value), separator)
      const exchange = await target.about(pointer).executeWorkflow(id.value, body)
      if (mayHaveSucceeded(evidence, exchange)) return exchange
      refusal ??= exchange
    }
    // Later rounds alternate between the likeliest candidates, two per round, to limit the number of requests.
    asked = likeliest.slice(0, 2)
    likeliest = [...likeliest.slice(2), ...asked]
    return refusal as Exchange
  })
}

/** Requests an additional upload within a step, for this step alone. */
export async function requestSpare(
  { step, target, samples, evidence }: Sender,
  about: string,
): Promise<RequestedUpload & { readonly bytes: Uint8Array<ArrayBuffer> }> {
  const bytes = samples.pdf(100)
  await target.about(about).requestUpload(samples.upload(bytes.byteLength))
  return { ...uploadOf(evidence, step), bytes }
}

/** Uploads a file. Retries while storage is not ready (503). */
export async function putUntilReady(
  { target, settling }: Sender,
  { uploadUrl, sent }: RequestedUpload,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Exchange> {
  const put = () => target.putObject(uploadUrl, sent.content_type, bytes)
  return settling.until(put, ({ status }) => status !== 503)
}

/** Returns a sender that does not wait. */
export function impatient(sender: Sender): Sender {
  return { ...sender, settling: sender.settling.once }
}

/** Returns a sender that does not wait if an earlier wait for the same thing failed, so that the settling time is spent once. */
export function unlessInVain(sender: Sender, before: (evidence: Sender['evidence']) => unknown): Sender {
  return resultIfSucceeded(() => [before(sender.evidence)]) ? sender : impatient(sender)
}

/** Confirms an upload. Retries while the deployment may not know yet that the file was stored. */
export function confirmUntilKnown(sender: Sender, upload: RequestedUpload): Promise<Exchange> {
  const body = confirmationOf(sender.evidence, upload)
  return untilKnown(sender, () => sender.target.confirmUpload(body))
}

/**
 * Repeats a refused call: its subject may not be known or ready everywhere yet, and the status of such a refusal is not
 * documented. Refusals of the key, the method or the media type are final, and so is a 5xx other than 503.
 */
async function untilKnown({ settling, evidence }: Sender, send: () => Promise<Exchange>): Promise<Exchange> {
  const isFinal = ({ status }: Exchange) => [401, 405, 415].includes(status) || (status >= 500 && status !== 503)
  return settling.until(send, (answer) => mayHaveSucceeded(evidence, answer) || isFinal(answer))
}
