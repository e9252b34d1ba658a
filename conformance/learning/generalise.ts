/**
 * Makes a template from answers by anti-unification: the least general term of which all samples are instances. Equal parts
 * stay constants; where samples differ, a term becomes a variable (Plotkin, A Note on Inductive Generalization, Machine
 * Intelligence 5, 1970; Reynolds, Transformational Systems and the Algebraic Structure of Atomic Formulas, 1970). Here a
 * variable must be bound to a fact of the call that has the same value in every sample; only where there is none does it
 * become a new value of the same kind.
 */
import { escapePointer } from '../../src/contract/json.ts'
import { schemas } from '../../src/contract/schemas.gen.ts'
import { isStatusTemplate } from '../../src/profile/profile.ts'
import type { Form, Json, TimeForm } from '../../src/profile/template.ts'
import { commonForm, readTime } from '../reading/times.ts'
import { bindToFact, bindToWhole, waysToWrite, writeAs } from './bind.ts'
import { type Condition, conditionFor, likelyCondition, underCondition } from './conditions.ts'
import { durationForm, minutesIn, namedFigure } from './figures.ts'
import { divisionsOf, kindOf, type OfKind } from './item-kinds.ts'
import { itemsOf, type ListChoice, listChoices, listsIn, partialLists, selection } from './list-choices.ts'
import { type ComposedNaming, composedNamings, type Naming, namingsOf, samplesNamed } from './member-names.ts'
import { likeness } from './names.ts'
import { divided } from './refusal-parts.ts'
import {
  type AnswerPlace,
  type AnswerSample,
  attempt,
  doubtOf,
  factsOf,
  type Guess,
  isDistinctive,
  type KnownFact,
  leavesIn,
  memberSamples,
} from './sample.ts'
import { anyItemIn, counting, fieldSpellings, indexOfWord, isExplained, textTemplate } from './text.ts'
import { factsInAll, rankOf, sortByRank, timeFact } from './time-facts.ts'

/** Limits for deployments that answer nonsense. */
const maxDepth = 24
const mostMembers = 400
const mostItems = 60
const longestText = 10_000

/** Returns the most special template that all samples are instances of. There must be at least one sample. */
export function generalise(samples: readonly AnswerSample[], at: AnswerPlace): Json {
  const place = { ...at, answers: at.answers ?? samples.length }
  if (place.depth > maxDepth) return guessLast(samples, place, 'it is nested too deeply')
  const whole = bindToWhole(samples, place)
  if (whole !== undefined) return whole
  const kinds = new Set(samples.map(({ value }) => kindOf(value)))
  if (kinds.size > 1) {
    return (
      splitByFact(samples, place, ({ value }) => kindOf(value)) ??
      usually(samples, place) ??
      namedFigure(samples, place) ??
      cheapest(place, [(inner) => mostlyBound(samples, inner), (inner) => ofMostKind(samples, inner)])
    )
  }
  const [kind] = kinds
  if (kind === 'list') return listTemplate(samples, place)
  if (kind === 'object') return objectTemplate(samples, place)
  return scalarTemplate(samples, place)
}

/** Returns the template of answers: of the status, of each header and of the body by itself, so that a profile can have it. */
export function generaliseAnswer(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  return membersTemplate(samples, place, (having, inner) => {
    if (inner.name === 'headers') return membersTemplate(having, inner)
    const made = generalise(having, inner)
    if (inner.name !== 'status' || isStatusTemplate(made)) return made
    return guessMost(having, inner, 'what it follows in these answers could be no status in others')
  })
}

function ofMostKind(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  const count = (kind: string) => samples.filter(({ value }) => kindOf(value) === kind).length
  const most = (['object', 'list', 'scalar', 'null'] as const).toSorted((a, b) => count(b) - count(a))[0]
  const others = samples.filter(({ value }) => kindOf(value) !== most)
  place.guess({
    pointer: place.pointer,
    why: 'its kind changes, and no fact explains when',
    wrong: leavesOf(others, samples.length),
  })
  return generalise(
    samples.filter(({ value }) => kindOf(value) === most),
    place,
  )
}

/** Returns the number of values in samples, divided by a number of samples. */
const leavesOf = (samples: readonly AnswerSample[], count: number) =>
  sum(samples.map(({ value }) => leavesIn(value))) / count

function guessLast(samples: readonly AnswerSample[], { pointer, guess }: AnswerPlace, why: string, wrong = 1): Json {
  guess({ pointer, why, wrong })
  return quoted(samples.at(-1)?.value as Json)
}

/** Returns how often samples have each value. */
function timesOf(samples: readonly AnswerSample[]): ReadonlyMap<unknown, number> {
  const times = new Map<unknown, number>()
  for (const { value } of samples) times.set(value, (times.get(value) ?? 0) + 1)
  return times
}

