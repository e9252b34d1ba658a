/** The documented flow (interface.md section 4, flow order), for two workflows and two documents. */
import {
  aboutSpare,
  carriedOutEarly,
  confirmationOf,
  confirmed,
  documentIdentifiers,
  keyOf,
  requested,
  stored,
} from '../evidence/documents.ts'
import { mayHaveSucceeded } from '../evidence/evidence.ts'
import { executedEarly, execution, isOver, isSettled, showsEnded } from '../evidence/executions.ts'
import { reach, workflow } from '../evidence/workflows.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import {
  confirmUntilKnown,
  executeFor,
  putUntilReady,
  readCreated,
  readWorkflow,
  requestSpare,
  unlessInVain,
} from './sending.ts'
import { type Sender, step, stepWithoutKey } from './step.ts'

const putObject = (which: 1 | 2) => (sender: Sender) =>
  putUntilReady(sender, requested(sender.evidence, which), sender.samples.pdf(which))

/** Reads an executed workflow until its details are whole. */
async function settle(sender: Sender, which: 1 | 2): Promise<void> {
  const { evidence, settling } = sender
  execution(evidence, which)
  const read = () => readWorkflow(sender, which)
  const isWhole = (details: Exchange) => isSettled(evidence, which, details)
  const hasEnded = (details: Exchange) => isOver(evidence, which, details)
  const details = await settling.until(read, isWhole)
  // Some figures appear only once an execution has ended, which may be soon if a step has.
  if (which === 1 && !isWhole(details) && !hasEnded(details) && showsEnded(evidence, which, details)) {
    await settling.until(read, (one) => isWhole(one) || hasEnded(one))
  }
}

