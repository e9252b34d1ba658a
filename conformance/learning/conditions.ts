/** Finds the simplest condition over the facts that tells classes of samples apart, such as those with a member from those without. */
import { caseOf, isSomething, type Json } from '../../src/profile/template.ts'
import { isKeyword } from './item-kinds.ts'
import { itemsOf, listsIn, partialLists } from './list-choices.ts'
import { type AnswerPlace, type AnswerSample, factsOf, factValues, type KnownFact, pointersIn } from './sample.ts'
import { sortByRank } from './time-facts.ts'

/** A condition that agrees with all samples. */
export interface Condition extends Classified {
  readonly pointer: string
  readonly way: 'if' | 'case'
  /** Only the items of a list that have a member count, or only those that lack it. */
  readonly where?: string | undefined
  readonly unless?: string | undefined
}

interface Classified {
  /** What the condition says of each sample: `true` or `false`, or one of several cases. */
  readonly keys: readonly string[]
  /** The class of the samples of which it says that. */
  readonly classOf: ReadonlyMap<string, string>
}

/** The most cases that are told apart. */
const mostCases = 12

/**
 * Returns the simplest condition by which samples of different classes differ: that a fact is there, which of a few values it has,
 * that a list is longer than a number, that some of its items have a member or lack it.
 */
export function conditionFor(
  samples: readonly AnswerSample[],
  place: AnswerPlace,
  classify: (sample: AnswerSample) => string,
): Condition | undefined {
  const classNames = samples.map(classify)
  const classes = new Set(classNames)
  if (classes.size < 2 || classes.size > mostCases || samples.length < 2) return undefined
  const single = [
    ...[...pointersIn(samples)].flatMap((pointer) => ofFact(samples, pointer, classNames)),
    ...longLists(samples, classNames),
  ]
  const ranked = sortByRank(
    single,
    place,
    (a, b) => Number(a.way === 'case') - Number(b.way === 'case') || a.classOf.size - b.classOf.size,
  )
  const [best] = ranked.toSorted((a, b) => tellerRank(a.pointer) - tellerRank(b.pointer))
  return best ?? (classes.size > 2 ? undefined : sortByRank(someItems(samples, classNames), place)[0])
}

/** Makes a template that depends on a condition. `of` makes that of the samples with a key; undefined leaves the member out. */
export function underCondition(condition: Condition, of: (key: string) => Json | undefined): Json {
  const { pointer, where, unless, keys } = condition
  if (condition.way === 'case') {
    const cases = [...condition.classOf.keys()].flatMap((key): [string, Json][] => {
      const template = of(key)
      return template === undefined ? [] : [[key, template]]
    })
    if (cases.length < condition.classOf.size) return { $case: pointer, values: Object.fromEntries(cases) }
    const count = (key: string) => keys.filter((one) => one === key).length
    const most = cases.toSorted(([a], [b]) => count(b) - count(a))[0]?.[1] ?? null
    const usual = JSON.stringify(most)
    const others = cases.filter(([, template]) => JSON.stringify(template) !== usual)
    return { $case: pointer, values: Object.fromEntries(others), else: most }
  }
  const [present, absent] = [of('true'), of('false')]
  return {
    $if: pointer,
    ...(where !== undefined && { where }),
    ...(unless !== undefined && { unless }),
    ...(present !== undefined && { present }),
    ...(absent !== undefined && { absent }),
  }
}

type Candidate = Condition & KnownFact

function ofFact(samples: readonly AnswerSample[], pointer: string, classNames: readonly string[]): Candidate[] {
  const values = factValues(samples, pointer)
  const fact = { pointer, name: pointer.split('/').at(-1) ?? '', value: undefined }
  const present = classified(values.map(isSomething), classNames)
  const cases = classified(values.map(caseOf), classNames)
  const isCase =
    cases &&
    cases.classOf.size <= mostCases &&
    (cases.classOf.size < samples.length || samples.length <= 2) &&
    cases.keys.every(isKeyword)
  return [
    ...(present ? [{ ...fact, way: 'if' as const, ...present }] : []),
    ...(isCase ? [{ ...fact, way: 'case' as const, ...cases }] : []),
  ]
}