/** Repeats the most frequent value; if several are equally frequent, the last. */
function guessMost(samples: readonly AnswerSample[], place: AnswerPlace, why: string): Json {
  const times = timesOf(samples)
  const most = Math.max(...times.values())
  return guessLast(
    samples.filter(({ value }) => times.get(value) === most),
    place,
    why,
    1 - most / samples.length,
  )
}

/** Returns a constant as a template. Cuts long texts, lists and objects. */
function quoted(value: Json): Json {
  if (value === undefined) return null
  if (typeof value === 'string') return value.slice(0, longestText)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.slice(0, mostItems).map(quoted)
  const shown = Object.entries(value).slice(0, mostMembers)
  return members(shown.map(([name, member]) => [name, quoted(member)]))
}

function members(entries: readonly (readonly [string, Json])[]): Json {
  const object = Object.fromEntries(entries)
  return entries.some(([name]) => name.startsWith('$')) ? { $members: object } : object
}

// Scalars

function scalarTemplate(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  const [first] = samples
  const value = first?.value as Json
  if (samples.every((sample) => sample.value === value)) return constantTemplate(samples, place)
  const simple =
    bindToFact(samples, place) ?? timeTemplate(samples, place) ?? duration(samples, place) ?? counted(samples, place)
  if (simple !== undefined) return simple
  const byText = splitByFact(samples, place, ({ value }) => String(value === ''))
  if (byText !== undefined) return byText
  const text = textTemplate(samples)
  const byError = () => divided(samples, withoutField, (part) => generaliseClass(part, place))
  return (
    (text !== undefined && isExplained(text) && anyItemIn(text) === undefined ? text : undefined) ??
    unlessOverfitted(samples, place, (inner) =>
      splitByFact(samples, inner, typeof value === 'number' ? emptiness : (one) => String(one.value)),
    ) ??
    splitByFact(samples, place, withoutField) ??
    (oftenRepeats(samples) ? byError() : undefined) ??
    (text !== undefined ? nearlyBound(samples, place) : undefined) ??
    (text !== undefined ? ofAnyItem(text, place) : undefined) ??
    byError() ??
    usually(samples, place) ??
    numbering(samples) ??
    cheapest(place, [
      (inner) => unlessOverfitted(samples, inner, (within) => likelyCases(samples, within)),
      (inner) => namedFigure(samples, inner),
      (inner) => mostlyBound(samples, inner),
      (inner) => guessMost(samples, inner, 'it differs from answer to answer, and no fact explains it'),
    ])
  )
}

/** The fewest things that show that they are numbered. */
const leastNumbered = 6

/** New numbers for items that a deployment numbers one after the other, as rows of a table are: each has its own, and keeps it. */
function numbering(samples: readonly AnswerSample[]): Json | undefined {
  if (samples.some(({ items }) => items.length === 0)) return undefined
  const things = new Map(samples.map((sample) => [`${sample.thing}/${sample.indices?.join('/')}`, sample] as const))
  const isKept = samples.every((one) => things.get(`${one.thing}/${one.indices?.join('/')}`)?.value === one.value)
  const numbers = samples.map(({ value }) => value)
  if (!isKept || things.size < leastNumbered || !numbers.every(Number.isInteger)) return undefined
  // More digits than there are, so that no two are the same by chance.
  const length = String(Math.max(...numbers.map(Number))).length + 3
  return counting([...things.values()]) && { $new: 'integer', length }
}

/** Returns the template with the least doubt; of several such templates, the first. At least one way must succeed. */
function cheapest(place: AnswerPlace, ways: readonly ((inner: AnswerPlace) => Json | undefined)[]): Json {
  return mustExplain(
    place,
    ways.map((make) => candidate(place, make, () => 0)),
  )
}

/** The most doubt of a fact that is likelier than many cases. */
const littleDoubt = 0.25

/** Makes a template, or binds a fact that nearly all samples show if the template needs a constant for every second sample. */
function unlessOverfitted(
  samples: readonly AnswerSample[],
  place: AnswerPlace,
  make: (inner: AnswerPlace) => Json | undefined,
): Json | undefined {
  const found = candidate(place, make).explain()
  if (!found) return undefined
  const bound = 2 * constantsIn(found.template) >= samples.length ? nearlyBound(samples, place) : undefined
  return bound ?? taken(place, found)
}

/** Binds a value to a fact that nearly all samples show. */
function nearlyBound(samples: readonly AnswerSample[], place: AnswerPlace): Json | undefined {
  return taken(place, candidate(place, (inner) => mostlyBound(samples, inner)).explain(littleDoubt))
}

/** How many constants a new value counts as: it explains less than one. */
const newValue = 4