export const mainSteps = {
  'create workflow 1': step(({ target, samples }) => target.createWorkflow(samples.workflow())),
  // Independent of the created workflow: if both calls are refused in the same way, the address or the key is the cause.
  'request upload 1': step(({ target, samples }) => target.requestUpload(samples.upload(samples.pdf(1).byteLength)), {
    after: ['create workflow 1'],
  }),
  'read workflow 1': step(
    (sender) => {
      reach(sender.evidence)
      return readCreated(sender, 'create workflow 1')
    },
    { needs: ['create workflow 1'], soft: ['request upload 1'] },
  ),
  'create workflow 2': step(
    ({ target, samples, evidence }) => {
      reach(evidence)
      return target.createWorkflow(samples.workflow({ isSequential: false }))
    },
    { needs: ['create workflow 1', 'request upload 1'], soft: ['read workflow 1'] },
  ),
  'read workflow 2': step(
    (sender) => {
      workflow(sender.evidence, 1)
      return readCreated(sender, 'create workflow 2')
    },
    { needs: ['create workflow 2', 'read workflow 1'] },
  ),
  'request upload 2': step(
    ({ target, samples, evidence }) => {
      reach(evidence)
      return target.requestUpload(samples.upload(samples.pdf(2).byteLength))
    },
    { needs: ['create workflow 1', 'request upload 1'] },
  ),
  'put object 2': step(putObject(2), { needs: ['request upload 2'] }),
  'confirm upload 2 without key': stepWithoutKey(
    ({ target, evidence }) => {
      stored(evidence, 2)
      const body = confirmationOf(evidence, requested(evidence, 2))
      return (open) => target.confirmUpload(body, open)
    },
    { needs: ['put object 2'] },
  ),
  // Request the second upload first, to catch servers that accept only the most recent one.
  'put object 1': step(putObject(1), {
    needs: ['request upload 1'],
    soft: ['request upload 2'],
    after: ['confirm upload 2 without key'],
  }),
  // Store the second file first, to catch servers in which one file replaces the other.
  'confirm upload 1': step(
    async (sender) => {
      const { evidence, target } = sender
      stored(evidence, 1)
      const { time } = target.transport
      const begun = time.now()
      const exchange = await confirmUntilKnown(sender, requested(evidence, 1))
      const isLate = evidence.soFar(sender.step).length > 1
      if (succeeded(exchange) && isLate) await confirmSpare(sender, time.now() - begun)
    },
    { needs: ['put object 1'], soft: ['put object 2'] },
  ),
  'confirm upload 2': step(
    async (sender) => {
      const { evidence } = sender
      if (carriedOutEarly(evidence)) return
      const patient = unlessInVain(sender, () => confirmed(evidence, 1))
      await confirmUntilKnown(patient, requested(evidence, 2))
    },
    { needs: ['confirm upload 2 without key', 'confirm upload 1'] },
  ),
  // Create both workflows and both documents first, to catch servers that execute only the first or the latest.
  'execute workflow 1': step(
    (sender) => executeFor(sender, workflow(sender.evidence, 1), documentIdentifiers(sender.evidence, 1)),
    { needs: ['read workflow 1', 'confirm upload 1'], soft: ['read workflow 2', 'confirm upload 2'] },
  ),
  'read workflow 1 executed': step(
    (sender) => {
      execution(sender.evidence, 1)
      return readWorkflow(sender, 1)
    },
    { needs: ['execute workflow 1'] },
  ),
  'settle workflow 1': step(
    async (sender) => {
      const { evidence } = sender
      if (!isSettled(evidence, 1, evidence.last('read workflow 1 executed'))) await settle(sender, 1)
    },
    { needs: ['read workflow 1 executed'] },
  ),
  'read workflow 2 beside': step(
    (sender) => {
      execution(sender.evidence, 1)
      return readWorkflow(sender, 2)
    },
    { needs: ['read workflow 2', 'read workflow 1 executed'] },
  ),
  'execute workflow 2 without key': stepWithoutKey(
    ({ target, samples, evidence }) => {
      const { id } = workflow(evidence, 2)
      const body = samples.execution(String(secondCandidates(evidence)[0]?.value))
      return (open) => target.executeWorkflow(id.value, body, open)
    },
    { needs: ['execute workflow 1', 'read workflow 2 beside', 'confirm upload 2'] },
  ),
  'execute workflow 2': step(
    async (sender) => {
      const { evidence } = sender
      if (executedEarly(evidence)) return
      await executeFor(sender, workflow(evidence, 2), secondCandidates(evidence))
    },
    { needs: ['execute workflow 2 without key'] },
  ),
  'settle workflow 2': step((sender) => settle(sender, 2), { needs: ['execute workflow 2'] }),
  'read workflow 1 afterwards': step(
    (sender) => {
      const { evidence } = sender
      execution(evidence, 2)
      const { settling } = unlessInVain(
        sender,
        () => evidence.has('settle workflow 1') && evidence.accepted('settle workflow 1'),
      )
      return settling.until(
        () => readWorkflow(sender, 1),
        (details) => mayHaveSucceeded(evidence, details),
      )
    },
    { needs: ['execute workflow 2'], soft: ['settle workflow 1'] },
  ),
} as const

/** Steps that wait for what an execution changes. No other step needs them. */
export const waitingSteps: readonly StepName[] = [
  'settle workflow 1',
  'settle workflow 2',
  'read workflow 1 afterwards',
]

/** Returns the candidates for document 2's identifier, first the one at the place of document 1's identifier. */
function secondCandidates(evidence: Sender['evidence']) {
  const { place } = execution(evidence, 1)
  const candidates = documentIdentifiers(evidence, 2)
  return [...candidates].sort((a, b) => Number(b.pointer === place) - Number(a.pointer === place))
}

/** Confirms a spare upload after a wait, and again if refused, to find out whether document 1 needed time or a second call. */
async function confirmSpare(sender: Sender, waitedMs: number): Promise<void> {
  const { target, evidence } = sender
  const spare = await requestSpare(sender, aboutSpare.request)
  keyOf(evidence, spare)
  await target.about(aboutSpare.put).putObject(spare.uploadUrl, spare.sent.content_type, spare.bytes)
  await target.transport.sleep(2 * waitedMs)
  const body = confirmationOf(evidence, spare)
  const first = await target.about(aboutSpare.first).confirmUpload(body)
  if (!succeeded(first)) await target.about(aboutSpare.second).confirmUpload(body)
}
