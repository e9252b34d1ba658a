/** The steps beside the flow: valid calls with special values, and calls that should be refused. */
import {
  confirmationOf,
  confirmed,
  namedAt,
  putOf,
  type SentUpload,
  unknownSession,
  uploadOf,
} from '../evidence/documents.ts'
import { mayHaveSucceeded, resultIfSucceeded, sentBody, wasCarriedOut } from '../evidence/evidence.ts'
import {
  areAllOver,
  executedDetails,
  execution,
  executionShownIn,
  isAnyOver,
  isOver,
  isShownAsOver,
  knownDocument,
  listOfExecutions,
  oddDocument,
  type SentExecution,
  showsEnded,
  wasKnownLate,
} from '../evidence/executions.ts'
import {
  overlappingExecutions,
  type SideExecution,
  showsSideExecution,
  sideExecution,
  tellsStepsApart,
} from '../evidence/side-executions.ts'
import { madeWorkflow, sideWorkflow, workflow } from '../evidence/workflows.ts'
import { stuckCount, totalsStand } from '../reading/contradictions/counts.ts'
import { isStale } from '../reading/counts.ts'
import { identifierCandidates, identifiersInLinks, unwrapTagged, valueAt } from '../reading/locate.ts'
import { changedPlaces, hasMoved } from '../reading/movement.ts'
import { findPart } from '../reading/parts.ts'
import { stepListsIn } from '../reading/places.ts'
import { isNamed } from '../reading/vocabulary.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import type { FlowStep, StepName } from '../wire/label.ts'
import { mainSteps, waitingSteps } from './main-steps.ts'
import { confirmUntilKnown, executeFor, putUntilReady, readCreated, unlessInVain } from './sending.ts'
import { type RunStep, type Sender, sendRefusable, step } from './step.ts'

/** The flow comes first, so that these steps cannot affect it. They use the time of its waits. */
const after = (Object.keys(mainSteps) as StepName[]).filter((name) => !waitingSteps.includes(name))
const needsBoth: StepName[] = ['read workflow 1', 'read workflow 2']

/** Returns a step that creates a changed workflow. */
function create(change: (sender: Sender) => object): RunStep {
  return step(({ target, samples, ...rest }) => target.createWorkflow(change({ target, samples, ...rest })), {
    needs: ['create workflow 1'],
    after,
  })
}

/** Returns a step that reads a created workflow. It does not wait if those of the flow could not be read in time. */
function read(created: FlowStep): RunStep {
  return step(
    (sender) => {
      const patient = unlessInVain(sender, (evidence) => [workflow(evidence, 1), workflow(evidence, 2)])
      return readCreated(patient, sender.evidence.accepted(created))
    },
    { needs: [created], soft: needsBoth },
  )
}

/**
 * Returns a step that executes a workflow beside the flow: after it, so that no figure changes that the flow observes. Executes it
 * for a document of its own, since a deployment may accept each only once; or else for document 1.
 */
function executeAgain(which: SideExecution, kind: keyof typeof oddNames): RunStep {
  return step(
    async (sender) => {
      const { samples, evidence, settling } = sender
      const { id } = sideWorkflow(evidence, `create ${which}`, `read ${which}`)
      const documents = [...oddDocument(evidence, kind), knownDocument(evidence)]
      await executeFor({ ...sender, settling: settling.once }, String(id.value), documents, (documentId) =>
        samples.execution(documentId),
      )
    },
    {
      needs: [`read ${which}`, 'execute workflow 1'],
      soft: [`confirm upload ${kind}`],
      after: Object.keys(mainSteps) as StepName[],
    },
  )
}