/** Returns the number of constants in a template. */
function constantsIn(template: Json | undefined): number {
  if (template === undefined) return 0
  if (template === null || typeof template !== 'object') return 1
  if (Array.isArray(template)) return sum(template.map(constantsIn))
  if ('$new' in template) return newValue
  if (['$', '$time', '$count'].some((name) => name in template)) return 0
  const { $each, $entries, $case, $if, by, where, unless, reversed, ...made } = template as Readonly<
    Record<string, Json>
  >
  return sum(Object.values(made).map(constantsIn))
}

/** The least share of samples that a fact explains, if it does not explain all. */
const mostOfThem = 0.6

/** Binds a value to the fact that most samples show, if that explains more of them than a constant does. */
function mostlyBound(samples: readonly AnswerSample[], place: AnswerPlace): Json | undefined {
  const filled = samples.filter(({ value }) => value !== null)
  const ways = new Map<string, { readonly fact: KnownFact; readonly as?: Form }>()
  for (const sample of filled.slice(0, mostItems))
    for (const { as, ...fact } of waysToWrite(sample))
      ways.set(`${fact.pointer} ${as ?? ''}`, { fact, ...(as && { as }) })
  const isRight = ({ fact, as }: { readonly fact: KnownFact; readonly as?: Form }, sample: AnswerSample) => {
    const value = factsOf(sample).get(fact.pointer)?.value ?? null
    return value === null ? sample.value === null : writeAs(value, as) === sample.value
  }
  const counted = [...ways.values()].map((way) => ({
    ...way,
    ...way.fact,
    right: samples.filter((sample) => isRight(way, sample)).length,
  }))
  const constant = Math.max(...timesOf(samples).values())
  const good = counted.filter(({ right }) => right > constant && right >= mostOfThem * samples.length)
  const most = Math.max(...good.map(({ right }) => right))
  const [best] = sortByRank(
    good.filter(({ right }) => right === most),
    place,
    (a, b) => Number(a.as !== undefined) - Number(b.as !== undefined),
  )
  if (!best) return undefined
  const { pointer, as } = best
  place.guess({
    pointer: place.pointer,
    why: `it mostly shows ${pointer}`,
    wrong: 1 - most / samples.length,
  })
  return { $: pointer, ...(as && { as }), ...(filled.length < samples.length && { or: null }) }
}

/** Makes the template of usual answers, if facts explain those, and `isGood` returns true for it. */
function usually(
  samples: readonly AnswerSample[],
  place: AnswerPlace,
  isGood: (template: Json) => boolean = () => true,
): Json | undefined {
  const usual = samples.filter(({ isOdd }) => !isOdd)
  if (usual.length === 0 || usual.length === samples.length) return undefined
  const tried = attempt(place, (inner) => generalise(usual, inner), 0)
  if (!tried || !isGood(tried.made)) return undefined
  place.guess({
    pointer: place.pointer,
    why: 'unusual answers differ, and no fact explains them',
    isForOdd: true,
  })
  return tried.made
}

/** Returns true if many of the texts are equal, apart from the field that they name. Generated texts seldom are. */
function oftenRepeats(samples: readonly AnswerSample[]): boolean {
  return samples.length >= 8 && new Set(samples.map(withoutField)).size < 0.75 * samples.length
}

/** Notes a guess if a template shows one item of a list and no fact says which. */
function ofAnyItem(template: Json, { pointer, guess }: AnswerPlace): Json {
  const list = anyItemIn(template)
  if (list !== undefined) guess({ pointer, why: `it is that of one of ${list}, and no fact explains which` })
  return template
}

/** Separates 0 and -1, which rates and means often are before any execution has ended, from other numbers. */
const emptiness = ({ value }: AnswerSample) => String(value === 0 || value === -1)

/** Returns a text without the field that was broken and its value, so that equal sentences about different fields are equal. */
function withoutField(sample: AnswerSample): string {
  let text = String(sample.value)
  for (const { pointer, value } of factsOf(sample).values()) {
    if (pointer.endsWith('/sent') && value !== '' && indexOfWord(text, String(value)) >= 0)
      text = text.replace(String(value), '\u0001')
  }
  for (const { pointer, value } of factsOf(sample).values()) {
    if (!pointer.endsWith('/pointer')) continue
    for (const as of fieldSpellings) {
      const field = writeAs(value, as)
      if (typeof field === 'string' && field !== '' && indexOfWord(text, field) >= 0)
        return text.replace(field, '\u0000')
    }
  }
  return text
}

