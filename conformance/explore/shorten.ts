import {
  dropCalls,
  isCreation,
  keepCalls,
  makes,
  mergeThings,
  needsNoDocument,
  type PlannedCall,
  relatedCalls,
  usedBy,
  withoutThings,
} from './plan.ts'
import { aboutAll, sequencesAfter } from './sequences.ts'

type Session = readonly PlannedCall[]

/** Sends a session, and returns the part up to the difference; undefined without one. */
export type Shows = (session: Session) => Promise<Session | undefined>

/** The most suspects to try, since each costs calls. */
const mostSuspects = 12

/**
 * Returns parts of a session that may show its difference: each is a sequence that ends with the last call and was never sent without a
 * difference, with the calls that it depends on. The shortest come first, and among equals the likeliest.
 */
export function suspectsOf(session: Session, cleared: ReadonlySet<string>): Session[] {
  const last = session.length - 1
  const about = aboutAll(session)
  const call = about[last]
  if (!call) return []
  return [...sequencesAfter(about.slice(0, last))(call)]
    .filter(({ key }) => !cleared.has(key))
    .map(({ before, weight }) => ({ weight, part: keepCalls(session, [...before, last]) }))
    .toSorted((a, b) => a.part.length - b.part.length || b.weight - a.weight)
    .slice(0, mostSuspects)
    .map(({ part }) => part)
}

/**
 * Returns parts of a session that may show what its last call shows, short ones first. Each follows one suspicion: the difference
 * comes from the things that the call is about, from the latest sound or odd calls of one kind, from things that were made, or from the
 * latest calls. With each call goes what it uses. In all parts but the whole session, calls without a key are about things that do not
 * exist, as nothing should depend on what they name.
 */
export function partsOf(session: Session): Session[] {
  const all = [...session.keys()]
  const last = session.length - 1
  const related = relatedCalls(session, last)
  const latest = (count: number) => all.slice(-count)
  const only = (count: number, wanted: (call: PlannedCall) => boolean) => [
    ...all.filter((at) => at !== last && wanted(session[at] as PlannedCall)).slice(-count),
    last,
  ]
  const kinds = [...new Set(session.map(({ call }) => call))]
  const loosened = session.map((call, at) => (at === last ? call : withoutThings(call)))
  const parts = [
    [last],
    latest(4),
    related,
    ...kinds.flatMap((kind) => [
      only(3, (call) => call.call === kind && isPlain(call)),
      only(3, (call) => call.call === kind && !isPlain(call)),
    ]),
    only(10, (call) => makes(call) && call.call !== 'confirmUpload'),
    only(10, ({ manner }) => manner === 'without key'),
    [...related, ...latest(4)],
    [...related, ...latest(8)],
    latest(16),
    latest(32),
  ].map((wanted) => keepCalls(loosened, wanted))
  return [...parts, session].toSorted((a, b) => a.length - b.length)
}

/** Returns sessions without those that are the same as an earlier one. */
export function distinct(sessions: readonly Session[]): Session[] {
  return [...new Map(sessions.map((session) => [JSON.stringify(session), session])).values()]
}

/** Returns true if a call is sound, also with an unusual value. */
const isPlain = (call: PlannedCall) => call.manner === 'sound' || makes(call)

/**
 * Shortens a session whose last call shows a difference. First whole calls are left out by delta debugging, in groups that become
 * smaller, with what needs them. Then things become one, and at last odd calls sound. The result shows nothing without any of its calls.
 */
export async function shortenSession(session: Session, shows: Shows): Promise<Session> {
  let best = session
  const failed = new Set<string>()
  const attempt = async (other: Session) => {
    const text = JSON.stringify(other)
    if (other.length === 0 || other.length > best.length || failed.has(text) || text === JSON.stringify(best))
      return false
    const shown = await shows(other)
    if (shown) best = shown
    else failed.add(text)
    return shown !== undefined
  }
  /** Tries sessions without some calls: without those that use them, or without those that nothing else uses. */
  const leaveOut = async (size: number) => {
    for (let end = best.length - 1; end > 0; ) {
      const from = Math.max(0, end - size)
      const isKept = (at: number) => at < from || at >= end
      const without = [
        dropCalls(
          best,
          [...best.keys()].filter((at) => !isKept(at)),
        ),
        keepCalls(best, [...best.keys()].filter(isKept)),
      ]
      end = from
      for (const rest of without) {
        if (rest.length >= best.length || rest.at(-1)?.call !== best.at(-1)?.call) continue
        if (await attempt(rest)) {
          end = Math.min(end, best.length - 1)
          break
        }
      }
    }
  }
  /** Leaves out single calls until each is needed. */
  const leaveOutAll = async () => {
    for (let before = Number.POSITIVE_INFINITY; best.length < before; ) {
      before = best.length
      await leaveOut(1)
    }
  }
  for (let size = Math.ceil(best.length / 2); size > 1; size = Math.ceil(size / 2)) await leaveOut(size)
  await leaveOutAll()
  for (let simpler = true; simpler; ) {
    simpler = false
    for (const other of variationsOf(best)) {
      simpler = await attempt(other)
      if (!simpler) continue
      // A call may serve in the place of another then.
      await leaveOutAll()
      break
    }
  }
  return best
}

/** Returns sessions that are simpler than another one: two things are one, or an odd call is sound or about no thing. */
function* variationsOf(session: Session): Generator<Session> {
  for (const [from, { call }] of session.entries())
    for (let into = 0; into < from; into += 1)
      if (isCreation(call) && session[into]?.call === call) yield mergeThings(session, from, into)
  for (const [at, call] of session.entries()) {
    const loosened = withoutThings(call)
    if (usedBy(loosened).length < usedBy(call).length) yield session.with(at, loosened)
    const { other: _, ...alone } = call
    if (call.manner !== 'sound' && !needsNoDocument(call.manner) && hasThings(call))
      yield session.with(at, { ...alone, manner: 'sound' })
  }
}

/** Returns true if a call can be sound: if it names what a sound call needs. */
function hasThings({ call, workflow, upload, document }: PlannedCall): boolean {
  if (call === 'getWorkflow') return workflow !== undefined
  if (call === 'executeWorkflow') return workflow !== undefined && document !== undefined
  return isCreation(call) || upload !== undefined
}