/** Returns a step that reads the details of such a workflow until they show the execution. */
function readAgain(which: SideExecution): RunStep {
  return step(
    async (sender) => {
      const { target, evidence } = sender
      const { made } = sideExecution(evidence, which)
      // If the executions of the flow were waited for in vain, so would be this one.
      const afterwards = evidence.soFar('read workflow 1 afterwards').at(-1)
      const areShown =
        (!afterwards || succeeded(afterwards)) &&
        resultIfSucceeded(() => ([1, 2] as const).every((one) => executedDetails(evidence, one).shown !== 'no'))
      const settling = areShown ? sender.settling : sender.settling.once
      const read = () => target.getWorkflow(String(made.id.value))
      await settling.until(read, (details) => showsSideExecution(evidence, which, details), 1.3)
    },
    { needs: [`execute ${which}`], soft: ['settle workflow 1', 'settle workflow 2'] },
  )
}

/** Characters that fill a name up to its limit: plain ASCII, two bytes in UTF-8, and reserved in markup and URLs. */
const fillers = { plain: 'x', accented: 'é', reserved: '&' } as const

function createNamed(filler: keyof typeof fillers): RunStep {
  return step(
    ({ target, samples }) => {
      const name = samples.nameOf(100, fillers[filler])
      return target.createWorkflow(samples.workflow({ name }))
    },
    { needs: needsBoth, after },
  )
}

function createTooLong(filler: keyof typeof fillers): RunStep {
  return step(
    async ({ target, samples, evidence }) => {
      if (!wasCarriedOut(evidence, evidence.last(`create with 100 ${filler}`))) return
      const name = samples.nameOf(101, fillers[filler])
      await sendRefusable(() => target.createWorkflow(samples.workflow({ name })))
    },
    { needs: [`create with 100 ${filler}`] },
  )
}

/** Returns a step that creates a short name with the filler, to find out whether the length is the reason for a refusal. */
function createShort(filler: 'accented' | 'reserved'): RunStep {
  return step(
    async ({ target, samples, evidence }) => {
      if (wasCarriedOut(evidence, evidence.last(`create with 100 ${filler}`))) return
      await target.createWorkflow(samples.workflow({ name: `${samples.name()} ${fillers[filler]}` }))
    },
    { needs: [`create with 100 ${filler}`] },
  )
}

/** Ends of file names that a service may be tempted to normalize. No service has to accept them. The second is plain ASCII. */
const oddNames = { accented: ' Größe.PDF', bracketed: ' (v1.2+3) [final].pdf' } as const

function requestOdd(kind: keyof typeof oddNames): RunStep {
  return step(
    ({ target, samples }) =>
      target.requestUpload(samples.upload(samples.pdf(3).byteLength, samples.name() + oddNames[kind])),
    { needs: ['request upload 1'], after },
  )
}

/**
 * Returns a step that requests an upload with the file name of an earlier one, but not with the size of upload 2. If that is refused, it uses
 * a new name. `keyOf` returns the key to send, or undefined to send nothing. @default the key of the run
 */
function requestAgain(
  which: 1 | 2,
  order: Parameters<typeof step>[1],
  keyOf: (sender: Sender) => string | undefined = ({ target }) => target.auth.Authorization,
): RunStep {
  return step(async (sender) => {
    const { target, samples, evidence } = sender
    const key = keyOf(sender)
    if (key === undefined) return
    const earlier = resultIfSucceeded(() => evidence.accepted(`request upload ${which}`))
    const name = earlier && sentBody<SentUpload>(earlier).file_name
    const request = (fileName?: string) =>
      target.requestUpload(samples.upload(samples.pdf(1).byteLength, fileName), { headers: { Authorization: key } })
    const answer = await request(name)
    if (name !== undefined && isRefused(evidence, answer)) await request()
  }, order)
}

/** Returns true if an answer refuses what was sent, with any status, rather than the key or at this moment. */
function isRefused(evidence: Sender['evidence'], answer: Exchange): boolean {
  const { status } = answer
  if (succeeded(answer)) return !mayHaveSucceeded(evidence, answer)
  return status >= 400 && status < 500 && status !== 401 && status !== 429
}

function putOdd(kind: keyof typeof oddNames): RunStep {
  const requested = `request upload ${kind}` as const
  return step(async (sender) => putUntilReady(sender, uploadOf(sender.evidence, requested), sender.samples.pdf(3)), {
    needs: [requested, 'put object 1'],
  })
}

