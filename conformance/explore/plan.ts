/** The pure model of an exploration: which calls can follow which, and what each of them uses. */
import { soundBodies } from './bodies.ts'
import { type CallWithBody, deviationsFrom, joinChanges, splitChanges } from './deviations.ts'

/** Says that a call is sent with the second key. */
export const byAnotherTenant = 'by another tenant'

const sample = '00000000-0000-4000-8000-000000000000'

/** The sound body of each call that has one, changed in one value to or just beyond the limits of the contract. */
const deviations = {
  createWorkflow: deviationsFrom('createWorkflow', soundBodies.createWorkflow('conformance', 1)),
  requestUpload: deviationsFrom('requestUpload', soundBodies.requestUpload('conformance', 1)),
  confirmUpload: deviationsFrom(
    'confirmUpload',
    soundBodies.confirmUpload(sample, 'tenants/1/conformance', 'conformance'),
  ),
  executeWorkflow: deviationsFrom('executeWorkflow', soundBodies.executeWorkflow('conformance', 1, sample)),
} as const satisfies Readonly<Record<CallWithBody, unknown>>

export type ExploredCall = CallWithBody | 'getWorkflow' | 'putObject'

/** The calls that make something without another thing. */
const creations = ['createWorkflow', 'requestUpload'] as const

/** A call of a session. Numbers refer to earlier calls, by their index. */
export interface PlannedCall {
  readonly call: ExploredCall
  readonly manner: string
  /** The call that creates the workflow. */
  readonly workflow?: number
  /** The call that requests the upload. */
  readonly upload?: number
  /** The call that stores the file of a confirmation. */
  readonly put?: number
  /** The call that confirms the document. */
  readonly document?: number
  /** The call that requests another upload, whose key is used, or that gave the same name before. */
  readonly other?: number
}

/** A call that can come next. All its manners are alike to other calls. */
export interface NextCall {
  readonly call: Omit<PlannedCall, 'manner'>
  /** The usual manners. */
  readonly usual: readonly string[]
  /** Manners with a boundary value, which are chosen less often. The most plausible come first. */
  readonly values: readonly string[]
}

/** Returns the manners of a call with a boundary value that the contract accepts, or with one that it refuses. */
const valuesOf = (call: CallWithBody, isSound: boolean) =>
  deviations[call]
    .flatMap((one) => (one.isSound === isSound ? [one.name] : []))
    .toSorted((one, other) => rankOf(one) - rankOf(other))

/** Ranks a value by its plausibility: first values just beyond a limit, last those of another type, and outer fields before inner ones. */
function rankOf(value: string): number {
  const [place = '', what = ''] = value.split(': ')
  const isWrongType = what === 'null' || what === 'another type'
  return (/^-?\d/.test(what) ? 0 : isWrongType ? 2 : 1) * 10 + place.split('.').length
}

/** Returns all calls that can come next; with `hasTenants`, also those of a second tenant. */
export function nextCalls(session: readonly PlannedCall[], { hasTenants = false } = {}): NextCall[] {
  const choices: NextCall[] = []
  const add = (call: NextCall['call'], usual: readonly string[], values: readonly string[] = []) => {
    choices.push({ call, usual, values })
  }
  const addTenant = (call: NextCall['call']) => {
    if (hasTenants && thingsOf(call, session).every((at) => session[at]?.manner !== byAnotherTenant))
      add(call, [byAnotherTenant])
  }
  const madeBy = (call: ExploredCall) => session.flatMap((one, at) => (one.call === call && makes(one) ? [at] : []))
  const [workflows, uploads] = [madeBy('createWorkflow'), madeBy('requestUpload')]
  for (const call of creations) {
    add({ call }, call === 'createWorkflow' ? usualWorkflows : ['sound'], valuesOf(call, true))
    add({ call }, [], valuesOf(call, false))
    addTenant({ call })
    for (const other of call === 'createWorkflow' ? workflows : uploads) add({ call, other }, ['same name'])
  }
  for (const call of ['createWorkflow', 'getWorkflow', 'requestUpload', 'confirmUpload', 'executeWorkflow'] as const)
    add({ call }, ['without key'])
  add({ call: 'getWorkflow' }, ['unknown workflow'])
  add({ call: 'executeWorkflow' }, ['unknown workflow'])
  add({ call: 'confirmUpload' }, ['unknown session'])
  const documents: number[] = []
  const unconfirmed: number[] = []
  for (const upload of uploads) {
    add({ call: 'putObject', upload }, ['sound'])
    add({ call: 'putObject', upload }, ['other type', 'shorter file', 'empty file'])
    const put = session.findLastIndex((one) => one.upload === upload && isSoundPut(one))
    const confirm = { call: 'confirmUpload', upload, ...(put >= 0 && { put }) } as const
    add(confirm, ['sound'])
    add(confirm, ['unknown key'])
    add(confirm, [], valuesOf('confirmUpload', false))
    addTenant(confirm)
    for (const other of uploads) if (other !== upload) add({ ...confirm, other }, ['key of another upload'])
    const document = session.findLastIndex(
      (one) => one.call === 'confirmUpload' && one.upload === upload && one.put !== undefined && makes(one),
    )
    if (document >= 0) documents.push(document)
    else unconfirmed.push(upload)
  }
  for (const workflow of workflows) {
    add({ call: 'getWorkflow', workflow }, ['sound'])
    addTenant({ call: 'getWorkflow', workflow })
    add({ call: 'executeWorkflow', workflow }, ['unknown document'])
    for (const upload of unconfirmed) add({ call: 'executeWorkflow', workflow, upload }, ['unconfirmed document'])
    for (const document of documents) {
      const execute = { call: 'executeWorkflow', workflow, document } as const
      const sound = valuesOf('executeWorkflow', true)
      add(
        execute,
        ['sound'],
        sound.filter((value) => !needsNoDocument(value)),
      )
      add(execute, [], [...valuesOf('executeWorkflow', false), ...sound.filter(needsNoDocument)])
      addTenant(execute)
    }
  }
  return choices
}

