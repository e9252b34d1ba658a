/** Binds values to facts that are equal to them. */

import { valueAt } from '../../src/contract/json.ts'
import { type Form, forms, type Json } from '../../src/profile/template.ts'
import { type AnswerPlace, type AnswerSample, factsOf, isShown, type KnownFact } from './sample.ts'
import { areSameTimes, sortByRank } from './time-facts.ts'

/** Binds a value that equals a fact in every sample, as it is or in another form. */
export function bindToFact(
  samples: readonly AnswerSample[],
  place: AnswerPlace,
  allows: (fact: KnownFact) => boolean = () => true,
): Json | undefined {
  const [first, ...others] = samples
  if (!first) return undefined
  const found = waysToWrite(first).filter(
    ({ pointer, value, as, name }) =>
      allows({ pointer, value, name }) &&
      (as !== undefined || samples.some((sample) => factsOf(sample).get(pointer)?.value === sample.value)) &&
      others.every((sample) => {
        const other = factsOf(sample).get(pointer)?.value
        if (other === undefined || other === null) return false
        return writeAs(other, as) === sample.value || (as === undefined && isApprover(sample, pointer))
      }),
  )
  const [best] = sortByRank(found, place, (a, b) => Number(a.as !== undefined) - Number(b.as !== undefined))
  return best ? { $: best.pointer, ...(best.as && { as: best.as }) } : anyApprover(samples, allows)
}

/**
 * Binds an object or a list that is a fact in every sample. Times may differ as far as `areSameTimes` allows, since the mirror answers a
 * little later.
 */
export function bindToWhole(samples: readonly AnswerSample[], place: AnswerPlace): Json | undefined {
  const [first, ...others] = samples
  if (!first || samples.every(({ value }) => isBare(value))) return undefined
  const known = factsOf(first).groups.flatMap(({ wholes }) => [...wholes.values()])
  const found = known.filter(
    ({ pointer, value }) =>
      !hasEarlyDocument(value) &&
      isSame(first.value, value) &&
      others.every((sample) => isSame(sample.value, factsOf(sample).whole(pointer)?.value)),
  )
  const [best] = sortByRank(found, place)
  return best && { $: best.pointer }
}

/** Returns true for an upload with its document, which is added to what the contract answers. */
const hasEarlyDocument = (value: unknown) => isContainer(value) && 'upload_url' in value && 'document_id' in value

/** Returns true for an object or a list with nothing in it, which is equal to others by chance. */
const isBare = (value: unknown) => typeof value === 'object' && Object.keys(value ?? {}).length === 0

/** Returns true if two values are the same, but for times that are as good as the same. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one === 'string') return typeof other === 'string' && areSameTimes(one, other)
  if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(Reflect.get(one, name), Reflect.get(other, name)))
  )
}

const isContainer = (value: unknown): value is object => value !== null && typeof value === 'object'

/** A fact in a form. */
interface WrittenFact extends KnownFact {
  readonly as?: Form
}

/**
 * Returns the facts that a value is equal to, in the forms in which it is. Adds the assigned approvers, since the deployment may have
 * chosen others.
 */
export function waysToWrite(sample: AnswerSample): WrittenFact[] {
  return factsOf(sample).groups.flatMap((group) => {
    const approvers = group.made(assignees).filter(({ pointer }) => isApprover(sample, pointer))
    const equal = (group.made(writtenFacts).get(sample.value) ?? []).filter(
      // Zero is everything times zero.
      ({ pointer, as }) =>
        (as === undefined || sample.value !== 0) && !approvers.some((approver) => approver.pointer === pointer),
    )
    return [...equal, ...approvers]
  })
}

const formNames = Object.keys(forms) as Form[]

/** Returns facts by the values that they have in all forms. */
function writtenFacts(facts: readonly KnownFact[]): ReadonlyMap<unknown, readonly WrittenFact[]> {
  const written = new Map<unknown, WrittenFact[]>()
  const add = (value: unknown, fact: WrittenFact) => {
    const others = written.get(value)
    if (others) others.push(fact)
    else written.set(value, [fact])
  }
  for (const fact of facts) {
    if (fact.value === null || typeof fact.value === 'object' || !isShown(fact)) continue
    add(fact.value, fact)
    for (const as of formNames) {
      if (as === 'ordinal' && !fact.pointer.endsWith('#')) continue
      const value = writeAs(fact.value, as)
      if (value !== undefined && value !== fact.value) add(value, { ...fact, as })
    }
  }
  return written
}

const assignee = /^(.*)\/assignee\/(email|name)$/
const firstApprover = /^(.*)\/step\/approvers\/0\/(email|name)$/
const assignees = (facts: readonly KnownFact[]) =>
  facts.filter(({ pointer, value }) => value !== null && assignee.test(pointer))
const firstApprovers = (facts: readonly KnownFact[]) => facts.filter(({ pointer }) => firstApprover.test(pointer))

/** Binds a value that is always an approver of the step, but not always the approver whom the contract has assigned at that time. */
function anyApprover(samples: readonly AnswerSample[], allows: (fact: KnownFact) => boolean): Json | undefined {
  const [sample] = samples
  if (!sample) return undefined
  for (const fact of factsOf(sample).made(firstApprovers)) {
    const [, item, member] = firstApprover.exec(fact.pointer) ?? []
    if (!allows(fact)) continue
    const assigned = `${item}/assignee/${member}`
    const isEqual = (one: AnswerSample) => {
      const known = factsOf(one)
      return (known.get(assigned)?.value ?? known.get(fact.pointer)?.value) === one.value
    }
    if (samples.some(isEqual) && samples.every((one) => isApprover(one, assigned)))
      return { $: assigned, or: { $: fact.pointer } }
  }
  return undefined
}

/** Returns true if a value is that of another approver of the step: both services may choose any of them. */
function isApprover(sample: AnswerSample, pointer: string): boolean {
  const found = assignee.exec(pointer)
  if (!found) return false
  const [, step = '', member = ''] = found
  const lists = [`${step}/step/approvers`, `${step}/routing/candidates`].map((list) => factsOf(sample).get(list)?.value)
  return lists.some((list) => Array.isArray(list) && list.some((one) => valueAt(one, `/${member}`) === sample.value))
}

/** Returns a value in a form of templates; undefined if it has none. */
export function writeAs(value: unknown, as: Form | undefined): unknown {
  if (as === undefined) return value
  if (typeof value === 'object' || value === undefined) return undefined
  return (forms[as] as (value: unknown) => unknown)(value)
}