/** Requests an upload of no bytes, which are hardly ever damaged: a place that shows their digest shows digests. */
const requestEmpty = step(({ target, samples }) => target.requestUpload(samples.upload(0)), {
  needs: ['put object 1'],
  soft: ['put object 2', 'confirm upload 1', 'confirm upload 2'],
  after,
})

const putEmpty = step(
  async ({ target, evidence }) => {
    if (!evidence.has('request upload empty')) return
    const { uploadUrl, sent } = uploadOf(evidence, 'request upload empty')
    await target.putObject(uploadUrl, sent.content_type, new Uint8Array())
  },
  { needs: ['request upload empty'] },
)

const confirmEmpty = step(
  async ({ target, evidence }) => {
    if (!evidence.has('put object empty')) return
    await target.confirmUpload(confirmationOf(evidence, uploadOf(evidence, 'request upload empty')))
  },
  { needs: ['put object empty'] },
)

/** Puts a file to an address whose longest query parameter, which may be its signature, is changed, or removed for undefined. */
function putForged(change: (signature: string) => string | undefined): RunStep {
  return step(
    async ({ target, samples, evidence }) => {
      const { uploadUrl, sent } = uploadOf(evidence, 'request upload 3')
      const url = new URL(uploadUrl)
      const [longest] = [...url.searchParams].sort(([, a], [, b]) => b.length - a.length)
      if (!longest || longest[1].length < 16) return
      const [name, value] = longest
      const changed = change(value)
      if (changed === undefined) url.searchParams.delete(name)
      else url.searchParams.set(name, changed)
      await target.about(name).putObject(url.href, sent.content_type, samples.pdf(1))
    },
    { needs: ['request upload 3'] },
  )
}

/** Kinds of files of another media type than all others. No service has to accept them. */
type OtherType = 'text' | 'image'

function putOther(kind: OtherType): RunStep {
  const requested = `request upload ${kind}` as const
  return step(async (sender) => putUntilReady(sender, uploadOf(sender.evidence, requested), sender.samples[kind]), {
    needs: [requested, 'put object 1'],
  })
}

function confirmOdd(kind: keyof typeof oddNames | OtherType): RunStep {
  return step(
    async (sender) => {
      putOf(sender.evidence, `put object ${kind}`)
      const upload = uploadOf(sender.evidence, `request upload ${kind}`)
      await confirmUntilKnown(
        unlessInVain(sender, (evidence) => confirmed(evidence, 1)),
        upload,
      )
    },
    { needs: [`put object ${kind}`, 'confirm upload 1'] },
  )
}