/** Makes a constant of a value that was the same in all samples, unless it has the name of a fact of the same value. */
function constantTemplate(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  const value = samples[0]?.value as Json
  const named = bindToFact(samples, place, (fact) => likeness(place.name, fact.name) === 3 || isDistinctive(fact))
  if (named !== undefined) return named
  const time = timeTemplate(samples, place)
  if (time !== undefined) return time
  if (isEmpty(value)) {
    const isAlike = ({ name }: KnownFact) => likeness(place.name, name) >= 2 && !objects.has(name)
    const [unset] = sortByRank(
      factsInAll(samples, (each) => each === null, isAlike),
      place,
    )
    if (unset) return { $: unset.pointer, or: value }
  }
  if (typeof value === 'string' && value.length > longestText)
    return guessLast(samples, place, `a text has more than ${longestText} characters, and was cut`)
  const text = typeof value === 'string' ? textTemplate(samples) : undefined
  if (text === undefined && typeof value === 'string' && place.isOwn?.(value))
    place.guess({ pointer: place.pointer, why: 'it belongs to the session, and no fact explains it' })
  return text ?? value
}

/** The members of the contract's answers that are objects, or null. */
const objects = new Set(
  Object.values(schemas).flatMap(({ properties = {} }: { readonly properties?: object }) =>
    Object.entries(properties).flatMap(([name, schema]) => ('oneOf' in schema ? name : [])),
  ),
)

const isEmpty = (value: Json) => value === null || value === 0 || value === '' || value === false

function timeTemplate(samples: readonly AnswerSample[], place: AnswerPlace): Json | undefined {
  if (readTime(samples[0]?.value) === undefined) return undefined
  const times = samples.map(({ value }) => readTime(value))
  const { form, zone } = commonForm(times) ?? {}
  if (form === undefined) return undefined
  const all = times.flatMap((time) => time?.ms ?? [])
  const best = timeFact(samples, all, place.name)
  const inZone = zone === undefined ? {} : { zone }
  if (!best) {
    if (form === 'date' && isOldConstant(samples, all)) return undefined
    place.guess({ pointer: place.pointer, why: 'it is a time that no fact explains' })
    return { $time: '/now', form, ...inZone }
  }
  const { pointer, plus } = best
  // Facts have this form already. Whether the clocks agree to the millisecond must not decide what is learned.
  if (form === 'iso' && plus === 0) return { $: pointer }
  return { $time: pointer, form: form satisfies TimeForm, ...(plus !== 0 && { plus }), ...inZone }
}

/** Returns true if a date is always the same and long past, such as that of a version. */
function isOldConstant(samples: readonly AnswerSample[], times: readonly number[]): boolean {
  const week = 7 * 24 * 60 * 60 * 1000
  return times.every((ms, index) => ms === times[0] && (samples[index]?.at ?? 0) - ms > week)
}

/** The most that a duration may differ from the fact that it follows: in minutes or as a share, as figures are rounded. */
const [nearMinutes, nearShare] = [0.05, 0.02]

/** The shortest duration that is told from a count, in minutes: 60 ms. */
const leastMinutes = 0.001

/** Binds a duration to a fact in minutes, in its own unit. It moves with the time, so it is close to the fact, and not equal. */
function duration(samples: readonly AnswerSample[], place: AnswerPlace): Json | undefined {
  const isText = samples.every(({ value }) => typeof value === 'string')
  const values = samples.map(({ value }) => (isText ? minutesIn(value) : value))
  if (!values.every((value) => typeof value === 'number')) return undefined
  const units = isText ? ([undefined] as const) : ([undefined, 'minutes', 'millis'] as const)
  const inMinutes = ({ name }: KnownFact) => name.endsWith('_minutes')
  const [best] = factsInAll(samples, (value) => typeof value === 'number', inMinutes)
    .flatMap((fact) =>
      units.map((as) => {
        const unit = Number(writeAs(1, as))
        const distances = samples.map((sample, index) => {
          const minutes = Number(factsOf(sample).get(fact.pointer)?.value)
          const apart = Math.abs(Number(values[index]) / unit - minutes)
          return { apart, share: apart / Math.max(minutes, 1) }
        })
        return { fact, as, distances, furthest: Math.max(...distances.map(({ apart }) => apart)) }
      }),
    )
    .filter(({ fact, as, distances }) => {
      const isClose = distances.every(({ share }) => share <= nearShare)
      if (likeness(place.name, fact.name) > 0) return isClose || distances.every(({ apart }) => apart <= nearMinutes)
      const unit = Number(writeAs(1, as))
      return isClose && values.every((value) => Number(value) >= 1 && Number(value) / unit >= leastMinutes)
    })
    .toSorted((a, b) => rankOf(a.fact, place.name) - rankOf(b.fact, place.name) || a.furthest - b.furthest)
  const as = isText ? durationForm(samples) : best?.as
  return best && { $: best.fact.pointer, ...(as && { as }) }
}

/** Binds a number to the number of items of a list of the facts. */
function counted(samples: readonly AnswerSample[], place: AnswerPlace): Json | undefined {
  const as = typeof samples[0]?.value === 'string' ? ({ as: 'text' } as const) : {}
  const [best] = listChoices(samples, place, ({ value }) => Number(value)).filter(
    ({ by, reversed }) => !by && !reversed,
  )
  return best && { $count: best.pointer, ...as, ...selection(best) }
}

