/** The pure model of an exploration: which calls can follow which, and what each of them uses. */

/** The ways to send each call. The first is sound; the others should be refused, or are unusual. */
export const manners = {
  createWorkflow: ['sound', 'two steps', 'longest name', 'same name', 'name too long', 'without steps', 'without key'],
  getWorkflow: ['sound', 'unknown workflow', 'without key'],
  requestUpload: ['sound', 'same name', 'without name', 'without key'],
  putObject: ['sound', 'other type'],
  confirmUpload: ['sound', 'other key', 'without files', 'without key'],
  executeWorkflow: ['sound', 'low priority', 'unknown document', 'unknown workflow', 'without document', 'without key'],
} as const satisfies Readonly<Record<string, readonly ['sound', ...string[]]>>

export type ExploredCall = keyof typeof manners
export type Manner = (typeof manners)[ExploredCall][number]

/** A call as it is drawn. */
export interface DrawnCall {
  readonly call: ExploredCall
  /** An index into the manners of the call. */
  readonly manner: number
  /** What it is about: 0 is the latest thing of its kind, 1 the one before. */
  readonly back: number
  /** True to send it even if what it needs is not ready, such as a confirmation before the file. */
  readonly isEarly: boolean
}

/** A call of a session. Numbers refer to earlier calls, by their index. */
export interface PlannedCall {
  readonly call: ExploredCall
  readonly manner: Manner
  /** The call that creates the workflow. */
  readonly workflow?: number
  /** The call that requests the upload. */
  readonly upload?: number
  /** The call that confirms the document. */
  readonly document?: number
}

/** Returns a session of drawn calls. A call that lacks something becomes the call that makes it. */
export function planSession(drawn: readonly DrawnCall[]): PlannedCall[] {
  const session: PlannedCall[] = []
  for (const one of drawn) session.push(planCall(one, session))
  return session
}

function planCall({ call, manner: index, back, isEarly }: DrawnCall, before: readonly PlannedCall[]): PlannedCall {
  const indexesOf = (wanted: ExploredCall) =>
    before.flatMap((one, at) => (one.call === wanted && makes(one) ? [at] : []))
  const pick = (list: readonly number[]) => list.at(-1 - (back % Math.max(1, list.length)))
  const manner = manners[call][index % manners[call].length] ?? 'sound'
  const [workflows, uploads] = [indexesOf('createWorkflow'), indexesOf('requestUpload')]
  const isStored = (upload: number) => before.some((one) => one.call === 'putObject' && one.upload === upload)
  const waiting = uploads.filter((upload) => !isStored(upload))
  const confirmed = indexesOf('confirmUpload').filter((at) => isStored(before[at]?.upload ?? -1))
  switch (call) {
    case 'createWorkflow':
    case 'requestUpload':
      return { call, manner }
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
      const ready = uploads.filter(isStored)
      const upload = pick(isEarly ? uploads : ready)
      if (upload !== undefined) return { call, manner, upload }
      const next = pick(waiting)
      return next === undefined
        ? { call: 'requestUpload', manner: 'sound' }
        : { call: 'putObject', manner: 'sound', upload: next }
    }
    case 'executeWorkflow': {
      const [workflow, document] = [pick(workflows), pick(confirmed)]
      if (workflow === undefined) return { call: 'createWorkflow', manner: 'sound' }
      if (document !== undefined) return { call, manner, workflow, document }
      if (manner === 'unknown document' || manner === 'without document') return { call, manner, workflow }
      return planCall({ call: 'confirmUpload', manner: 0, back: 0, isEarly: false }, before)
    }
    default:
      return call satisfies never
  }
}

/** Returns true if a call should make something that later calls use. */
function makes({ call, manner }: PlannedCall): boolean {
  const isUnusual = manner === 'two steps' || manner === 'longest name' || manner === 'same name'
  return manner === 'sound' || (isUnusual && (call === 'createWorkflow' || call === 'requestUpload'))
}

/** Returns the indexes of the earlier calls that a call uses. */
export function usedBy({ workflow, upload, document }: PlannedCall): number[] {
  return [workflow, upload, document].filter((index) => index !== undefined)
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

/** Returns two sessions as one. */
export function joinSessions(first: readonly PlannedCall[], second: readonly PlannedCall[]): PlannedCall[] {
  return [...first, ...second.map((call) => renumber(call, (index) => index + first.length))]
}

function renumber(
  { workflow, upload, document, ...call }: PlannedCall,
  number: (index: number) => number,
): PlannedCall {
  return {
    ...call,
    ...(workflow !== undefined && { workflow: number(workflow) }),
    ...(upload !== undefined && { upload: number(upload) }),
    ...(document !== undefined && { document: number(document) }),
  }
}
