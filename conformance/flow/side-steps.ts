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
import { countersBeside } from '../evidence/shown.ts'
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
import type { CallOptions, Target } from '../wire/target.ts'
import { mainSteps, waitingSteps } from './main-steps.ts'
import type { Samples } from './samples.ts'
import {
  confirmUntilKnown,
  executeFor,
  impatient,
  putUntilReady,
  readCreated,
  readWorkflow,
  unlessInVain,
} from './sending.ts'
import { type RunStep, type Sender, type StepOrder, sendRefusable, step, stepWithoutKey } from './step.ts'

const wholeFlow = Object.keys(mainSteps) as StepName[]
/** The flow comes first, so that these steps cannot affect it. They use the time of its waits. */
const after = wholeFlow.filter((name) => !waitingSteps.includes(name))
const needsBoth: StepName[] = ['read workflow 1', 'read workflow 2']

/** Returns a step that creates a changed workflow. */
function create(bodyOf: (samples: Samples) => Parameters<Target['createWorkflow']>[0]): RunStep {
  return step(({ target, samples }) => target.createWorkflow(bodyOf(samples)), { needs: ['create workflow 1'], after })
}

/** Returns a step that reads a created workflow. It does not wait if those of the flow could not be read in time. */
function read(created: FlowStep): RunStep {
  return step(
    (sender) => {
      const patient = unlessInVain(sender, (evidence) => [workflow(evidence, 1), workflow(evidence, 2)])
      return readCreated(patient, created)
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
    (sender) => {
      const { evidence } = sender
      const made = sideWorkflow(evidence, `create ${which}`, `read ${which}`)
      return executeFor(impatient(sender), made, [...oddDocument(evidence, kind), knownDocument(evidence)])
    },
    { needs: [`read ${which}`, 'execute workflow 1'], soft: [`confirm upload ${kind}`], after: wholeFlow },
  )
}

/** Returns a step that reads the details of such a workflow until they show the execution. */
function readAgain(which: SideExecution): RunStep {
  return step(
    (sender) => {
      const { target, evidence } = sender
      const { made } = sideExecution(evidence, which)
      // If the executions of the flow were waited for in vain, so would be this one.
      const afterwards = evidence.soFar('read workflow 1 afterwards').at(-1)
      const areShown =
        (!afterwards || succeeded(afterwards)) &&
        resultIfSucceeded(() => ([1, 2] as const).every((one) => executedDetails(evidence, one).shown !== 'no'))
      const { settling } = areShown ? sender : impatient(sender)
      const read = () => target.getWorkflow(made.id.value)
      return settling.until(read, (details) => showsSideExecution(evidence, which, details), 1.3)
    },
    { needs: [`execute ${which}`], soft: ['settle workflow 1', 'settle workflow 2'] },
  )
}

/** Characters that fill a name up to its limit: plain ASCII, two bytes in UTF-8, and reserved in markup and URLs. */
const fillers = { plain: 'x', accented: 'é', reserved: '&' } as const

/** Returns a step that creates a workflow with a name of 100 characters. */
function createNamed(filler: keyof typeof fillers): RunStep {
  return step(
    ({ target, samples }) => target.createWorkflow(samples.workflow({ name: samples.nameOf(100, fillers[filler]) })),
    { needs: needsBoth, after },
  )
}

/**
 * Returns a step that creates a longer name if one of 100 characters was accepted; otherwise, for a filler that no service has to accept,
 * a short one, to find out whether the length is the reason for the refusal.
 */
function createBeside(filler: keyof typeof fillers, kind: 'too long' | 'short'): RunStep {
  const before = `create with 100 ${filler}` as const
  return step(
    async ({ target, samples, evidence }) => {
      if (wasCarriedOut(evidence, evidence.last(before)) !== (kind === 'too long')) return
      const name = kind === 'short' ? `${samples.name()} ${fillers[filler]}` : samples.nameOf(101, fillers[filler])
      const send = () => target.createWorkflow(samples.workflow({ name }))
      await (kind === 'short' ? send() : sendRefusable(send))
    },
    { needs: [before] },
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

/** Sends each form of a call until one is not refused, with any status: the key may be refused too, or a call at this moment. */
async function sendForms<Form>(
  { evidence }: Sender,
  forms: readonly Form[],
  send: (form: Form) => Promise<Exchange>,
): Promise<void> {
  for (const form of forms) {
    const answer = await send(form)
    const { status } = answer
    if (succeeded(answer) ? mayHaveSucceeded(evidence, answer) : status < 400 || status === 401 || status === 429)
      return
  }
}

/** Requests an upload with the file name of an earlier one, but not with the size of upload 2; if that is refused, with a new name. */
function requestAgain(sender: Sender, which: 1 | 2, options?: CallOptions): Promise<void> {
  const { target, samples, evidence } = sender
  const earlier = resultIfSucceeded(() => evidence.accepted(`request upload ${which}`))
  const names = [...(earlier ? [sentBody<SentUpload>(earlier).file_name] : []), undefined]
  return sendForms(sender, names, (name) =>
    target.requestUpload(samples.upload(samples.pdf(1).byteLength, name), options),
  )
}

/** The documents beside the flow: with odd names, and of other media types than all others. No service has to accept them. */
type OddDocument = keyof typeof oddNames | 'text' | 'image'

/** Puts a file to the address that a step has requested. */
const put = (requested: FlowStep, fileOf: (samples: Samples) => Uint8Array<ArrayBuffer>) => (sender: Sender) =>
  putUntilReady(sender, uploadOf(sender.evidence, requested), fileOf(sender.samples))

function putOdd(kind: OddDocument): RunStep {
  const requested = `request upload ${kind}` as const
  const fileOf = (samples: Samples) => (kind === 'text' || kind === 'image' ? samples[kind] : samples.pdf(3))
  return step(put(requested, fileOf), { needs: [requested, 'put object 1'] })
}

function confirmOdd(kind: OddDocument): RunStep {
  return step(
    (sender) => {
      putOf(sender.evidence, `put object ${kind}`)
      const patient = unlessInVain(sender, (evidence) => confirmed(evidence, 1))
      return confirmUntilKnown(patient, uploadOf(sender.evidence, `request upload ${kind}`))
    },
    { needs: [`put object ${kind}`, 'confirm upload 1'] },
  )
}

/** Returns a step that sends something with the key of the second tenant, if there is one. */
function asSecond(send: (sender: Sender, options: CallOptions) => Promise<unknown>, order: StepOrder): RunStep {
  return step(async (sender) => {
    const { secondKey } = sender.target
    if (secondKey) await send(sender, { headers: { Authorization: secondKey } })
  }, order)
}

/** Does the same, if the second tenant could create a workflow. */
function asKnownSecond(...[send, order]: Parameters<typeof asSecond>): RunStep {
  return asSecond(async (sender, options) => {
    const { evidence } = sender
    if (wasCarriedOut(evidence, evidence.last('create as second tenant'))) await send(sender, options)
  }, order)
}

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

const stepsBeside = {
  'create twin 1': create((samples) => samples.workflow()),
  'create twin 2': create((samples) => samples.workflow()),
  'read twin 1': read('create twin 1'),
  'read twin 2': read('create twin 2'),
  'create by default': create((samples) => {
    const { isSequential, ...body } = samples.workflow()
    return body
  }),
  'read by default': read('create by default'),
  'create with 100 plain': createNamed('plain'),
  'read with 100 plain': read('create with 100 plain'),
  'create with 101 plain': createBeside('plain', 'too long'),
  'create with 100 accented': createNamed('accented'),
  'create with few accented': createBeside('accented', 'short'),
  'read with 100 accented': read('create with 100 accented'),
  'create with 101 accented': createBeside('accented', 'too long'),
  'create with 100 reserved': createNamed('reserved'),
  'create with few reserved': createBeside('reserved', 'short'),
  'read with 100 reserved': read('create with 100 reserved'),
  'create with 101 reserved': createBeside('reserved', 'too long'),
  'create accented': create((samples) => samples.workflow({ name: `${samples.name()} Prüfung` })),
  'read accented': read('create accented'),
  // Send ten steps in another sequence than their orders, to tell a stored order from a position in the list, and numeric order from
  // that of texts. Long durations and descriptions, odd texts, and capitals and underscores in identifiers, detect servers that change
  // them. No service has to accept these, so each refusal is followed by a plainer form.
  'create shuffled': step(
    (sender) => {
      const { target, samples } = sender
      const plain = samples.workflow()
      const odd = samples.withOddTexts(samples.withTenSteps(plain))
      const long = samples.withLongDurations(odd)
      const same = (id: string) => id
      const underscored = (id: string) => id.replaceAll('-', '_')
      const capital = (id: string) => underscored(id).replace(/^./, (first) => first.toUpperCase())
      const forms = [
        [samples.withLongDescription(long), capital],
        [long, capital],
        [odd, capital],
        [odd, underscored],
        [odd, same],
        [plain, same],
      ] as const
      return sendForms(sender, forms, ([texts, spelled]) => {
        const { steps, ...rest } = samples.withNamesake(texts)
        const named = steps.map((one) => ({ ...one, step_id: spelled(one.step_id) }))
        return target.createWorkflow({ ...rest, steps: [...named.slice(1), ...named.slice(0, 1)] })
      })
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
    (sender) => {
      const { evidence } = sender
      const { made, executed } = sideExecution(evidence, 'by default')
      const { document_id: used } = sentBody<SentExecution>(executed)
      const documents = [...oddDocument(evidence, 'accented'), knownDocument(evidence)]
      const others = documents.filter(({ value }) => String(value) !== used).slice(0, 1)
      return executeFor(impatient(sender), made, others)
    },
    { needs: ['read by default executed'], soft: ['confirm upload accented'] },
  ),
  'read workflow 2 afterwards': step(
    async (sender) => {
      const { evidence, settling } = sender
      const made = workflow(evidence, 2)
      // Some of the steps may begin a little later than others.
      const isEven = ({ json }: Exchange) => !tellsStepsApart(json, made)
      const { after } = executedDetails(evidence, 2)
      if (isEven(after) || !isEven(made.details)) return
      await settling.since('execute workflow 2').until(() => readWorkflow(sender, 2), isEven, 1.3)
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
    (sender) => {
      const { target, samples } = sender
      const forms = [
        ['text/vnd.conformance.spreadsheetml.comma-separated-values+csv; charset=utf-8', 'txt'],
        ['text/vnd.conformance+csv; charset=utf-8', 'txt'],
        ['text/csv; charset=utf-8', 'txt'],
        ['text/csv', 'csv'],
      ] as const
      return sendForms(sender, forms, ([type, extension]) =>
        target.requestUpload(samples.fileUpload('text', type, extension)),
      )
    },
    { needs: ['request upload 1'], after },
  ),
  'put object text': putOdd('text'),
  'confirm upload text': confirmOdd('text'),
  'request upload image': step(
    ({ target, samples }) => target.requestUpload(samples.fileUpload('image', 'image/png', 'png')),
    {
      needs: ['request upload 1'],
      after,
    },
  ),
  'put object image': putOdd('image'),
  'confirm upload image': confirmOdd('image'),

  // No bytes are hardly ever damaged: a place that shows their digest shows digests.
  'request upload empty': step(({ target, samples }) => target.requestUpload(samples.upload(0)), {
    needs: ['put object 1'],
    soft: ['put object 2', 'confirm upload 1', 'confirm upload 2'],
    after,
  }),
  'put object empty': step(
    async ({ target, evidence }) => {
      if (!evidence.has('request upload empty')) return
      const { uploadUrl, sent } = uploadOf(evidence, 'request upload empty')
      await target.putObject(uploadUrl, sent.content_type, new Uint8Array())
    },
    { needs: ['request upload empty'] },
  ),
  'confirm upload empty': step(
    async ({ target, evidence }) => {
      if (!evidence.has('put object empty')) return
      await target.confirmUpload(confirmationOf(evidence, uploadOf(evidence, 'request upload empty')))
    },
    { needs: ['put object empty'] },
  ),

  // Repeat the name of an earlier file, to detect servers that tell files of one name apart by changed names or identifiers.
  'request upload 3': step((sender) => requestAgain(sender, 2), {
    needs: ['request upload 1'],
    soft: ['request upload 2'],
    after,
  }),
  'put object with changed signature': putForged((value) => `${value.startsWith('a') ? 'b' : 'a'}${value.slice(1)}`),
  'put object without signature': putForged(() => undefined),

  'create without key': stepWithoutKey(
    ({ target, samples }) => {
      const body = samples.workflow()
      return (open) => target.createWorkflow(body, open)
    },
    { needs: ['create workflow 1'], after },
  ),
  'read what was created without key': step(
    async ({ target, evidence }) => {
      const answer = evidence.last('create without key')
      if (!succeeded(answer)) return
      const { headers, json } = answer
      const named = [...identifiersInLinks(headers, json, 'workflows'), ...identifierCandidates(json, 'workflow')]
      for (const { pointer, value } of named.slice(0, 2)) await target.about(pointer).getWorkflow(value)
    },
    { needs: ['create without key'] },
  ),
  'read without key': stepWithoutKey(
    ({ target, evidence }) => {
      const { id } = workflow(evidence, 2)
      return (open) => target.getWorkflow(id.value, open)
    },
    { needs: ['read workflow 2'], after },
  ),
  'request upload without key': stepWithoutKey(
    ({ target, samples }) => {
      const body = samples.upload(1)
      return (open) => target.requestUpload(body, open)
    },
    { needs: ['request upload 1'], after },
  ),

  // A document that was not known at first may be the reason for the refusal of the first execution without the key.
  'execute again without key': stepWithoutKey(
    ({ target, samples, evidence }) => {
      const { id } = madeWorkflow(evidence, 'create twin 2', 'read twin 2')
      if (!wasKnownLate(evidence)) return undefined
      const body = samples.execution(execution(evidence, 2).documentId)
      return (open) => target.executeWorkflow(id.value, body, open)
    },
    { needs: ['read twin 2', 'execute workflow 2'], after: wholeFlow },
  ),

  'delete workflows': step(
    ({ target }) =>
      target.send(new Request(`${target.url}/api/v1/workflows`, { method: 'DELETE', headers: target.auth })),
    { after },
  ),
  'create as second tenant': asSecond(
    ({ target, samples }, options) => target.createWorkflow(samples.workflow(), options),
    { needs: ['create workflow 1'], after },
  ),
  'read as second tenant': asKnownSecond(
    ({ target, evidence }, options) => target.getWorkflow(workflow(evidence, 1).id.value, options),
    { needs: ['create as second tenant', 'read workflow 1'] },
  ),
  // Repeat the name of the first tenant's file, to detect servers that choose the prefix by it.
  'request upload as second tenant': asSecond((sender, options) => requestAgain(sender, 1, options), {
    needs: ['request upload 1'],
    after,
  }),
  'put object as second tenant': asSecond(
    put('request upload as second tenant', (samples) => samples.pdf(1)),
    { needs: ['request upload as second tenant'] },
  ),
  'confirm upload as second tenant': asSecond(
    ({ target, evidence }, options) => {
      putOf(evidence, 'put object as second tenant')
      const body = confirmationOf(evidence, uploadOf(evidence, 'request upload as second tenant'))
      return target.confirmUpload(body, options)
    },
    { needs: ['put object as second tenant'] },
  ),
  // No other step executes this workflow, so no observed figure changes.
  'execute as second tenant': asKnownSecond(
    async ({ target, samples, evidence }, options) => {
      const { id } = madeWorkflow(evidence, 'create twin 1', 'read twin 1')
      const { documentId, place } = execution(evidence, 1)
      const confirmation = resultIfSucceeded(() => evidence.accepted('confirm upload as second tenant'))
      const own = confirmation && namedAt(place, confirmation, evidence.last('request upload as second tenant'))
      for (const [about, document] of Object.entries({
        'its own document': own,
        'a document of another': documentId,
      })) {
        if (document === undefined) continue
        await target.about(about).executeWorkflow(id.value, samples.execution(String(document)), options)
      }
    },
    {
      needs: ['create as second tenant', 'read twin 1', 'execute workflow 1'],
      soft: ['confirm upload as second tenant'],
    },
  ),
  'put object 3': asSecond(
    put('request upload 3', (samples) => samples.pdf(1)),
    { needs: ['request upload 3'], after: ['put object with changed signature', 'put object without signature'] },
  ),
  'confirm upload 3 as second tenant': asKnownSecond(
    async ({ target, evidence }, options) => {
      putOf(evidence, 'put object 3')
      const body = confirmationOf(evidence, uploadOf(evidence, 'request upload 3'))
      await target.confirmUpload(body, options)
      if (!succeeded(evidence.last('confirm upload 3 as second tenant'))) return
      // If any session is confirmed, that of another tenant is no exception.
      await target.about(unknownSession).confirmUpload({ ...body, session_id: crypto.randomUUID() }, options)
    },
    { needs: ['create as second tenant', 'put object 3', 'confirm upload 1'] },
  ),
} as const

const allOthers = [...wholeFlow, ...(Object.keys(stepsBeside) as StepName[])]

/** Returns false if details show that there is no success rate yet. */
const hasRate = ({ json }: Exchange) => {
  const place = findPart(json, 'success_rate')
  const rate = place === undefined ? undefined : unwrapTagged(valueAt(json, place))
  return rate !== null && !(typeof rate === 'string' && isNamed(rate, 'empty'))
}

/** Approvers who have decided nothing within this many milliseconds are taken to be people, for whom no run waits. */
const firstDecisionMs = 2000

/** Returns the answers of a step of the first attempt up to now. */
const inFirst = ({ answers }: Sender['evidence'], step: StepName) =>
  answers.filter(({ label }) => label?.attempt === 1 && label.step === step)

/**
 * Reads a workflow for the last time. If its execution has moved since it was first shown, reads on until it has ended or stops moving.
 * Then waits a short time for a success rate.
 */
async function readAtLast(sender: Sender, which: 1 | 2): Promise<void> {
  const { step, evidence, settling, isOverInFirst } = sender
  const read = () => readWorkflow(sender, which)
  const shown = resultIfSucceeded(() => executedDetails(evidence, which).after)
  const differ = movementIn(evidence)
  // The execution of workflow 2 may have changed figures of workflow 1.
  const afterwards = which === 1 ? evidence.soFar('read workflow 1 afterwards').at(-1) : undefined
  const before = shown && (afterwards ?? shown)
  const isOpen = (answer: Exchange) => before === undefined || !differ(before, answer)
  // Later attempts wait for an end that the first one has seen, or may still see.
  const sawEnd = () => {
    const seen = inFirst(evidence, step).at(-1)
    return seen !== undefined && shown !== undefined && (areAllOver(seen) || (hasRate(seen) && !hasRate(shown)))
  }
  const isFirst = evidence.attempt === 1
  const isDone = (answer: Exchange) =>
    (isFirst ? isOpen(answer) : isOverInFirst() && !sawEnd()) || (hasRate(answer) && isOver(evidence, which, answer))
  const early =
    isFirst && (await settling.since('execute workflow 1', firstDecisionMs).until(read, (one) => !isOpen(one), 1.6))
  const details =
    early && isDone(early)
      ? early
      : await settling.since(`execute workflow ${which}`).whileMoving(read, differ, isDone, 1.6)
  if (!hasRate(details) && showsEnded(evidence, which, details)) await settling.briefly.until(read, hasRate, 4)
}

/** Returns a function that tells whether anything has moved between two reads. Ignores what changes without an execution, too. */
function movementIn(evidence: Sender['evidence']): (earlier: Exchange, later: Exchange) => boolean {
  const before = inFirst(evidence, 'read workflow 2').at(-1)
  const beside = inFirst(evidence, 'read workflow 2 beside').at(-1)
  const volatile = before && beside ? changedPlaces(before.json, beside.json) : []
  return (earlier, later) => hasMoved(earlier.json, later.json, volatile)
}

/** Returns true if the first attempt saw an execution progress, unless it has waited for an end in vain. */
function goesOn(evidence: Sender['evidence'], differ: ReturnType<typeof movementIn>): boolean {
  const haveMoved = ([earlier, later]: readonly (Exchange | undefined)[]) => earlier && later && differ(earlier, later)
  const ways = [
    ['read workflow 1 executed', 'read workflow 1 at last'],
    ['read shuffled executed', 'read shuffled at last'],
  ] as const
  const isStill = ways.some(([, last]) => haveMoved(inFirst(evidence, last).slice(-2)) === false)
  return !isStill && ways.some((way) => haveMoved(way.map((step) => inFirst(evidence, step).at(-1))))
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
      const read = () => target.getWorkflow(made.id.value)
      const differ = movementIn(evidence)
      if (goesOn(evidence, differ)) await settling.since('execute shuffled').whileMoving(read, differ, areAllOver)
      else await read()
    },
    { needs: ['read shuffled executed'], soft: ['read workflow 1 at last'], after: allOthers },
  ),
  // It has the steps of the workflows that were executed, and never was itself.
  'read accented at last': step(
    ({ target, evidence }) => target.getWorkflow(madeWorkflow(evidence, 'create accented', 'read accented').id.value),
    { needs: ['read accented'], soft: ['read by default again'], after: allOthers },
  ),
  'read by default again': step(
    async ({ step, target, evidence, settling }) => {
      const { made } = sideExecution(evidence, 'by default')
      if (!wasCarriedOut(evidence, evidence.last('execute by default again'))) return
      // It may wait for the end of the first one, which no run waits for, unless the first attempt has seen that.
      const seen = inFirst(evidence, step).at(-1)
      const waitsForEnd = evidence.attempt > 1 && seen !== undefined && isAnyOver(seen)
      const isOpen = () => {
        const both = resultIfSucceeded(() => overlappingExecutions(evidence))
        const isIdle = both?.second.some(({ value }) => stepListsIn(value, made.sent.steps).length > 0)
        const hasBegun = both?.second.some(({ value }) => tellsStepsApart(value, made))
        return both !== undefined && isIdle && !hasBegun && (waitsForEnd || isShownAsOver(both.first))
      }
      await settling.since('execute by default again').until(
        () => target.getWorkflow(made.id.value),
        () => !isOpen(),
      )
    },
    { needs: ['execute by default again'], soft: ['read workflow 1 at last'] },
  ),
  // A second execution of one workflow, to detect figures that describe only the latest. A deployment may refuse to run a document twice.
  'execute workflow 1 again': step(
    (sender) => {
      const { evidence } = sender
      const [document = knownDocument(evidence)] = oddDocument(evidence, 'accented')
      // No service has to accept a plus sign in an address.
      return executeFor(impatient(sender), workflow(evidence, 1), [document], acceptsPlus(evidence) ? '+' : '.')
    },
    { needs: ['read workflow 1 at last'], soft: ['confirm upload accented', 'create shuffled'] },
  ),
  'read workflow 1 again': step(
    async (sender) => {
      const { evidence } = sender
      const executed = evidence.last('execute workflow 1 again')
      if (!wasCarriedOut(evidence, executed)) return
      const [begun, before] = (['read workflow 1 executed', 'read workflow 1 at last'] as const).map((step) =>
        evidence.accepted(step),
      )
      const { document_id: documentId } = sentBody<SentExecution>(executed)
      const read = () => readWorkflow(sender, 1)
      const isCounted = (after: Exchange) => {
        const isStuck = stuckCount(begun?.json, before?.json, after.json, countersBeside(evidence, after)) !== undefined
        return !isStuck && !isStale(before?.json, after.json)
      }
      const isShown = (after: Exchange) =>
        !before || executionShownIn(evidence, { details: before }, { exchange: executed, documentId }, after) !== 'no'
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
      if (!before || !isOver(evidence, 1, before)) return
      const last = await patience.whileMoving(read, movementIn(evidence), areAllOver, 1.6)
      if (isCounted(details) && !isCounted(last)) await sender.settling.until(read, isCounted)
    },
    {
      needs: ['execute workflow 1 again', 'read workflow 1 executed'],
      // What these show tells which figures count executions.
      soft: ['read workflow 1 afterwards', 'read workflow 2 beside', 'settle workflow 2'],
    },
  ),
} as const