const stepsBeside = {
  'create twin 1': create(({ samples }) => samples.workflow()),
  'create twin 2': create(({ samples }) => samples.workflow()),
  'read twin 1': read('create twin 1'),
  'read twin 2': read('create twin 2'),
  'create by default': create(({ samples }) => {
    const { isSequential, ...body } = samples.workflow()
    return body
  }),
  'read by default': read('create by default'),
  'create with 100 plain': createNamed('plain'),
  'read with 100 plain': read('create with 100 plain'),
  'create with 101 plain': createTooLong('plain'),
  'create with 100 accented': createNamed('accented'),
  'create with few accented': createShort('accented'),
  'read with 100 accented': read('create with 100 accented'),
  'create with 101 accented': createTooLong('accented'),
  'create with 100 reserved': createNamed('reserved'),
  'create with few reserved': createShort('reserved'),
  'read with 100 reserved': read('create with 100 reserved'),
  'create with 101 reserved': createTooLong('reserved'),
  'create accented': create(({ samples }) => samples.workflow({ name: `${samples.name()} Prüfung` })),
  'read accented': read('create accented'),
  // Send ten steps in another sequence than their orders, to tell a stored order from a position in the list, and numeric order from
  // that of texts. Long durations and descriptions, odd texts, and capitals and underscores in identifiers, detect servers that change
  // them. No service has to accept these, so each refusal is followed by a plainer form.
  'create shuffled': step(
    async ({ target, samples, evidence }) => {
      const plain = samples.workflow()
      const odd = samples.withOddTexts(samples.withTenSteps(plain))
      const long = samples.withLongDurations(odd)
      const underscored = (id: string) => id.replaceAll('-', '_')
      const forms: readonly (readonly [typeof plain, (id: string) => string])[] = [
        [samples.withLongDescription(long), (id) => underscored(id).replace(/^./, (first) => first.toUpperCase())],
        [long, (id) => underscored(id).replace(/^./, (first) => first.toUpperCase())],
        [odd, (id) => underscored(id).replace(/^./, (first) => first.toUpperCase())],
        [odd, underscored],
        [odd, (id) => id],
        [plain, (id) => id],
      ]
      for (const [texts, spelled] of forms) {
        const { steps, ...rest } = samples.withNamesake(texts)
        const named = steps.map((one) => ({ ...one, step_id: spelled(one.step_id) }))
        const answer = await target.createWorkflow({ ...rest, steps: [...named.slice(1), ...named.slice(0, 1)] })
        if (!isRefused(evidence, answer) && answer.status < 500) return
      }
    },
    { needs: ['create workflow 1'], after },
  ),
  'read shuffled': read('create shuffled'),
  'execute shuffled': executeAgain('shuffled', 'accented'),
  'read shuffled executed': readAgain('shuffled'),
  'execute by default': executeAgain('by default', 'bracketed'),
  'read by default executed': readAgain('by default'),
  // A second execution while the first one is under way, to detect services that confuse them, or forget to start one of them.
  'execute by default again': step(
    async (sender) => {
      const { samples, evidence, settling } = sender
      const { made, executed } = sideExecution(evidence, 'by default')
      const { document_id: used } = sentBody<SentExecution>(executed)
      const documents = [...oddDocument(evidence, 'accented'), knownDocument(evidence)]
      const others = documents.filter(({ value }) => String(value) !== used).slice(0, 1)
      await executeFor({ ...sender, settling: settling.once }, String(made.id.value), others, (documentId) =>
        samples.execution(documentId),
      )
    },
    { needs: ['read by default executed'], soft: ['confirm upload accented'] },
  ),
  'read workflow 2 afterwards': step(
    async ({ target, evidence, settling }) => {
      const made = workflow(evidence, 2)
      const read = () => target.getWorkflow(String(made.id.value))
      // Some of the steps may begin a little later than others.
      const isEven = ({ json }: Exchange) => !tellsStepsApart(json, made)
      const { after } = executedDetails(evidence, 2)
      if (isEven(after) || !isEven(made.details)) return
      await settling.since('execute workflow 2').until(read, isEven, 1.3)
    },
    { needs: ['execute workflow 2'], soft: ['settle workflow 2', 'read shuffled executed'] },
  ),

  'request upload accented': requestOdd('accented'),
  'put object accented': putOdd('accented'),
  'confirm upload accented': confirmOdd('accented'),
  'request upload bracketed': requestOdd('bracketed'),
  'put object bracketed': putOdd('bracketed'),
  'confirm upload bracketed': confirmOdd('bracketed'),

  // A parameter detects storage that compares only a part of the media type, and a plus sign services that encode it twice. The first
  // media type is as long as that of a Word file, for services that cut it. The extension of another type detects services that sign
  // the URL for the type that the name suggests. No service has to accept these.
  'request upload text': step(
    async ({ target, samples, evidence }) => {
      const uploads = [
        samples.textUpload('text/vnd.conformance.spreadsheetml.comma-separated-values+csv; charset=utf-8', 'txt'),
        samples.textUpload('text/vnd.conformance+csv; charset=utf-8', 'txt'),
        samples.textUpload('text/csv; charset=utf-8', 'txt'),
        samples.textUpload('text/csv', 'csv'),
      ]
      for (const upload of uploads) if (!isRefused(evidence, await target.requestUpload(upload))) return
    },
    { needs: ['request upload 1'], after },
  ),
  'put object text': putOther('text'),
  'confirm upload text': confirmOdd('text'),
  'request upload image': step(({ target, samples }) => target.requestUpload(samples.imageUpload()), {
    needs: ['request upload 1'],
    after,
  }),
  'put object image': putOther('image'),
  'confirm upload image': confirmOdd('image'),

  'request upload empty': requestEmpty,
  'put object empty': putEmpty,
  'confirm upload empty': confirmEmpty,

  // Repeat the name of an earlier file, to detect servers that tell files of one name apart by changed names or identifiers.
  'request upload 3': requestAgain(2, { needs: ['request upload 1'], soft: ['request upload 2'], after }),
  'put object with changed signature': putForged((value) => `${value.startsWith('a') ? 'b' : 'a'}${value.slice(1)}`),
  'put object without signature': putForged(() => undefined),

  'create without key': step(
    async ({ target, samples }) => {
      const body = samples.workflow()
      await sendRefusable(() => target.createWorkflow(body, { headers: {} }))
    },
    { needs: ['create workflow 1'], after },
  ),
  'read what was created without key': step(
    async ({ target, evidence }) => {
      const answer = evidence.last('create without key')
      if (!succeeded(answer)) return
      const { headers, json } = answer
      const named = [...identifiersInLinks(headers, json, 'workflows'), ...identifierCandidates(json, 'workflow')]
      for (const { pointer, value } of named.slice(0, 2)) await target.about(pointer).getWorkflow(String(value))
    },
    { needs: ['create without key'] },
  ),
  'read without key': step(
    async ({ target, evidence }) => {
      const { id } = workflow(evidence, 2)
      await sendRefusable(() => target.getWorkflow(String(id.value), { headers: {} }))
    },
    { needs: ['read workflow 2'], after },
  ),
  'request upload without key': step(
    async ({ target, samples }) => {
      const body: SentUpload = samples.upload(1)
      await sendRefusable(() => target.requestUpload(body, { headers: {} }))
    },
    { needs: ['request upload 1'], after },
  ),

  // A document that was not known at first may be the reason for the refusal of the first execution without the key.
  'execute again without key': step(
    async ({ target, samples, evidence }) => {
      const { id } = madeWorkflow(evidence, 'create twin 2', 'read twin 2')
      if (!wasKnownLate(evidence)) return
      const body = samples.execution(execution(evidence, 2).documentId)
      await sendRefusable(() => target.executeWorkflow(String(id.value), body, { headers: {} }))
    },
    { needs: ['read twin 2', 'execute workflow 2'], after: Object.keys(mainSteps) as StepName[] },
  ),

  'delete workflows': step(
    ({ target }) =>
      target.send(new Request(`${target.url}/api/v1/workflows`, { method: 'DELETE', headers: target.auth })),
    { after },
  ),
  'create as second tenant': step(
    async ({ target, samples }) => {
      const { secondKey } = target
      if (secondKey) await target.createWorkflow(samples.workflow(), { headers: { Authorization: secondKey } })
    },
    { needs: ['create workflow 1'], after },
  ),
  'read as second tenant': step(
    async ({ target, evidence }) => {
      const { secondKey } = target
      if (!secondKey || !wasCarriedOut(evidence, evidence.last('create as second tenant'))) return
      const { id } = workflow(evidence, 1)
      await target.getWorkflow(String(id.value), { headers: { Authorization: secondKey } })
    },
    { needs: ['create as second tenant', 'read workflow 1'] },
  ),
  // Repeat the name of the first tenant's file, to detect servers that choose the prefix by it.
  'request upload as second tenant': requestAgain(
    1,
    { needs: ['request upload 1'], after },
    ({ target }) => target.secondKey,
  ),
  'put object as second tenant': step(
    async (sender) => {
      if (!sender.target.secondKey) return
      await putUntilReady(sender, uploadOf(sender.evidence, 'request upload as second tenant'), sender.samples.pdf(1))
    },
    { needs: ['request upload as second tenant'] },
  ),
  'confirm upload as second tenant': step(
    async ({ target, evidence }) => {
      const { secondKey } = target
      if (!secondKey) return
      putOf(evidence, 'put object as second tenant')
      const body = confirmationOf(evidence, uploadOf(evidence, 'request upload as second tenant'))
      await target.confirmUpload(body, { headers: { Authorization: secondKey } })
    },
    { needs: ['put object as second tenant'] },
  ),
  // No other step executes this workflow, so no observed figure changes.
  'execute as second tenant': step(
    async ({ target, samples, evidence }) => {
      const { secondKey } = target
      if (!secondKey || !wasCarriedOut(evidence, evidence.last('create as second tenant'))) return
      const { id } = madeWorkflow(evidence, 'create twin 1', 'read twin 1')
      const { documentId, place } = execution(evidence, 1)
      const confirmation = resultIfSucceeded(() => evidence.accepted('confirm upload as second tenant'))
      const own = confirmation && namedAt(place, confirmation, evidence.last('request upload as second tenant'))
      for (const [about, document] of Object.entries({
        'its own document': own,
        'a document of another': documentId,
      })) {
        if (document === undefined) continue
        const options = { headers: { Authorization: secondKey } }
        await target.about(about).executeWorkflow(String(id.value), samples.execution(String(document)), options)
      }
    },
    {
      needs: ['create as second tenant', 'read twin 1', 'execute workflow 1'],
      soft: ['confirm upload as second tenant'],
    },
  ),
  'put object 3': step(
    async (sender) => {
      if (!sender.target.secondKey) return
      await putUntilReady(sender, uploadOf(sender.evidence, 'request upload 3'), sender.samples.pdf(1))
    },
    { needs: ['request upload 3'], after: ['put object with changed signature', 'put object without signature'] },
  ),
  'confirm upload 3 as second tenant': step(
    async ({ target, evidence }) => {
      const { secondKey } = target
      if (!secondKey || !wasCarriedOut(evidence, evidence.last('create as second tenant'))) return
      putOf(evidence, 'put object 3')
      const body = confirmationOf(evidence, uploadOf(evidence, 'request upload 3'))
      const headers = { Authorization: secondKey }
      await target.confirmUpload(body, { headers })
      if (!succeeded(evidence.last('confirm upload 3 as second tenant'))) return
      // If any session is confirmed, that of another tenant is no exception.
      const unknown = { ...body, session_id: crypto.randomUUID() }
      await target.about(unknownSession).confirmUpload(unknown, { headers })
    },
    { needs: ['create as second tenant', 'put object 3', 'confirm upload 1'] },
  ),
} as const