/** Makes a template for each class of samples, if a condition tells the classes apart. */
function splitByFact(
  samples: readonly AnswerSample[],
  place: AnswerPlace,
  classify: (sample: AnswerSample) => string,
): Json | undefined {
  const condition = conditionFor(samples, place, classify)
  return condition && underCondition(condition, (key) => generaliseClass(withKey(samples, condition, key), place))
}

const withKey = (samples: readonly AnswerSample[], { keys }: Condition, key: string) =>
  samples.filter((_, index) => keys[index] === key)

function generaliseClass(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  return generalise(samples, { ...place, depth: place.depth + 1 })
}

/** Texts that mostly follow a keyword: a case for each of its values, and within it what the samples have in common. */
function likelyCases(samples: readonly AnswerSample[], place: AnswerPlace): Json | undefined {
  const best = likelyCondition(samples)
  if (!best) return undefined
  const values = best.keys.map((key, index) => [key, generaliseClass(best.classes[index] ?? [], place)] as const)
  return { $case: best.pointer, values: Object.fromEntries(values), else: values[0]?.[1] ?? null }
}

// Objects

function objectTemplate(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  const entries = entriesTemplate(samples, place)
  if (entries) return entries
  return mustExplain(place, [
    candidate(place, (inner) => membersTemplate(samples, inner)),
    candidate(place, (inner) => partlyNamed(samples, inner)),
    ...composedNamings(samples, place).map((naming) =>
      candidate(place, (inner) => composedTemplate(samples, naming, inner)),
    ),
  ])
}

/** Makes an object member by member. */
function membersTemplate(samples: readonly AnswerSample[], place: AnswerPlace, make = generalise): Json {
  const names = [...new Set(samples.flatMap(({ value }) => Object.keys(value as object)))]
  if (names.length > mostMembers) return guessLast(samples, place, 'it has too many members')
  const made = new Map<string, Json | undefined>(names.map((name) => [name, undefined]))
  const havingOf = new Map(names.map((name) => [name, memberSamples(samples, name)] as const))
  // Members that take little time first: an attempt may be given up before the others.
  const isLarge = ([, having]: readonly [string, AnswerSample[]]) =>
    having.some(({ value }) => ['list', 'object'].includes(kindOf(value)))
  for (const [name, having] of [...havingOf].toSorted((a, b) => Number(isLarge(a)) - Number(isLarge(b)))) {
    const inner: AnswerPlace = {
      ...place,
      pointer: `${place.pointer}/${escapePointer(name)}`,
      name: nameBeside(samples, name) ?? name,
      depth: place.depth + 1,
    }
    const isAlways = having.length === samples.length
    made.set(name, isAlways ? make(having, inner) : optionalMember(samples, having, name, inner))
  }
  return members([...made].flatMap(([name, template]) => (template === undefined ? [] : [[name, template]])))
}

/** Returns the name that a member gives to the one beside it, as in `{"name": "status", "value": "open"}`. */
function nameBeside(samples: readonly AnswerSample[], member: string): string | undefined {
  const names = samples.map(({ value }) => {
    const [first, second, ...others] = Object.entries(value as object)
    if (!first || second?.[0] !== member || others.length > 0) return undefined
    return typeof first[1] === 'string' ? first[1] : undefined
  })
  return names.every((name) => name === names[0]) ? names[0] : undefined
}

/** Makes a member that only some samples have: it is there if a fact is, or if most have it. */
function optionalMember(
  samples: readonly AnswerSample[],
  having: readonly AnswerSample[],
  name: string,
  place: AnswerPlace,
): Json | undefined {
  const has = (sample: AnswerSample) => Object.hasOwn(sample.value as object, name)
  const member = generalise(having, place)
  const condition = conditionFor(
    samples.map((sample) => ({ ...sample, value: has(sample) })),
    place,
    ({ value }) => String(value),
  )
  if (condition) return underCondition(condition, (key) => (condition.classOf.get(key) === 'true' ? member : undefined))
  const isPure = (part: readonly AnswerSample[]) => part.every((sample) => has(sample) === (part[0] && has(part[0])))
  let isExplained = true
  const byKind = divided(
    samples,
    (sample) => String(has(sample)),
    (part) => {
      isExplained &&= isPure(part)
      return part.some(has) ? member : undefined
    },
  )
  if (byKind !== undefined && isExplained) return byKind
  place.guess({ pointer: place.pointer, why: 'it is not always there, and no fact explains when' })
  return having.length * 2 >= samples.length ? member : undefined
}

/** Makes an object whose members are named by facts: the items of a list, such as the steps, or a single value. */
function entriesTemplate(samples: readonly AnswerSample[], place: AnswerPlace): Json | undefined {
  return entriesOf(samples, namingsOf(samples, place), place)
}