/** Workflows that a front end is likely to create: sequential, parallel and by default, each with several lists of steps. */
const usualWorkflows = ['', 'isSequential: false', 'isSequential: absent'].flatMap((mode) =>
  ['', 'steps: two', 'steps: two, the other way round', 'steps: two with the same lists'].map(
    (steps) => joinChanges([mode, steps].filter(Boolean)) || 'sound',
  ),
)

const isSoundPut = ({ call, manner }: PlannedCall) => call === 'putObject' && manner === 'sound'

/** Returns true if an execution needs no document that was confirmed. */
export function needsNoDocument(manner: string): boolean {
  return manner.endsWith(' document') || manner.startsWith('document_id:')
}

/** The values with which a creation makes something. */
const making = new Set(creations.flatMap((call) => valuesOf(call, true).map((value) => `${call} ${value}`)))

/** Returns true if a call makes something by itself. */
export const isCreation = (call: ExploredCall) => call === 'createWorkflow' || call === 'requestUpload'

/** Returns true if a call should make something that later calls use. */
export function makes({ call, manner }: PlannedCall): boolean {
  const isMade = (one: string) =>
    one === 'sound' ||
    one === 'same name' ||
    (one === byAnotherTenant && isCreation(call)) ||
    making.has(`${call} ${one}`)
  return splitChanges(manner).every(isMade)
}

/** The members of a call that refer to other calls. */
const links = ['workflow', 'upload', 'put', 'document', 'other'] as const

/** Returns the indexes of the earlier calls that a call uses. */
export function usedBy(call: PlannedCall): number[] {
  return links.flatMap((link) => call[link] ?? [])
}

/** Returns the indexes of the calls that made what a call is about: workflows and uploads. */
export function thingsOf(
  { workflow, upload, document, other }: Omit<PlannedCall, 'manner'>,
  session: readonly PlannedCall[],
): number[] {
  const behind = document === undefined ? undefined : session[document]?.upload
  return [workflow, upload, behind, other].filter((index) => index !== undefined)
}

/** Returns the indexes of the calls about the same things as a call, or about things with their names, and itself. */
export function relatedCalls(session: readonly PlannedCall[], index: number): number[] {
  const call = session[index]
  const things = new Set(call && thingsOf(call, session))
  for (const [at, { other, manner }] of session.entries()) {
    if (other === undefined || manner !== 'same name') continue
    if (things.has(other) || things.has(at)) things.add(at).add(other)
  }
  return [...session.entries()].flatMap(([at, one]) =>
    at === index || things.has(at) || thingsOf(one, session).some((thing) => things.has(thing)) ? [at] : [],
  )
}

/** Returns a session with only these calls and those that they use, in their order. */
export function keepCalls(session: readonly PlannedCall[], wanted: Iterable<number>): PlannedCall[] {
  const kept = new Set<number>()
  const keep = (index: number) => {
    const call = session[index]
    if (!call || kept.has(index)) return
    kept.add(index)
    for (const used of usedBy(call)) keep(used)
  }
  for (const index of wanted) keep(index)
  const order = [...kept].toSorted((a, b) => a - b)
  return session.filter((_, index) => kept.has(index)).map((call) => renumber(call, (used) => order.indexOf(used)))
}

/** Returns a session without these calls and those that use them. */
export function dropCalls(session: readonly PlannedCall[], unwanted: Iterable<number>): PlannedCall[] {
  const gone = new Set(unwanted)
  for (const [index, call] of session.entries()) if (usedBy(call).some((used) => gone.has(used))) gone.add(index)
  return keepCalls(
    session,
    [...session.keys()].filter((index) => !gone.has(index)),
  )
}

/** Returns a call that names made-up things as far as its answer should not depend on them: without a key, no thing is looked at. */
export function withoutThings(call: PlannedCall): PlannedCall {
  const { call: id, manner, document } = call
  if (manner === 'without key') return { call: id, manner }
  if (manner === 'unknown workflow') return { call: id, manner, ...(document !== undefined && { document }) }
  return call
}

/** Returns a session in which the calls about one thing are about an earlier one of its kind, and without the call that made it. */
export function mergeThings(session: readonly PlannedCall[], from: number, into: number): PlannedCall[] {
  const merged = session.map((call) => renumber(call, (index) => (index === from ? into : index)))
  // A call about two things must not be about one of them twice.
  const twice = [...merged.keys()].filter((at) => {
    const { upload, other } = merged[at] ?? {}
    return other !== undefined && (other === upload || other === at)
  })
  return dropCalls(merged, [from, ...twice])
}

/** Returns two sessions as one. */
export function joinSessions(first: readonly PlannedCall[], second: readonly PlannedCall[]): PlannedCall[] {
  return [...first, ...second.map((call) => renumber(call, (index) => index + first.length))]
}

function renumber(call: PlannedCall, number: (index: number) => number): PlannedCall {
  const numbered = links.flatMap((link) => (call[link] === undefined ? [] : [[link, number(call[link])] as const]))
  return { ...call, ...Object.fromEntries(numbered) }
}