const allOthers = [...(Object.keys(mainSteps) as StepName[]), ...(Object.keys(stepsBeside) as StepName[])]

/** Returns false if details show that there is no success rate yet. */
const hasRate = ({ json }: Exchange) => {
  const place = findPart(json, 'success_rate')
  const rate = place === undefined ? undefined : unwrapTagged(valueAt(json, place))
  return rate !== null && !(typeof rate === 'string' && isNamed(rate, 'empty'))
}

/** Approvers who have decided nothing within this many milliseconds are taken to be people, for whom no run waits. */
const firstDecisionMs = 2000

/**
 * Reads a workflow for the last time. If its execution has moved since it was first shown, reads on until it has ended or stops moving.
 * Then waits a short time for a success rate.
 */
async function readAtLast({ target, evidence, settling, isOverInFirst }: Sender, which: 1 | 2): Promise<void> {
  const read = () => target.getWorkflow(String(workflow(evidence, which).id.value))
  const shown = resultIfSucceeded(() => executedDetails(evidence, which).after)
  const differ = movementIn(evidence)
  // The execution of workflow 2 may have changed figures of workflow 1.
  const afterwards = which === 1 ? evidence.soFar('read workflow 1 afterwards').at(-1) : undefined
  const before = shown && (afterwards ?? shown)
  const isOpen = (answer: Exchange) => before === undefined || !differ(before, answer)
  const isEnd = (answer: Exchange) => hasRate(answer) && isOver(evidence, which, answer)
  // Later attempts wait for an end that the first one has seen, or may still see.
  const sawEnd = () => {
    const seen = evidence.answers.findLast(
      ({ label }) => label?.attempt === 1 && label.step === `read workflow ${which} at last`,
    )
    return seen !== undefined && shown !== undefined && (areAllOver(seen) || (hasRate(seen) && !hasRate(shown)))
  }
  const isInVain = (answer: Exchange) => (evidence.attempt > 1 ? isOverInFirst() && !sawEnd() : isOpen(answer))
  const isDone = (answer: Exchange) => isInVain(answer) || isEnd(answer)
  const early =
    evidence.attempt === 1
      ? await settling.atMostSince('execute workflow 1', firstDecisionMs).until(read, (one) => !isOpen(one), 1.6)
      : undefined
  const details =
    early && isDone(early)
      ? early
      : await settling.since(`execute workflow ${which}`).whileMoving(read, differ, isDone, 1.6)
  if (!hasRate(details) && showsEnded(evidence, which, details)) await settling.briefly.until(read, hasRate, 4)
}