/** Makes an object whose members are named by facts. Chooses the naming that explains the members best. */
function entriesOf(samples: readonly AnswerSample[], namings: readonly Naming[], place: AnswerPlace): Json | undefined {
  const candidates = namings.map(({ choice, key, members }) => {
    const values = namedSamples(samples, members)
    const isInOrder = samples.every((sample) => {
      const named = members(sample)
      return Object.keys(sample.value as object).every((name, index) => name === named[index]?.name)
    })
    const make = (inner: AnswerPlace) => {
      const value = generalise(values, inner)
      return { $entries: choice.pointer, key, value, ...selection(choice) }
    }
    return candidate(insideOf(place, choice), make, ({ value }) => cost(value) + (isInOrder ? 0 : 0.5))
  })
  return taken(place, leastOf(candidates))
}

/** Returns the samples of the members that items name. */
function namedSamples(samples: readonly AnswerSample[], members: Naming['members']): AnswerSample[] {
  return samples.flatMap((sample) =>
    members(sample).map(({ name, value, item, index }) => ({
      ...sample,
      value,
      items: [...sample.items, item],
      indices: [...(sample.indices ?? []), index],
      thing: `${sample.thing}/${name}`,
    })),
  )
}

/** Returns the place of what is made for each item of a list. */
const insideOf = (place: AnswerPlace, { pointer }: ListChoice): AnswerPlace => ({
  ...place,
  inside: [...(place.inside ?? []), pointer],
  pointer: `${place.pointer}/*`,
  depth: place.depth + 1,
})

/** Makes an object with several members for each item of a list, and those that no item names beside them. */
function composedTemplate(samples: readonly AnswerSample[], naming: ComposedNaming, place: AnswerPlace): Json {
  const { choice, keyOf, rows, others } = naming
  const made = Object.entries(membersIn(membersTemplate(namedSamples(samples, rows), insideOf(place, choice))))
  const [first, ...also] = made.map(([around, value]) => ({ key: keyOf(around), value }))
  const entries = { $entries: choice.pointer, ...first, ...(also.length > 0 && { also }), ...selection(choice) }
  const rest = samples.map((sample) => ({ ...sample, value: others(sample) }))
  if (rest.every(({ value }) => Object.keys(value).length === 0)) return entries
  return { $concat: [membersTemplate(rest, place), entries] }
}

/** Returns the members of an object's template. */
function membersIn(template: Json): Readonly<Record<string, Json>> {
  const { $members = template } = template as { readonly $members?: Json }
  return $members as Readonly<Record<string, Json>>
}

/** Makes an object whose members only some samples name by facts, or all by items that no fact tells from others. */
function partlyNamed(samples: readonly AnswerSample[], place: AnswerPlace): Json | undefined {
  const named = samplesNamed(samples)
  if (named) {
    const classify = (sample: AnswerSample) => String(named.has(sample))
    const told =
      splitByFact(samples, place, classify) ?? divided(samples, classify, (part) => generaliseClass(part, place))
    if (told !== undefined) return told
    if (named.size * 2 >= samples.length) {
      place.guess({ pointer: place.pointer, why: 'facts explain the names of its members only in some answers' })
      return generaliseClass([...named], place)
    }
  }
  return undefined
}

// Lists

function listTemplate(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  const time = timeTemplate(samples, place)
  if (time !== undefined) return time
  const lengths = samples.map(({ value }) => (value as unknown[]).length)
  if (lengths.every((length) => length === 0)) return []
  const isFixed = lengths.every((length) => length === lengths[0])
  const lengthOf = ({ value }: AnswerSample) => (value as unknown[]).length
  const choices = listChoices(samples, place, lengthOf).filter(({ pointer }) => !place.inside?.includes(pointer))
  // If the items of lists with one length follow nothing, the lists may follow no facts at all.
  const isSingle = lengths.every((length) => length < 2)
  const isShown = (item: Json) => (!isSingle && !isFixed) || followsItem(item)
  const [likeliest, ...others] = choices.map((choice) => itemList(samples, choice, place, isShown))
  const found = leastOf([
    ...(likeliest ? [likeliest] : []),
    ...(isFixed ? [tupleOf(samples, place)] : []),
    ...others,
    { explain: (most) => kindsTemplate(samples, place, most), least: Number.POSITIVE_INFINITY },
  ])
  if (found) return taken(place, found) ?? null
  const split =
    splitByFact(samples, place, (sample) => String(lengthOf(sample) === 0)) ??
    splitByFact(samples, place, (sample) => String(lengthOf(sample)))
  if (split !== undefined) return split
  const divisions = divided(
    samples,
    ({ value }) => JSON.stringify(value),
    (part) => (part.length < samples.length ? listTemplate(part, place) : undefined),
  )
  if (divisions !== undefined) return divisions
  return unexplainedList(samples, place)
}

