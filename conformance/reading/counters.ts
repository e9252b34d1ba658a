/** Figures of details that count executions. */
import { membersOf, wordsOf } from './locate.ts'
import { findSection } from './sections.ts'

/** Names of what counts executions that have begun, whatever has become of them. */
const begun =
  /^(total|total ?count|executions?|total executions?|executions? total|executions? count|count|started|running|active|in progress|pending|open|current|runs?)$/

/** Names of what has come to an end, which a new execution does not move. */
const ended = /^(completed|completion|finished|failed|failures?|rejected|archived|cancell?ed)$/

/** Names of what tells of more than one workflow, or of other things than executions. */
const others =
  /^(organi[sz]ations?|tenants?|accounts?|teams?|global|benchmarks?|queues?|approvals?|approvers?|tasks?|assignments?|steps?|stages?)$/

/** Names on the way from the section to a figure that change nothing about what it counts. */
const neutral =
  /^(executions?|runs?|by|status|states?|summary|overview|counts?|totals?|overall|metrics|stats|figures|this|workflow)$/

const saysExecutions = (words: readonly string[]) => words.some((word) => /^(executions?|runs?)$/.test(word))

/** The numbers among the execution metrics, by JSON Pointer; of lists, how long they are. */
export function executionFigures(json: unknown): Map<string, number> {
  const pointer = findSection(json, 'execution_metrics')
  if (pointer === undefined) return new Map()
  const within = membersOf(json).filter(
    (member) => member.pointer === pointer || member.pointer.startsWith(`${pointer}/`),
  )
  const numbers = within.map(({ pointer, value }) => [pointer, numberIn(value)] as const)
  return new Map(numbers.filter((entry): entry is [string, number] => entry[1] !== undefined))
}

function numberIn(value: unknown): number | undefined {
  if (typeof value === 'string') return /^\d+$/.test(value) ? Number(value) : undefined
  return typeof value === 'number' ? value : undefined
}

/** The figures among the execution metrics that a new execution of the workflow moves, by JSON Pointer. */
export function executionCounters(json: unknown): Map<string, number> {
  const section = findSection(json, 'execution_metrics') ?? ''
  return new Map([...executionFigures(json)].filter(([pointer]) => isCounter(pointer, section)))
}

function isCounter(pointer: string, section: string): boolean {
  const names = pointer.split('/').slice(1).map(wordsOf)
  const own = names.at(-1) ?? []
  if (!begun.test(own.join(' ')) || names.flat().some((word) => others.test(word) || ended.test(word))) return false
  const between = names.slice(section.split('/').length - 1, -1).flat()
  return between.every((word) => neutral.test(word)) || saysExecutions(own) || saysExecutions(names.at(-2) ?? [])
}

/** Whether a counter is of executions and not, say, of what is pending: of approvals, one execution has several. */
export function countsExecutions(pointer: string): boolean {
  return /execution|run|started|total|count/i.test(pointer.slice(pointer.lastIndexOf('/')))
}

/** Whether a counter says in its own name, or in that of what it stands in, that it is of executions. */
export function isNamedForExecutions(pointer: string): boolean {
  return pointer.split('/').slice(-2).map(wordsOf).some(saysExecutions)
}

/** Whether the counters tell only of executions that have ended: a total and its outcomes, and none that is open. */
export function countOnlyOutcomes(
  figures: ReadonlyMap<string, number>,
  counters: ReadonlyMap<string, number>,
): boolean {
  const nameOf = (pointer: string) => wordsOf(pointer.slice(pointer.lastIndexOf('/'))).join(' ')
  const outcomes = [...figures.keys()].filter((pointer) =>
    /^(succeeded|successful|failed|approved|rejected|completed)$/.test(nameOf(pointer)),
  )
  return outcomes.length >= 2 && [...counters.keys()].every((pointer) => /^(total|count)$/.test(nameOf(pointer)))
}
