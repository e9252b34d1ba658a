/** Finds the lists of facts that a list of an answer may show: whole or in part, in their own order, reversed or sorted. */
import { escapePointer, valueAt } from '../../src/contract/json.ts'
import { asList, isSomething, type Selection, selector } from '../../src/profile/template.ts'
import { type AnswerPlace, type AnswerSample, factsOf, type KnownFact } from './sample.ts'
import { sortByRank } from './time-facts.ts'

/** A list of the facts, sorted or filtered. */
export interface ListChoice extends Omit<Selection, 'limit'>, KnownFact {}

/** Returns the members of an instruction that say which items of a list it takes, and in which order. */
export function selection({ by, reversed, where, unless }: ListChoice) {
  return {
    ...(by && { by }),
    ...(reversed && { reversed }),
    ...(where && { where }),
    ...(unless && { unless }),
  }
}

/** Returns the lists that all samples have among their facts. */
export function listsIn(samples: readonly AnswerSample[]): KnownFact[] {
  const [first, ...others] = samples
  if (!first) return []
  return [...factsOf(first).made(listsAmong)].filter(({ pointer }) =>
    others.every((sample) => Array.isArray(factsOf(sample).get(pointer)?.value)),
  )
}

const listsAmong = (facts: readonly KnownFact[]) => facts.filter(({ value }) => Array.isArray(value))

/** Returns the items of a list of facts. A single value counts as a list of one. */
export function itemsOf(
  sample: AnswerSample,
  { pointer, ...choice }: Selection & { pointer: string },
): readonly unknown[] {
  return selector(choice)(asList(factsOf(sample).get(pointer)?.value))
}

/**
 * Returns the lists of facts that have the required number of items in every sample: whole or filtered, in their own order,
 * reversed or sorted. `isLong` compares lengths in another way.
 */
export function listChoices(
  samples: readonly AnswerSample[],
  place: AnswerPlace,
  lengthOf: (sample: AnswerSample) => number,
  isLong = (length: number, required: number) => length === required,
): ListChoice[] {
  const required = samples.map(lengthOf)
  const hasAll = (part: ListChoice) =>
    samples.every((sample, index) => isLong(itemsOf(sample, part).length, Number(required[index])))
  // Lengths are compared first: most lists are too short, or as long as they must be.
  const long = listsIn(samples).filter((list) =>
    samples.every((sample, index) => itemsOf(sample, list).length >= Number(required[index])),
  )
  return sortByRank(long, place)
    .flatMap((list) => (hasAll(list) ? [list] : partialLists(samples, list).filter(hasAll)))
    .flatMap((part) => inOrders(samples, part))
    .filter((choice, index, all) => isDifferent(samples, choice, all.slice(0, index)))
}

/** Returns a list of facts, and its parts: the items that have something, and those that lack it. */
export function partialLists(samples: readonly AnswerSample[], list: ListChoice): ListChoice[] {
  const items = samples.flatMap((sample) => itemsOf(sample, list))
  const [first] = items
  const names = first !== null && typeof first === 'object' && !Array.isArray(first) ? Object.keys(first) : []
  const isPartly = (values: readonly unknown[]) => values.some(isSomething) && !values.every(isSomething)
  const paths = names.flatMap((name) => {
    const path = `/${escapePointer(name)}`
    const values = items.map((item) => (item as Record<string, unknown> | null | undefined)?.[name])
    if (isPartly(values)) return [path]
    return values.every(Array.isArray) && isPartly(values.map((value: unknown[]) => value[1])) ? [`${path}/1`] : []
  })
  return [
    list,
    ...paths.flatMap((path) => [
      { ...list, where: path },
      { ...list, unless: path },
    ]),
  ]
}

/** Returns a list of facts in its own order, sorted and reversed. */
function inOrders(samples: readonly AnswerSample[], part: ListChoice): ListChoice[] {
  const items = samples.flatMap((sample) => itemsOf(sample, { pointer: part.pointer }))
  const isNumber = (path: string) => items.every((item) => typeof valueAt(item, path) === 'number')
  const orders = ['/order', '/step/order', '/step/position', '/samples'].filter(
    (path) => items.length > 0 && isNumber(path),
  )
  return [part, ...orders.map((by) => ({ ...part, by })), { ...part, reversed: true as const }]
}

/** Returns true if a choice gives other items than those before it. */
function isDifferent(samples: readonly AnswerSample[], choice: ListChoice, before: readonly ListChoice[]): boolean {
  return !before.some(
    (other) =>
      other.pointer === choice.pointer &&
      samples.every((sample) => {
        const [a, b] = [itemsOf(sample, choice), itemsOf(sample, other)]
        return a.every((item, index) => item === b[index])
      }),
  )
}