/** Returns keys with the class of each, if samples with one key have one class, and there are several keys. */
function classified(values: readonly (string | boolean)[], classNames: readonly string[]): Classified | undefined {
  const classOf = new Map<string, string>()
  const keys = values.map(String)
  for (const [index, key] of keys.entries()) {
    const own = classNames[index] ?? ''
    if ((classOf.get(key) ?? own) !== own) return undefined
    classOf.set(key, own)
  }
  return classOf.size < 2 ? undefined : { keys, classOf }
}

/** The most lengths of a list that may tell classes apart. */
const mostLengths = 8

/** Returns the lists whose length tells classes apart: whether there is an item beyond the first ones, as of a page. */
function longLists(samples: readonly AnswerSample[], classNames: readonly string[]): Candidate[] {
  return listsIn(samples).flatMap((list) => {
    const all = samples.map((sample) => itemsOf(sample, list).length)
    const lengths = [...new Set(all)].filter((length) => length > 0)
    if (lengths.length > mostLengths) return []
    return lengths.flatMap((length): Candidate[] => {
      const found = classified(
        all.map((one) => one > length),
        classNames,
      )
      return found ? [{ pointer: `${list.pointer}/${length}`, name: '', way: 'if', value: undefined, ...found }] : []
    })
  })
}

/** Returns the lists of which some items have a member, or lack it, in the samples of one class only. */
function someItems(samples: readonly AnswerSample[], classNames: readonly string[]): Candidate[] {
  return listsIn(samples).flatMap((list) =>
    partialLists(samples, list).flatMap((part): Candidate[] => {
      const found = classified(
        samples.map((sample) => itemsOf(sample, part).length > 0),
        classNames,
      )
      return found ? [{ ...part, way: 'if', ...found }] : []
    }),
  )
}

/** Ranks the facts that tell refusals apart: the code first, then the rule. Times, texts and identifiers tell everything apart. */
function tellerRank(pointer: string): number {
  if (/(^|\/)(code)$/.test(pointer)) return 0
  // The latest execution's status says little about the workflow.
  if (/(^|\/)(rule|about|operation|status)$/.test(pointer) && !pointer.startsWith('/answer/recent')) return 1
  if (pointer.endsWith('/got')) return 1.2
  if (/\/(field|pointer)$/.test(pointer)) return 1.5
  if (/#$|\/\d+$/.test(pointer)) return 8
  if (/_at$|\/now$|_id$|\/key$|message$|detail$|_url$|^\/count$/.test(pointer)) return 9
  return 2
}

/** Returns true if a fact says what a refusal is about. */
const isSubject = (pointer: string) => pointer.startsWith('/problem/') && tellerRank(pointer) < 2

/** A keyword that values mostly follow: its pointer, what it is, and the samples of each. */
interface LikelyCondition {
  readonly pointer: string
  readonly keys: readonly string[]
  readonly classes: readonly (readonly AnswerSample[])[]
}

/** Returns the keyword that leaves the fewest different values within its cases; undefined if none leaves fewer than there are. */
export function likelyCondition(samples: readonly AnswerSample[]): LikelyCondition | undefined {
  const [first] = samples
  if (!first || samples.length < 2) return undefined
  const found = [...factsOf(first).values()].flatMap(({ pointer }) => {
    if (samples.length < 3 ? !isSubject(pointer) : tellerRank(pointer) >= 9) return []
    const ofSamples = factValues(samples, pointer).map(caseOf)
    const keys = [...new Set(ofSamples)]
    if (keys.length < 2 || keys.length > mostCases || !keys.every(isKeyword)) return []
    const classes = keys.map((key) => samples.filter((_, index) => ofSamples[index] === key))
    const kinds = classes.map((each) => new Set(each.map(({ value }) => value)).size)
    return [{ pointer, keys, classes, left: kinds.reduce((sum, count) => sum + count - 1, 0) }]
  })
  const all = new Set(samples.map(({ value }) => value)).size - 1
  // What differs from answer to answer follows nothing.
  if (samples.length >= 8 && all > 0.8 * samples.length) return undefined
  return found
    .filter(({ left }) => left < all)
    .toSorted((a, b) => a.left - b.left || tellerRank(a.pointer) - tellerRank(b.pointer))[0]
}
