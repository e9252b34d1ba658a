/** The pure model of an exploration: which calls can follow which, and what each of them uses. */
import { soundBodies } from './bodies.ts'
import { deviationsFrom } from './deviations.ts'

/** The ways to send each call that concern other calls or no body. The first is sound. */
const relations = {
  createWorkflow: ['sound', 'same name', 'without key'],
  getWorkflow: ['sound', 'unknown workflow', 'without key'],
  requestUpload: ['sound', 'same name', 'without key'],
  putObject: ['sound', 'other type', 'shorter file', 'empty file'],
  confirmUpload: ['sound', 'key of another upload', 'unknown key', 'unknown session', 'without key'],
  executeWorkflow: ['sound', 'unknown document', 'unknown workflow', 'without key'],
} as const satisfies Readonly<Record<string, readonly ['sound', ...string[]]>>

export type ExploredCall = keyof typeof relations

/** How a call is sent: soundly, with another relation to earlier calls, or with a value at a boundary of the contract. */
export interface MannerOf {
  readonly name: string
  /** True if the contract accepts it; if it is a creation or a request for an upload, later calls can use what it makes. */
  readonly isSound: boolean
}

const sample = '00000000-0000-4000-8000-000000000000'
const values = {
  createWorkflow: deviationsFrom('createWorkflow', soundBodies.createWorkflow('conformance', 1)),
  getWorkflow: [],
  requestUpload: deviationsFrom('requestUpload', soundBodies.requestUpload('conformance', 1)),
  putObject: [],
  confirmUpload: deviationsFrom(
    'confirmUpload',
    soundBodies.confirmUpload(sample, 'tenants/1/conformance', 'conformance'),
  ),
  executeWorkflow: deviationsFrom('executeWorkflow', soundBodies.executeWorkflow('conformance', sample)),
} as const satisfies Readonly<Record<ExploredCall, readonly MannerOf[]>>

const mannersOf = (call: ExploredCall) => ({
  relations: relations[call].map((name): MannerOf => ({ name, isSound: name === 'sound' || name === 'same name' })),
  values: values[call].map(({ name, isSound }): MannerOf => ({ name, isSound })),
})

/** The ways to send each call: those that concern other calls, and those with a value at a boundary. */
export const manners = {
  createWorkflow: mannersOf('createWorkflow'),
  getWorkflow: mannersOf('getWorkflow'),
  requestUpload: mannersOf('requestUpload'),
  putObject: mannersOf('putObject'),
  confirmUpload: mannersOf('confirmUpload'),
  executeWorkflow: mannersOf('executeWorkflow'),
} as const satisfies Readonly<Record<ExploredCall, unknown>>

/** A call as it is drawn. */
export interface DrawnCall {
  readonly call: ExploredCall
  readonly manner: MannerOf
  /** What it is about: 0 is the latest thing of its kind, 1 the one before. */
  readonly back: number
  /** True to send it even if what it needs is not ready, such as a confirmation before the file. */
  readonly isEarly: boolean
}

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

/** Returns the call that a drawn call becomes after others. If it lacks something, it becomes the call that makes it. */
export function planCall(
  { call, manner: { name: manner }, back, isEarly }: DrawnCall,
  before: readonly PlannedCall[],
): PlannedCall {
  const indexesOf = (wanted: ExploredCall) =>
    before.flatMap((one, at) => (one.call === wanted && makes(one) ? [at] : []))
  const pick = (list: readonly number[]) => list.at(-1 - (back % Math.max(1, list.length)))
  const [workflows, uploads] = [indexesOf('createWorkflow'), indexesOf('requestUpload')]
  const isStored = (upload: number, end = before.length) =>
    before.slice(0, end).some((one) => one.upload === upload && isSoundPut(one))
  const waiting = uploads.filter((upload) => !isStored(upload))
  const confirmed = indexesOf('confirmUpload').filter((at) => isStored(before[at]?.upload ?? -1, at))
  switch (call) {
    case 'createWorkflow':
    case 'requestUpload': {
      if (manner !== 'same name') return { call, manner }
      const other = pick(call === 'createWorkflow' ? workflows : uploads)
      return other === undefined ? { call, manner: 'sound' } : { call, manner, other }
    }
    case 'getWorkflow': {
      const workflow = pick(workflows)
      if (workflow === undefined) return { call: 'createWorkflow', manner: 'sound' }
      return { call, manner, workflow }
    }
    case 'putObject': {
      const upload = pick(isEarly || waiting.length === 0 ? uploads : waiting)
      return upload === undefined ? { call: 'requestUpload', manner: 'sound' } : { call, manner, upload }
    }
    case 'confirmUpload': {
      const ready = uploads.filter((upload) => isStored(upload))
      const upload = pick(isEarly ? uploads : ready)
      if (upload !== undefined) {
        const put = before.findLastIndex((one) => one.upload === upload && isSoundPut(one))
        if (manner !== 'key of another upload') return { call, manner, upload, ...(put >= 0 && { put }) }
        const other = uploads.findLast((one) => one !== upload)
        return other === undefined ? { call: 'requestUpload', manner: 'sound' } : { call, manner, upload, other }
      }
      const next = pick(waiting)
      return next === undefined
        ? { call: 'requestUpload', manner: 'sound' }
        : { call: 'putObject', manner: 'sound', upload: next }
    }
    case 'executeWorkflow': {
      const [workflow, document] = [pick(workflows), pick(confirmed)]
      if (workflow === undefined) return { call: 'createWorkflow', manner: 'sound' }
      if (needsNoDocument(manner)) return { call, manner, workflow }
      if (document !== undefined) return { call, manner, workflow, document }
      return planCall(
        { call: 'confirmUpload', manner: { name: 'sound', isSound: true }, back: 0, isEarly: false },
        before,
      )
    }
    default:
      return call satisfies never
  }
}

const isSoundPut = ({ call, manner }: PlannedCall) => call === 'putObject' && manner === 'sound'

/** Returns true if an execution needs no document that was confirmed. */
export function needsNoDocument(manner: string): boolean {
  return manner === 'unknown document' || manner.startsWith('document_id:')
}

const making = new Set(
  Object.entries(manners).flatMap(([call, { relations, values }]) =>
    [...relations, ...(call === 'createWorkflow' || call === 'requestUpload' ? values : [])].flatMap(
      ({ name, isSound }) => (isSound ? [`${call} ${name}`] : []),
    ),
  ),
)

/** Returns true if a call should make something that later calls use. */
export function makes({ call, manner }: PlannedCall): boolean {
  return making.has(`${call} ${manner}`)
}

/** Returns the indexes of the earlier calls that a call uses. */
export function usedBy({ workflow, upload, put, document, other }: PlannedCall): number[] {
  return [workflow, upload, put, document, other].filter((index) => index !== undefined)
}

/** Returns the indexes of the calls that made what a call is about: workflows and uploads. */
export function thingsOf(
  { workflow, upload, document, other }: PlannedCall,
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
  return order.flatMap((index) => {
    const call = session[index]
    return call ? [renumber(call, (used) => order.indexOf(used))] : []
  })
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

function renumber(
  { workflow, upload, put, document, other, ...call }: PlannedCall,
  number: (index: number) => number,
): PlannedCall {
  return {
    ...call,
    ...(workflow !== undefined && { workflow: number(workflow) }),
    ...(upload !== undefined && { upload: number(upload) }),
    ...(put !== undefined && { put: number(put) }),
    ...(document !== undefined && { document: number(document) }),
    ...(other !== undefined && { other: number(other) }),
  }
}