/**
 * Guesses a list whose items follow no list of facts. If it was empty whenever some list of facts was, it stays so: before the first
 * execution has ended, there is nothing to recommend.
 */
function unexplainedList(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  const shown = samples.filter(({ value }) => (value as unknown[]).length > 0)
  const empty = listsIn(samples)
    .flatMap((list) => partialLists(samples, list))
    .map((list) => ({ list, without: samples.filter((sample) => itemsOf(sample, list).length === 0) }))
    .filter(({ without }) => without.length > 0 && without.every((sample) => !shown.includes(sample)))
  const before = empty.toSorted((a, b) => b.without.length - a.without.length)[0]?.list
  const items = shown.flatMap((sample) =>
    (sample.value as unknown[])
      .slice(0, mostItems)
      .map((value, index) => ({ ...sample, value, thing: `${sample.thing}/${index}` })),
  )
  const wrong = leavesOf(items, samples.length)
  place.guess({ pointer: place.pointer, why: 'its items follow no list of facts', wrong })
  const inner = { ...place, pointer: `${place.pointer}/*`, depth: place.depth + 1 }
  const list = [generalise(items.slice(0, mostItems), inner)]
  return before ? { $if: before.pointer, ...selection(before), present: list, absent: [] } : list
}

/** A template with its guesses. */
interface Explanation {
  readonly template: Json
  readonly guesses: readonly Guess[]
  /** The doubt of the guesses, and the constants for each answer. A template with a constant for each answer explains nothing. */
  readonly doubt: number
  readonly cost: number
}

function explanation(
  template: Json,
  guesses: readonly Guess[],
  cost: number,
  { answers = 1 }: AnswerPlace,
): Explanation {
  return { template, guesses, doubt: doubtOf(guesses) + constantsIn(template) / answers, cost }
}

/** A way to explain samples. */
interface Candidate {
  /** Returns undefined if it does not explain them, or with more doubt than `most`. */
  readonly explain: (most?: number) => Explanation | undefined
  /** The least that it may cost. @default any */
  readonly least?: number
}

/** Returns a way to explain samples by a template. `costOf` says how simple it is. */
function candidate<Made extends Json>(
  place: AnswerPlace,
  make: (inner: AnswerPlace) => Made | undefined,
  costOf: (made: Made) => number = cost,
): Candidate {
  return {
    explain(most) {
      const { made, guesses = [] } = attempt(place, make, most) ?? {}
      return made === undefined ? undefined : explanation(made, guesses, costOf(made), place)
    },
  }
}

/** Returns the explanation with the least doubt, and of several the simplest: any number of cases beats a guess. */
function leastOf(candidates: readonly Candidate[], most?: number): Explanation | undefined {
  let best: Explanation | undefined
  for (const { explain, least = Number.NEGATIVE_INFINITY } of candidates) {
    const doubt = best ? best.doubt : most
    if (best && doubt === 0 && best.cost <= least) continue
    const found = explain(doubt)
    if (found && (!best || isBetter(found, best))) best = found
  }
  return best
}

/** Returns the template with the least doubt. Gives up the attempt around if all candidates did. */
function mustExplain(place: AnswerPlace, candidates: readonly Candidate[]): Json {
  const found = leastOf(candidates) ?? place.within?.giveUp()
  return taken(place, found) ?? null
}

/** Returns the template of an explanation, and notes its guesses. */
function taken(place: AnswerPlace, found: Explanation | undefined): Json | undefined {
  for (const guess of found?.guesses ?? []) place.guess(guess)
  return found?.template
}

/** Returns true if a template explains the samples with less doubt, or with as much and is simpler. */
function isBetter(one: Explanation, other: Explanation): boolean {
  return one.doubt < other.doubt || (one.doubt === other.doubt && one.cost < other.cost)
}

/** Returns the template with an item for each item of a list of the facts. */
function itemList(
  samples: readonly AnswerSample[],
  choice: ListChoice,
  place: AnswerPlace,
  isShown: (item: Json) => boolean,
): Candidate {
  const least = -likeness(place.name, choice.name) / 4
  const make = (inner: AnswerPlace) => {
    const item = generalise(itemSamples(samples, choice), inner)
    return isShown(item) ? { $each: choice.pointer, item, ...selection(choice) } : undefined
  }
  const inside = { ...insideOf(place, choice), isOneKind: false }
  return { ...candidate(inside, make, ({ item }) => cost(item) + least), least }
}

/** Makes a list for each kind of items, if their kinds follow each other in the same order in all samples. */
function kindsTemplate(samples: readonly AnswerSample[], place: AnswerPlace, most?: number): Explanation | undefined {
  if (place.isOneKind) return undefined
  const lists = samples.map(({ value }) => (value as unknown[]).slice(0, mostItems))
  const candidates = divisionsOf(samples, lists).map(
    (own): Candidate => ({ explain: (most) => concatTemplate(own, place, most) }),
  )
  return leastOf(candidates, most)
}