/** Returns a function that tells whether anything has moved between two reads. Ignores what changes without an execution, too. */
function movementIn(evidence: Sender['evidence']): (earlier: Exchange, later: Exchange) => boolean {
  const [before, beside] = (['read workflow 2', 'read workflow 2 beside'] as const).map((step) =>
    evidence.answers.findLast(({ label }) => label?.attempt === 1 && label.step === step),
  )
  const volatile = before && beside ? changedPlaces(before.json, beside.json) : []
  return (earlier, later) => hasMoved(earlier.json, later.json, volatile)
}

/** Returns true if the first attempt saw an execution progress, unless it has waited for an end in vain. */
function goesOn({ answers }: Sender['evidence'], differ: ReturnType<typeof movementIn>): boolean {
  const all = (step: StepName) => answers.filter(({ label }) => label?.attempt === 1 && label.step === step)
  const last = (step: StepName) => all(step).at(-1)
  const isStill = (step: StepName) => {
    const [earlier, later] = all(step).slice(-2)
    return earlier !== undefined && later !== undefined && !differ(earlier, later)
  }
  if (isStill('read workflow 1 at last') || isStill('read shuffled at last')) return false
  const pairs = [
    ['read workflow 1 executed', 'read workflow 1 at last'],
    ['read shuffled executed', 'read shuffled at last'],
  ] as const
  return pairs.some(([before, after]) => {
    const [earlier, later] = [last(before), last(after)]
    return earlier !== undefined && later !== undefined && differ(earlier, later)
  })
}

