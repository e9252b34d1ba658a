/** Finds the short sequences of calls in a session: for each few things, consecutive calls among those about these things. */
import { byAnotherTenant, isCreation, makes, type PlannedCall, thingsOf } from './plan.ts'

/** The longest sequences that count, and the most things that they are about. */
const [longest, mostThings] = [4, 3]

/** A sequence that ends with a call. */
interface Sequence {
  /** Equal for the same calls about other things. */
  readonly key: string
  /** The likelihood that a fault needs this sequence, relative to the others. */
  readonly weight: number
  /** The calls before the last one, by their index. */
  readonly before: readonly number[]
}

/** A call, and the things that it is about. */
export interface About {
  readonly kind: string
  readonly things: readonly number[]
}

/** Stand for the thing in calls without a key, and in calls that refer to nothing that exists. */
const [withoutKey, unknownThing] = [-2, -1]

/** Returns the things that the last call of a session is about, including what it creates. */
export function aboutLast(session: readonly PlannedCall[]): About {
  const call = session.at(-1)
  if (!call) throw new TypeError('A session without calls has no last call.')
  const isAcross = thingsOf(call, session).some((at) => session[at]?.manner === byAnotherTenant)
  const kind = isAcross ? `${call.call} across tenants!` : kindOf(call)
  if (call.manner === 'without key') return { kind, things: [withoutKey] }
  const made = isCreation(call.call) && makes(call) ? [session.length - 1] : []
  const things = [...new Set([...thingsOf(call, session), ...made])]
  return { kind, things: things.length > 0 ? things : [unknownThing] }
}

/** Returns the things that each call of a session is about. */
export function aboutAll(session: readonly PlannedCall[]): About[] {
  return session.map((_, at) => aboutLast(session.slice(0, at + 1)))
}

/** Returns the kind of a call. Values in its body matter only if the contract refuses them. */
function kindOf({ call, manner, other }: PlannedCall): string {
  if (manner === 'without key') return 'no key!'
  if (manner === byAnotherTenant) return `${call} across tenants!`
  if (manner === 'unknown workflow' || manner === 'unknown session') return 'unknown!'
  if (manner === 'sound' || makes({ call, manner })) return other === undefined ? call : `${call} with the same name!`
  if (other !== undefined) return `${call} with another key!`
  return `${call} ${manner.endsWith(' document') ? manner : 'refused'}!`
}

/** The part of a sequence before its last call. All last calls about the same things share it. */
interface Before {
  readonly calls: readonly number[]
  /** The key of a sequence up to the last call, and after the kind of the last call. */
  readonly key: readonly [start: string, end: string]
  readonly things: number
  readonly kinds: readonly string[]
}

/**
 * Returns what finds the sequences that end with a call after others: for each few things, the call after the latest ones about any of
 * them. It remembers what comes before calls about the same things.
 */
export function sequencesAfter(past: readonly About[]): (call: About) => Generator<Sequence> {
  const known = new Map<string, readonly Before[]>()
  return function* ({ kind, things: own }) {
    const before = known.get(own.join()) ?? [...callsBefore(past, own)]
    known.set(own.join(), before)
    for (const { calls, key, things, kinds } of before)
      yield { key: key[0] + kind + key[1], weight: weightOf([...kinds, kind], things), before: calls }
  }
}

function* callsBefore(past: readonly About[], things: readonly number[]): Generator<Before> {
  const others = new Set(past.flatMap((one) => one.things))
  for (const thing of things) others.delete(thing)
  const all = past.map((_, at) => at)
  yield* endingsOf(past, things, all.slice(1 - longest), true)
  for (const more of subsets([...others], mostThings - things.length)) {
    const among = new Set([...things, ...more])
    const before: number[] = []
    for (let at = past.length - 1; at >= 0 && before.length < longest - 1; at -= 1)
      if (past[at]?.things.every((thing) => among.has(thing))) before.unshift(at)
    yield* endingsOf(past, things, before, false)
  }
}

function* endingsOf(
  past: readonly About[],
  last: readonly number[],
  all: readonly number[],
  isInARow: boolean,
): Generator<Before> {
  for (let count = 1; count <= all.length; count += 1) {
    const calls = all.slice(-count)
    const part = calls.flatMap((at) => past[at] ?? [])
    // The things are numbered by their age.
    const things = [...new Set([...part.flatMap((one) => one.things), ...last])].toSorted((a, b) => a - b)
    const numbersOf = (some: readonly number[]) => some.map((thing) => things.indexOf(thing)).join()
    const start = part.map((one) => `${one.kind} ${numbersOf(one.things)},`).join('')
    const kinds = part.map(({ kind }) => kind)
    const key = [isInARow ? `in a row: ${start}` : start, ` ${numbersOf(last)}`] as const
    yield { calls, key, things: things.length, kinds }
  }
}

/** The approximate number of kinds of calls about one thing. */
const kindsOfCalls = 8
/** The likelihood that a fault needs an odd kind of call, relative to a usual one. */
const oddness = 0.5

/**
 * Returns the likelihood that a fault needs a sequence. All numbers of calls and of things are equally likely, and so are all sequences
 * with these numbers. Their count is about that of the ways to choose a kind and a thing for each call.
 */
function weightOf(kinds: readonly string[], things: number): number {
  const odd = [...new Set(kinds)].filter((kind) => kind.endsWith('!')).length
  const orders = things === 3 ? 6 : things
  return (orders / (kindsOfCalls * things) ** kinds.length) * oddness ** odd
}

function* subsets(list: readonly number[], most: number): Generator<number[]> {
  yield []
  if (most <= 0) return
  for (const [at, one] of list.entries()) for (const rest of subsets(list.slice(at + 1), most - 1)) yield [one, ...rest]
}
