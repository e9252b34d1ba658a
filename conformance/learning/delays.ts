/** Finds out how late details show an execution. */
import { hasGoneOn } from './courses.ts'
import { itemWith } from './shown-executions.ts'

/** A read of a workflow that was executed. */
export interface ReadAfter {
  /** The time since the execution, in milliseconds. */
  readonly ms: number
  readonly json: unknown
  /** True if it differs from the read before the execution. */
  readonly hasNews: boolean
  /** True if it has an identifier that the execution has made. */
  readonly isListed: boolean
}

/** The times until the details showed an execution, in milliseconds; 0 if the first read did. */
export interface SeenDelays {
  /** Until they listed it, or had news if they never list it. */
  readonly executions: number
  /** Until everything else followed. */
  readonly figures: number
}

interface DelayOptions<Read> {
  /** The identifiers that the execution has made. */
  readonly made: ReadonlySet<string>
  /** Returns true if two reads show the same. */
  readonly isSame: (one: Read, other: Read) => boolean
}

/** Returns the delays that the reads after an execution show. They lie between two reads, and this is the middle. */
export function delaysIn<Read extends ReadAfter>(
  reads: readonly Read[],
  { made, isSame }: DelayOptions<Read>,
): SeenDelays {
  const last = reads.at(-1)
  const news = reads.findIndex(({ hasNews }) => hasNews)
  const isEverListed = reads.some(({ isListed }) => isListed)
  // The first news may be of something else, such as the age of what is shown.
  const isShown = (read: Read | undefined) => (isEverListed ? read?.isListed : read?.hasNews)
  // The last read shows the execution unless the deployment never does.
  if (!last || !isShown(last) || isShown(reads[0])) return { executions: 0, figures: 0 }
  const middleBefore = (index: number) => ((reads[index - 1]?.ms ?? 0) + (reads[index]?.ms ?? 0)) / 2
  const listed = isEverListed ? reads.findIndex(({ isListed }) => isListed) : news
  const hasMoved = [...made].some((id) => hasGoneOn(itemWith(reads[listed]?.json, id), itemWith(last.json, id)))
  const whole = reads.findIndex((read) => isSame(read, last))
  // The figures of an execution that goes on change again and again.
  const moved = news > 0 ? news : listed
  const followed = listed > news || hasMoved ? moved : Math.max(listed, whole)
  return { executions: middleBefore(listed), figures: middleBefore(followed) }
}