/** Joins a list of each kind. A kind that only appears if all others are empty becomes the fallback (`or`). */
function concatTemplate(
  kinds: readonly OfKind[],
  place: AnswerPlace,
  most = Number.POSITIVE_INFINITY,
): Explanation | undefined {
  const below = { ...place, depth: place.depth + 1, isOneKind: true }
  const listOf = (samples: readonly AnswerSample[]) =>
    candidate(below, (inner) => listTemplate(samples, inner)).explain(most)
  const lists = kinds.map(listOf)
  const concat = (all: typeof lists, or?: Explanation): Candidate => ({
    explain() {
      const found = all.filter((list) => list !== undefined)
      const parts = or ? [...found, or] : found
      const guesses = parts.flatMap((one) => one.guesses)
      if (found.length < all.length || doubtOf(guesses) > most) return undefined
      const template = { $concat: found.map((one) => one.template), ...(or && { or: or.template }) }
      return explanation(template, guesses, sum(parts.map((one) => one.cost)), place)
    },
  })
  return leastOf([
    ...fallbackKinds(kinds).flatMap((kind) => {
      const or = listOf(kinds[kind]?.filter(({ value }) => value.length > 0) ?? [])
      return or ? [concat(lists.toSpliced(kind, 1), or)] : []
    }),
    concat(lists),
  ])
}

/** Returns the indices of kinds that each sample has exactly if it has no other kind. */
function fallbackKinds(kinds: readonly OfKind[]): number[] {
  const has = (kind: OfKind, index: number) => (kind[index]?.value.length ?? 0) > 0
  return kinds.flatMap((kind, index) => {
    const isShared = (at: number) => has(kind, at) === kinds.some((other) => other !== kind && has(other, at))
    return kind.some((_, at) => isShared(at)) ? [] : [index]
  })
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

/** Makes a list of one length, item by item, if it is not too long. */
function tupleOf(samples: readonly AnswerSample[], place: AnswerPlace): Candidate {
  const { length } = (samples[0]?.value ?? []) as unknown[]
  const itemAt = (index: number, inner: AnswerPlace) =>
    generalise(
      samples.map((sample) => ({ ...sample, value: (sample.value as unknown[])[index] })),
      { ...inner, pointer: `${place.pointer}/${index}`, depth: place.depth + 1 },
    )
  const make = (inner: AnswerPlace) =>
    length > mostItems ? undefined : Array.from({ length }, (_, index) => itemAt(index, inner))
  return { ...candidate(place, make, (made) => sum(made.map(cost))), least: 0 }
}

function itemSamples(samples: readonly AnswerSample[], choice: ListChoice): AnswerSample[] {
  return samples.flatMap((sample) =>
    itemsOf(sample, choice)
      .slice(0, mostItems)
      .map((item, index) => ({
        ...sample,
        value: (sample.value as unknown[])[index],
        items: [...sample.items, item],
        indices: [...(sample.indices ?? []), index],
        thing: `${sample.thing}/${index}`,
      })),
  )
}

/** Returns true if a value of a template follows the item that it is made for: `depth` lists further out. */
function followsItem(template: Json, depth = 0): boolean {
  if (typeof template !== 'object' || template === null) return false
  const isOwn = (value: Json) =>
    typeof value === 'string' && [`${depth}/`, `${depth}#`].includes(value.slice(0, `${depth}/`.length))
  const isList = '$each' in template || '$entries' in template
  return Object.entries(template).some(([name, value]) => {
    if (['$', '$time', '$each', '$entries', '$count', '$case', '$if'].includes(name) && isOwn(value)) return true
    return followsItem(value, isList && ['item', 'key', 'value', 'also'].includes(name) ? depth + 1 : depth)
  })
}

/** Returns how much of a template is left to cases and new values: the less, the better it explains the samples. */
function cost(template: Json): number {
  if (template === null || typeof template !== 'object') return 1
  if (Array.isArray(template)) return template.reduce<number>((sum, item) => sum + cost(item as Json), 1)
  // The members of an object may have the names of instructions.
  const { $members: members } = template as { readonly $members?: Readonly<Record<string, Json>> }
  if (members) return Object.values(members).reduce<number>((sum, item) => sum + cost(item), 0)
  const inner = Object.values(template).reduce<number>((sum, item) => sum + cost(item as Json), 0)
  if ('$' in template && anyItemIn(template) !== undefined) return 12
  if ('$' in template) return template.or !== null && typeof template.or === 'object' ? 1 : 0
  if ('$time' in template) return 0
  return (
    inner + ('$case' in template || '$if' in template ? 10 : '$new' in template ? 8 : '$count' in template ? -1 : 0)
  )
}