/** Returns true if a workflow was created whose approvers have a plus sign in their addresses. */
function acceptsPlus(evidence: Sender['evidence']): boolean {
  const created = resultIfSucceeded(() => evidence.accepted('create shuffled'))
  const { steps } = created ? sentBody<ReturnType<Sender['samples']['workflow']>>(created) : { steps: [] }
  return steps.some(({ approvers }) => approvers.some(({ email }) => email.includes('+')))
}

/** All steps beside the flow. */
export const sideSteps = {
  ...stepsBeside,
  // As late as possible, since some figures appear only when an execution has ended.
  'read workflow 2 at last': step((sender) => readAtLast(sender, 2), {
    needs: ['execute workflow 2'],
    soft: ['settle workflow 2'],
    after: allOthers,
  }),
  'read workflow 1 at last': step((sender) => readAtLast(sender, 1), {
    needs: ['execute workflow 1'],
    soft: ['settle workflow 1', 'read workflow 2 at last'],
    after: allOthers,
  }),
  // If approvers decide within seconds, two decisions show the order of the steps.
  'read shuffled at last': step(
    async ({ target, evidence, settling }) => {
      const { made } = sideExecution(evidence, 'shuffled')
      const read = () => target.getWorkflow(String(made.id.value))
      const differ = movementIn(evidence)
      if (goesOn(evidence, differ)) await settling.since('execute shuffled').whileMoving(read, differ, areAllOver)
      else await read()
    },
    { needs: ['read shuffled executed'], soft: ['read workflow 1 at last'], after: allOthers },
  ),
  'read by default again': step(
    async ({ target, evidence, settling }) => {
      const { made } = sideExecution(evidence, 'by default')
      if (!wasCarriedOut(evidence, evidence.last('execute by default again'))) return
      const read = () => target.getWorkflow(String(made.id.value))
      // It may wait for the end of the first one, which no run waits for, unless the first attempt has seen that.
      const seen = evidence.answers.findLast(
        ({ label }) => label?.attempt === 1 && label.step === 'read by default again',
      )
      const waitsForEnd = evidence.attempt > 1 && seen !== undefined && isAnyOver(seen)
      const isOpen = () => {
        const both = resultIfSucceeded(() => overlappingExecutions(evidence))
        const isIdle = both?.second.some(({ value }) => stepListsIn(value, made.sent.steps).length > 0)
        const hasBegun = both?.second.some(({ value }) => tellsStepsApart(value, made))
        return both !== undefined && isIdle && !hasBegun && (waitsForEnd || isShownAsOver(both.first))
      }
      await settling.since('execute by default again').until(read, () => !isOpen())
    },
    { needs: ['execute by default again'], soft: ['read workflow 1 at last'] },
  ),
  // A second execution of one workflow, to detect figures that describe only the latest. A deployment may refuse to run a document twice.
  'execute workflow 1 again': step(
    async (sender) => {
      const { samples, evidence, settling } = sender
      const { id } = workflow(evidence, 1)
      const [document = knownDocument(evidence)] = oddDocument(evidence, 'accented')
      // No service has to accept a plus sign in an address.
      const separator = acceptsPlus(evidence) ? '+' : '.'
      await executeFor({ ...sender, settling: settling.once }, String(id.value), [document], (documentId) =>
        samples.execution(documentId, separator),
      )
    },
    { needs: ['read workflow 1 at last'], soft: ['confirm upload accented', 'create shuffled'] },
  ),
  'read workflow 1 again': step(
    async ({ target, evidence, ...sender }) => {
      const executed = evidence.last('execute workflow 1 again')
      if (!wasCarriedOut(evidence, executed)) return
      const [begun, before] = (['read workflow 1 executed', 'read workflow 1 at last'] as const).map((step) =>
        evidence.accepted(step),
      )
      const { document_id: documentId } = sentBody<SentExecution>(executed)
      const read = () => target.getWorkflow(String(workflow(evidence, 1).id.value))
      const isCounted = ({ json }: Exchange) =>
        !isStale(before?.json, json) && stuckCount(begun?.json, before?.json, json) === undefined
      const isShown = (after: Exchange) =>
        !before || executionShownIn({ details: before }, { exchange: executed, documentId }, after) !== 'no'
      // Figures may be computed later than lists.
      const hasGrown = ({ json }: Exchange) => !before || !totalsStand(before.json, json)
      const settling = sender.settling.since('execute workflow 1 again')
      const details = await settling.until(read, isCounted)
      // Where an execution is shown or counted only once it has ended, this one may never be.
      const isWhole = (after: Exchange) => isShown(after) && hasGrown(after)
      const isOpen = resultIfSucceeded(() => listOfExecutions(evidence)) === undefined || isShown(details)
      // If the first was not shown within its time to settle, neither will this one be.
      const isInVain = resultIfSucceeded(() => executedDetails(evidence, 1))?.shown === 'no'
      const patience = settling.since('execute workflow 1 again')
      if (!isWhole(details) && !isInVain) await (isOpen ? patience.briefly : patience).until(read, isWhole)
      // Where executions end within seconds, figures of two that have ended show more.
      if (before && isOver(evidence, 1, before)) await patience.whileMoving(read, movementIn(evidence), areAllOver, 1.6)
    },
    { needs: ['execute workflow 1 again', 'read workflow 1 executed'] },
  ),
} as const
