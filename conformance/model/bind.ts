/**
 * Binds facts to places: for each fact that must be true by then, finds the places of the answers that show it under any name, and counts
 * how many samples agree, how many contradict and how many are silent. Names are hints, values prove.
 */
import { escapePointer } from '../../src/contract/json.ts'
import { starred } from '../../src/profile/tolerance.ts'
import { isWithin, type Located, lastName, membersOf, oncePerAnswer, parentOf, valueAt } from '../reading/locate.ts'
import { isSameName, remember } from '../reading/names.ts'
import { leavesOf, numberOf, secondsIn } from '../reading/places.ts'
import type { Recorded } from '../wire/record.ts'
import { isShownAs, isStrong, outlineOf, scalarText } from './values.ts'

/** What must be true of one thing, by field: a value that was sent or introduced, or a list of things with facts of their own. */
export interface Thing {
  readonly [field: string]: unknown
}

/** One answer, or a part of it, beside what must be true of the thing that it shows. */
export interface Sample {
  readonly facts: Thing
  readonly shown: unknown
  /** JSON Pointer to what is shown. */
  readonly pointer: string
  readonly exchange: Recorded
  /** What the answer is to, such as `details`. */
  readonly answer: string
  /** The thing. Samples of one thing are no independent support. */
  readonly about: object
  /** The position in the list that the thing was sent in, from 1. */
  readonly position?: number
}

/** One comparison of a fact with a place. */
export interface Seen {
  readonly sample: Sample
  /** JSON Pointer into the answer. */
  readonly pointer: string
  readonly sent: unknown
  readonly shown: unknown
}

/** How places show a value: as it was sent, or all times the same factor, or one text for true and another for false. */
export type BindingForm = 'same' | 'factor' | 'rendering'

/** How sure it is that a place shows a fact; see `Strength`. */
export interface Binding {
  /** The path of the fact; `*` is any thing of a list. */
  readonly fact: string
  readonly answer: string
  /** JSON Pointer; `*` is any item of a list. */
  readonly place: string
  readonly form: BindingForm
  readonly strength: 'proven' | 'named' | 'likely'
  readonly agree: readonly Seen[]
  readonly against: readonly Seen[]
  readonly silent: readonly Seen[]
}

/** How one container shows a list of things. */
export interface Listed {
  readonly sample: Sample
  /** JSON Pointer to the container, in the answer. */
  readonly pointer: string
  readonly things: readonly Thing[]
  readonly found: readonly { readonly thing: Thing; readonly key: string; readonly shown: unknown }[]
  /** Things without a member of their own. */
  readonly missing: readonly Thing[]
  /** Things that several members show. */
  readonly doubled: readonly Thing[]
  /** What further members show of these, as in a log. */
  readonly again: readonly { readonly thing: Thing; readonly shown: unknown }[]
  /** The number of members that show none of the things, or those of another list. */
  readonly others: number
}

/** Returns the pointer to a container of a list, or to its members if it also has things of other kinds. */
export const pointersOf = ({ pointer, found, others }: Listed): string[] =>
  others === 0 ? [pointer] : found.map(({ key }) => `${pointer}/${escapePointer(key)}`)

/** The containers at one place. */
export interface Listing {
  readonly fact: string
  readonly answer: string
  readonly place: string
  readonly seen: readonly Listed[]
}

export interface Bound {
  readonly bindings: readonly Binding[]
  readonly listings: readonly Listing[]
}

/** Where the samples are: the fact that lists them, and the place of that list. */
interface Within {
  readonly fact: string
  readonly place: string
  /** The places of fields that a profile names. They are as good as named by the contract. */
  readonly given?: ReadonlyMap<string, string>
}

/** Binds all facts of samples of one kind of answer. */
export function bind(samples: readonly Sample[], within: Within = { fact: '', place: '' }): Bound {
  const all = grouped(samples)
  const fields = [...new Set(samples.flatMap(({ facts }) => Object.keys(facts)))]
  const lists = fields.filter((field) => samples.some(({ facts }) => isList(facts[field])))
  const found: Bound[] = []
  const taken = new Set<string>()
  for (const field of lists) {
    const known = thingsIn(field, samples)
    for (const listing of listingsOf(`${within.fact}${field}`, all, known, taken, within)) {
      taken.add(listing.place.slice(within.place.length))
      const inner = { fact: `${listing.fact}/*/`, place: `${listing.place}/*` }
      found.push({ bindings: [], listings: [listing] }, bind(membersIn(listing, known), inner))
    }
    for (const [place, alone] of aloneIn(all, known, taken)) {
      taken.add(place)
      found.push(bind(alone, { fact: `${within.fact}${field}/*/`, place: within.place + place }))
    }
  }
  const scalars = fields.filter((field) => samples.some(({ facts }) => isScalar(facts[field])))
  return {
    bindings: [...scalarBindings(all, scalars, taken, within), ...found.flatMap(({ bindings }) => bindings)],
    listings: found.flatMap(({ listings }) => listings),
  }
}

const isList = (value: unknown): value is readonly Thing[] => Array.isArray(value)
const isScalar = (value: unknown) => value !== undefined && (value === null || typeof value !== 'object')

function isInAny(place: string, lists: Iterable<string>): boolean {
  for (const list of lists) if (isWithin(place, list)) return true
  return false
}

/** The things that the samples list under a field. */
interface Known {
  readonly field: string
  readonly of: (sample: Sample) => readonly Thing[]
  readonly marks: Marks
}

/** Returns true if an object shows several things: then it is no single one. */
function showsOthers(shown: object, thing: Thing, things: readonly Thing[], marks: Marks): boolean {
  const isOther = (one: Thing) => one !== thing && things.includes(one)
  return leavesOf(shown).some(({ value }) => [...(marks.get(scalarText(value))?.keys() ?? [])].some(isOther))
}

/** What identifies things: their texts and large numbers, each with the things that have it and how much it tells, the first most. */
type Marks = ReadonlyMap<string, ReadonlyMap<Thing, number>>

/** Neither what all things share nor what they have in common with the thing that lists them identifies them. */
function thingsIn(field: string, samples: readonly Sample[]): Known {
  const of = ({ facts }: Sample) => (isList(facts[field]) ? facts[field] : [])
  const owners = new Set(samples.flatMap(({ facts }) => Object.values(facts).filter(isScalar).map(scalarText)))
  const all = [...new Set(samples.flatMap(of))]
  const isShared = (name: string, value: unknown) => all.length > 1 && all.every((one) => isShownAs(one[name], value))
  const marks = new Map<string, Map<Thing, number>>()
  for (const thing of all) {
    const own = Object.entries(thing).filter(
      ([name, value]) => isStrong(value) && !owners.has(scalarText(value)) && !isShared(name, value),
    )
    for (const [index, [, value]] of own.entries()) {
      const of = marks.get(scalarText(value)) ?? new Map<Thing, number>()
      marks.set(scalarText(value), of.set(thing, (of.get(thing) ?? 0) + 2 ** -index))
    }
  }
  return { field, of, marks }
}

/** Returns a part of an answer as a sample of the thing that it shows. */
function sampleOf(sample: Sample, thing: Thing, shown: unknown, pointer: string, known: Known): Sample {
  const things = known.of(sample)
  const own = withoutOthers(shown, thing, things, known.marks)
  return { ...sample, facts: thing, shown: own, pointer, about: thing, position: things.indexOf(thing) + 1 }
}

/** Leaves out the objects within a part that show other things of the same list, such as the step before it. */
function withoutOthers(shown: unknown, thing: Thing, things: readonly Thing[], marks: Marks): unknown {
  if (shown === null || typeof shown !== 'object' || Array.isArray(shown)) return shown
  const all = Object.entries(shown)
  const kept = all.flatMap(([name, value]): (readonly [string, unknown])[] => {
    const other = isPlain(value) ? thingOf(marksIn(value, marks, 1), things, marks) : undefined
    return other && other !== thing ? [] : [[name, withoutOthers(value, thing, things, marks)]]
  })
  // What was searched in the same object before need not be searched again.
  const isWhole =
    kept.length === all.length && kept.every(([name, value]) => value === shown[name as keyof typeof shown])
  return isWhole ? shown : Object.fromEntries(kept)
}

const isPlain = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Returns the members of containers, each as a sample of its thing. */
function membersIn({ seen }: Listing, known: Known): Sample[] {
  return seen.flatMap(({ sample, pointer, found }) =>
    found.map(({ thing, key, shown }) => sampleOf(sample, thing, shown, `${pointer}/${key}`, known)),
  )
}

/** Samples in groups: what follows from the facts and the part of an answer alone is found once for all of a group. */
interface Grouped {
  readonly samples: readonly Sample[]
  /** The first sample of each group. */
  readonly firsts: readonly Sample[]
  /** The group of each sample, as its place in `firsts`. */
  readonly groups: readonly number[]
}

function grouped(samples: readonly Sample[]): Grouped {
  const firsts: Sample[] = []
  const known = new Map<Thing, Map<unknown, number>>()
  const groups = samples.map((sample) => {
    const { facts, shown } = sample
    const same = known.get(facts) ?? new Map<unknown, number>()
    const group = same.get(shown) ?? firsts.push(sample) - 1
    known.set(facts, same.set(shown, group))
    return group
  })
  return { samples, firsts, groups }
}

/** Finds something for each sample. */
function forEach<Result>({ firsts, groups }: Grouped, find: (sample: Sample) => Result): Result[] {
  const results = firsts.map(find)
  return groups.map((group) => results[group] as Result)
}

/** Finds the containers that show a list of things. Adds those that only relate things to `taken`: no fact is looked for there. */
function listingsOf(
  fact: string,
  all: Grouped,
  { field, of, marks }: Known,
  taken: Set<string>,
  { place: base, given }: Within,
): Listing[] {
  const { samples } = all
  const containers = forEach(all, (sample) => {
    const told = new Set<string>()
    return containersIn(sample.shown).flatMap((one) => {
      const place = patternOf(one.pointer)
      // A tuple, such as a name and an address, is one member.
      const isTuple = Array.isArray(one.value) && one.value.every(isScalar) && told.has(parentOf(one.pointer))
      if (isTuple || isInAny(place, taken)) return []
      const things = of(sample)
      const pairs = pairsIn(one.value, things, marks)
      const isTold = things.length > 0 && isListOf(pairs, things)
      if (isTold && Array.isArray(one.value)) told.add(one.pointer)
      const isCalled = things.length > 0 && (given?.get(field) === place || isCalledList(field, one, sample))
      return [{ pointer: one.pointer, place, pairs, isTold, isCalled, isWhole: pairs.length === things.length }]
    })
  })
  const found = containers.flat()
  const places = new Set(found.flatMap(({ place, isTold, isCalled }) => (isTold || isCalled ? [place] : [])))
  // A list of relations, such as the edges of a graph of steps, is no list of steps.
  for (const { place } of found.filter((one) => relatesThings(one.pairs))) {
    places.delete(place)
    taken.add(place)
  }
  return [...places].map((place) => {
    const here = found.filter((one) => one.place === place)
    // A list that mostly has another number of members, such as one of recommendations, has none for each thing.
    const isForEach =
      here.some(({ isTold }) => isTold) && 2 * here.filter(({ isWhole }) => isWhole).length > here.length
    const seen = samples.flatMap((sample, index) => {
      const own = containers[index]?.filter((one) => one.place === place) ?? []
      return own.map(({ pointer, pairs }) => listedIn(sample, of(sample), pointer, pairs, isForEach))
    })
    return { fact, answer: samples[0]?.answer ?? '', place: base + place, seen }
  })
}

/** Finds the objects outside of lists that show one of the things, such as the latest execution or the chosen approver, by place. */
function aloneIn(all: Grouped, known: Known, taken: ReadonlySet<string>): Map<string, Sample[]> {
  const found = new Map<string, Sample[]>()
  const parts = forEach(all, (sample) =>
    containersIn(sample.shown).flatMap(({ pointer, value }) => {
      const place = patternOf(pointer)
      if (pointer === '' || !isPlain(value) || isInAny(place, taken)) return []
      const things = known.of(sample)
      const thing = thingOf(marksIn(value, known.marks, 1), things, known.marks)
      return thing && !showsOthers(value, thing, things, known.marks) ? [{ place, pointer, thing, value }] : []
    }),
  )
  for (const [index, sample] of all.samples.entries()) {
    for (const { place, pointer, thing, value } of parts[index] ?? []) {
      const alone = sampleOf(sample, thing, value, sample.pointer + pointer, known)
      found.set(place, [...(found.get(place) ?? []), alone])
    }
  }
  return found
}

/** Returns a pointer in which `*` is any item of a list. */
export const patternOf = remember(starred)

/** Returns all objects and lists of an answer, the outermost first. */
const containersIn = oncePerAnswer((shown) => {
  const all = [{ pointer: '', name: '', value: shown }, ...membersOf(shown)]
  const isContainer = (one: Located): one is Located & { value: object } =>
    one.value !== null && typeof one.value === 'object'
  return all.filter(isContainer)
})

interface Pair {
  /** Undefined if no thing is shown, or several alike. */
  readonly thing: Thing | undefined
  readonly showsSeveral: boolean
  readonly key: string
  readonly shown: unknown
}

/** Returns the members of a list, or those of an object whose names identify things, each with the thing that it shows. */
function pairsIn(container: object, things: readonly Thing[], marks: Marks): Pair[] {
  const all = Object.entries(container)
  if (Array.isArray(container)) {
    return all.map(([key, shown]) => ({ ...pairOf(marksIn(shown, marks), things, marks), key, shown }))
  }
  const isMark = (key: string) => {
    const owners = marks.get(scalarText(key))
    return owners !== undefined && things.some((thing) => owners.has(thing))
  }
  return all.flatMap(([key, shown]) => {
    if (!isMark(key)) return []
    return [{ ...pairOf(new Set([...marksIn(key, marks), ...marksIn(shown, marks)]), things, marks), key, shown }]
  })
}

function pairOf(found: ReadonlySet<string>, things: readonly Thing[], marks: Marks): Omit<Pair, 'key' | 'shown'> {
  const thing = thingOf(found, things, marks)
  const has = (one: Thing) => (mark: string) => marks.get(mark)?.has(one) === true
  const own = [...found].filter((mark) => things.some((one) => has(one)(mark)))
  return { thing, showsSeveral: !thing && own.length > 0 && !things.some((one) => own.every(has(one))) }
}

const betweenTexts = /[\s<>()[\]"',;]+/

/** Returns the marks in a member itself and in the objects in it. A text may hold several: `Name <address>`. */
function marksIn(value: unknown, marks: Marks, depth = 2, found = new Set<string>()): Set<string> {
  if (value === null || typeof value !== 'object') {
    const texts =
      typeof value === 'string' && betweenTexts.test(value) ? [value, ...value.split(betweenTexts)] : [value]
    for (const text of texts.map(scalarText)) if (marks.has(text)) found.add(text)
  } else if (depth > 0) {
    // A row of a table is a list of scalars.
    for (const one of Object.values(value)) marksIn(one, marks, Array.isArray(value) ? 0 : depth - 1, found)
  }
  return found
}

/** Returns the thing of which some marks tell most. */
function thingOf(found: ReadonlySet<string>, things: readonly Thing[], marks: Marks): Thing | undefined {
  if (found.size === 0) return undefined
  const scores = things.map((thing) => [...found].reduce((sum, mark) => sum + (marks.get(mark)?.get(thing) ?? 0), 0))
  const best = Math.max(0, ...scores)
  return best > 0 && scores.filter((one) => one === best).length === 1 ? things[scores.indexOf(best)] : undefined
}

/** Returns true if members identify at least two of the things, or the only one. */
function isListOf(pairs: readonly Pair[], things: readonly Thing[]): boolean {
  return new Set(pairs.flatMap(({ thing }) => thing ?? [])).size >= Math.min(2, things.length)
}

/** Returns true if as many members show several things as show one. */
function relatesThings(pairs: readonly Pair[]): boolean {
  const several = pairs.filter(({ showsSeveral }) => showsSeveral).length
  return several > 0 && several >= pairs.filter(({ thing }) => thing).length
}

/** Returns true for a list with the contract's name that stands beside a text of the thing that it belongs to. */
function isCalledList(field: string, { pointer, name, value }: Located, { facts, shown }: Sample): boolean {
  if (!Array.isArray(value) || !pointer.endsWith(`/${name}`) || !isSameName(name, field)) return false
  const own = Object.values(facts).filter(isStrong).map(scalarText)
  const beside = Object.values(valueAt(shown, parentOf(pointer)) ?? {})
    .filter(isStrong)
    .map(scalarText)
  return own.some((text) => beside.includes(text))
}

const isContainer = (value: unknown) => value !== null && typeof value === 'object'
const isSentence = (value: unknown) => typeof value === 'string' && value.split(' ').length > 3

function listedIn(
  sample: Sample,
  things: readonly Thing[],
  pointer: string,
  pairs: readonly Pair[],
  isForEach: boolean,
): Listed {
  const count = (thing: Thing) => pairs.filter((pair) => pair.thing === thing).length
  const all = pairs.flatMap(({ thing, ...pair }) => (thing ? [{ ...pair, thing }] : []))
  const first = new Map(all.toReversed().map((one) => [one.thing, one]))
  const isFirst = (one: (typeof all)[number]) => first.get(one.thing) === one
  const found = all.filter(isFirst)
  const missing = things.filter((thing) => count(thing) === 0)
  const rest = pairs.filter(({ thing }) => !thing)
  // What identifies a member may be what is wrong, so where each thing has a member, the rest are taken for the missing ones in turn.
  const isInOrder = pairs.every(({ thing }, at) => !thing || thing === things[at])
  const isInTurn =
    isForEach &&
    isInOrder &&
    pairs.length === things.length &&
    rest.length === missing.length &&
    rest.every(({ shown, showsSeveral }) => !showsSeveral && (isSentence(shown) || isContainer(shown)))
  const inTurn = isInTurn ? missing.flatMap((thing, index) => (rest[index] ? [{ ...rest[index], thing }] : [])) : []
  return {
    ...{ sample, pointer: sample.pointer + pointer, things },
    found: [...found, ...inTurn],
    missing: isInTurn ? [] : missing,
    doubled: things.filter((thing) => count(thing) > 1),
    again: all.filter((one) => !isFirst(one)),
    others: isInTurn ? 0 : rest.length,
  }
}

/** What an answer shows at a place. */
interface Cell {
  readonly leaves: readonly Located[]
  readonly texts: readonly string[]
}

/** A fact, with its text in the first sample of each group; undefined where it is not known. */
interface Fact {
  readonly field: string
  /** The kind of thing that the fact is about, such as `step`; empty for a workflow. */
  readonly noun: string
  readonly texts: readonly (string | undefined)[]
  readonly types: ReadonlySet<string>
}

const factOf = (field: string, within: Within, firsts: readonly Sample[]): Fact => ({
  field,
  noun: lastName(within.fact.replace(/s\/\*\/$/, '')),
  texts: firsts.map(({ facts }) => (facts[field] === undefined ? undefined : scalarText(facts[field]))),
  types: new Set(firsts.map(({ facts }) => typeof facts[field])),
})

function scalarBindings(
  all: Grouped,
  fields: readonly string[],
  taken: ReadonlySet<string>,
  within: Within,
): Binding[] {
  const shown = all.firsts.map((sample) => cellsByPlace(sample.shown, taken))
  const places = new Set(shown.flatMap((cells) => [...cells.keys()]))
  const facts = fields.map((field) => factOf(field, within, all.firsts))
  const found = [...places].flatMap((place) => {
    const cells = shown.map((one) => one.get(place))
    return facts.flatMap((fact) => bindingAt(fact, place, all, cells, within.given?.get(fact.field) === place) ?? [])
  })
  // A name counts only in a member that was recognized, or beside another name of the same object that shows its fact. In
  // `"step_id": { "type": "string", "value": "legal" }`, no name does. Common words are names of other things too, such as the `type` of
  // a recommendation for a step, so they need two names beside them.
  const isOfMember = (one: Binding) => within.fact !== '' && holderOf(one) === ''
  const isNamed = ({ fact, place }: Binding) => hasNameOf(place, fact)
  const isSupported = (one: Binding) => {
    const { fact, place } = one
    if (within.given?.get(fact) === place) return true
    // What mostly disagrees does so by chance, too.
    const isMostly = ({ agree, against }: Binding) => agree.length >= against.length
    const isBeside = (other: Binding) => other.place !== place && holderOf(other) === holderOf(one)
    const beside = found.filter((other) => isBeside(other) && isMostly(other))
    const isSure = beside.some(
      (other) =>
        (isOfMember(one) || isNamed(other)) && other.agree.some(({ sent }) => isOfMember(one) || isStrong(sent)),
    )
    const names = new Set(beside.filter((other) => isNamed(other) && other.agree.length > 0).map((other) => other.fact))
    return isSure && (!commonWords.has(fact) || names.size >= Math.min(2, fields.length - 1))
  }
  return found.map((one) => ({
    ...one,
    ...(one.strength === 'named' && !isSupported(one) && { strength: 'likely' as const }),
    fact: within.fact + one.fact,
    place: within.place + one.place,
  }))
}

/** Names of the contract that many other things have too. */
const commonWords: ReadonlySet<string> = new Set(['type', 'name', 'order', 'key'])

function cellsByPlace(shown: unknown, taken: ReadonlySet<string>): ReadonlyMap<string, Cell> {
  const cells = new Map<string, { leaves: Located[]; texts: string[] }>()
  const isScalar = shown === null || typeof shown !== 'object'
  // In a tuple, such as a name and an address, each position has its own meaning.
  const placeOf = (pointer: string) => {
    const [, at = ''] = pointer.split('/')
    return Array.isArray(shown) ? `/${at}${patternOf(pointer.slice(at.length + 1))}` : patternOf(pointer)
  }
  for (const leaf of isScalar ? [{ pointer: '', name: '', value: shown }] : leavesOf(shown)) {
    const place = placeOf(leaf.pointer)
    if (isInAny(place, taken)) continue
    const cell = cells.get(place) ?? { leaves: [], texts: [] }
    cell.leaves.push(leaf)
    cell.texts.push(scalarText(leaf.value))
    cells.set(place, cell)
  }
  return cells
}

/** Compares a fact with a place in all samples. Returns undefined if nothing speaks for it. */
function bindingAt(
  fact: Fact,
  place: string,
  { samples, groups }: Grouped,
  cells: readonly (Cell | undefined)[],
  isGiven: boolean,
): Binding | undefined {
  if (!isGiven && !mayShow(fact, place, cells)) return undefined
  const { field } = fact
  const pairs = samples.flatMap((sample, index) => {
    const group = groups[index] ?? 0
    const known = fact.texts[group]
    if (known === undefined) return []
    const { leaves = [], texts = [] } = cells[group] ?? {}
    const best = leaves[Math.max(0, texts.indexOf(known))]
    const sent = sample.facts[field]
    const seen = { sample, pointer: `${sample.pointer}${best?.pointer ?? ''}`, sent, shown: best?.value }
    return [{ seen, values: texts.join(), isSilent: best === undefined }]
  })
  const seen = pairs.flatMap((pair) => (pair.isSilent ? [] : [pair.seen]))
  const isCalled = isGiven || isCalledSo(place, fact, seen)
  const { form, agrees } = formOf(field, seen, isCalled)
  const agree = seen.filter(agrees)
  const isOff = agree.length === 0 && isAlwaysOff(seen)
  if (agree.length === 0 && !isCalled && !isOff) return undefined
  const against = seen.filter((one) => !agrees(one) && !isOfInner(one, agree))
  // The same values beside each other in all samples are a choice, and not what was sent.
  const isChoice =
    !isOfList(field) &&
    pairs.some(({ values }) => values.includes(',')) &&
    new Set(pairs.map(({ values }) => values)).size === 1
  // One digest is no chance.
  const isDigest = digests.has(field) && agree.length > 0
  const usualStrength = isDigest || isOff ? 'proven' : strengthOf(field, form, agree, against, isCalled)
  const strength = isChoice && pairs.length > 1 ? 'likely' : usualStrength
  const silent = pairs.filter(({ isSilent }) => isSilent).map((pair) => pair.seen)
  return { fact: field, answer: samples[0]?.answer ?? '', place, form, strength, agree, against, silent }
}

/**
 * Returns true for the value of a thing within the sample's own, such as an approver of a step, if another text beside it identifies that
 * thing, or the place has shown the right value before: `modified_by` names the submitter first, and later an approver.
 */
function isOfInner({ sample, pointer, shown }: Seen, agree: readonly Seen[]): boolean {
  const beside = Object.values(valueAt(sample.shown, parentOf(pointer.slice(sample.pointer.length))) ?? {})
  const isBefore = agree.some((one) => one.sample.about === sample.about && one.sample.exchange !== sample.exchange)
  return withinOf(sample.facts).some((thing) => {
    const texts = Object.values(thing).filter(isStrong).map(scalarText)
    const isIn = (one: unknown) => texts.includes(scalarText(one))
    return isIn(shown) && (isBefore || beside.some((one) => one !== shown && isIn(one)))
  })
}

/** Returns all things within a thing. */
const withinOf = (thing: Thing): Thing[] =>
  Object.values(thing)
    .filter(isList)
    .flat()
    .flatMap((one) => [one, ...withinOf(one)])

/** Returns false for what is surely no place of a fact: most pairs of both, so this comes before all comparing. */
function mayShow(fact: Fact, place: string, cells: readonly (Cell | undefined)[]): boolean {
  const { field, texts, types } = fact
  if (digests.has(field) || isCalledAfter(place, fact)) return true
  const known = cells.filter((_, group) => texts[group] !== undefined)
  if (types.has('number') && known.some((cell) => isNumeric(cell?.leaves[0]?.value))) return true
  // A boolean may have one text for true and another for false.
  if (types.has('boolean') && new Set(known.flatMap((cell) => cell?.texts[0] ?? [])).size <= 2) return true
  return cells.some((cell, group) => cell?.texts.includes(texts[group] ?? '') && texts[group] !== undefined)
}

const isNumeric = (value: unknown) => numberOf(value) !== undefined || Number(value) > 0

/** Returns true for the contract's name in any spelling. An identifier may be called after its noun, or be the `id` in an object of that name. */
const isCalledAfter = (place: string, fact: Fact) => hasName(place, fact) || isCalledAfterNoun(place, fact)

/** Returns true for the name of a field, with or without the kind of thing before it: `name` or `stepName`. */
const hasName = (place: string, { field, noun }: Fact) =>
  [field, `${noun}_${field}`].some((name) => hasNameOf(place, name))

/** Returns true for an item of a list of scalars. */
const isOfList = (field: string) => /\/\d+$/.test(field)

/** Returns true if a place ends with the names of a field; of `labels/0` and `limits/low_cents` with those of both parts. */
function hasNameOf(place: string, field: string): boolean {
  const names = field.split('/')
  const shown = place.split('/').slice(-names.length)
  return names.every((name, at) => (/^\d+$/.test(name) ? shown[at] === '*' : isSameName(shown[at] ?? '', name)))
}

/** Returns the pointer to the object that has a field, where a place shows it under a name of as many parts. */
const holderOf = ({ fact, place }: Binding) => place.split('/').slice(0, -fact.split('/').length).join('/')

function isCalledAfterNoun(place: string, { field }: Fact): boolean {
  const noun = lastName(lastName(place) === 'id' ? parentOf(place) : place)
  return field.endsWith('_id') && isSameName(noun, field.slice(0, -'_id'.length))
}

/** Returns true if a place has the name of a fact, and shows what may be the fact. */
function isCalledSo(place: string, fact: Fact, seen: readonly Seen[]): boolean {
  if (hasName(place, fact)) return /^(\p{L}|\*$)/u.test(lastName(place))
  if (!isCalledAfterNoun(place, fact)) return false
  const shapes = new Set(seen.map(({ sent }) => outlineOf(sent)))
  return shapes.size === 1 && seen.every(({ shown }) => shapes.has(outlineOf(shown)))
}

/** The fields whose unit the document leaves open. */
const fieldsWithUnit: ReadonlySet<string> = new Set(['estimated_duration', 'file_size'])

/** Returns true if different large numbers all lack the same: they follow what was sent, without what is always lost. */
function isAlwaysOff(seen: readonly Seen[]): boolean {
  const large = seen.filter(({ sent, shown }) => typeof sent === 'number' && isStrong(sent) && Number(shown) > 0)
  const lost = new Set(large.map(({ sent, shown }) => Number(sent) - Number(shown)))
  return lost.size === 1 && new Set(large.map(({ sent }) => sent)).size > 2
}

/** Digests may stand within a text, such as an entity tag, and in any case. */
const digests: ReadonlySet<string> = new Set(['md5', 'sha256', 'crc32', 'md5_base64', 'sha256_base64'])
const holdsWord = (shown: unknown, word: unknown) =>
  String(shown)
    .toLowerCase()
    .split(/[^\w+/=]+/)
    .includes(String(word).toLowerCase())

/** Returns the form in which a place shows a fact in most samples. */
function formOf(
  field: string,
  seen: readonly Seen[],
  isCalled: boolean,
): { readonly form: BindingForm; readonly agrees: (one: Seen) => boolean } {
  const same = { form: 'same', agrees: (one: Seen) => isShownAs(one.shown, one.sent) } as const
  if (seen.length === 0) return same
  if (digests.has(field)) return { form: 'same', agrees: (one) => holdsWord(one.shown, one.sent) }
  const other = fieldsWithUnit.has(field) ? factorOf(seen) : renderingOf(field, seen, isCalled)
  const count = (agrees: (one: Seen) => boolean) => seen.filter(agrees).length
  return other && count(other.agrees) > count(same.agrees) ? other : same
}

/** Numbers in another unit, also as texts such as `120s`: all have nearly the same factor. */
function factorOf(seen: readonly Seen[]) {
  const factorAt = ({ sent, shown }: Seen) => (numberOf(shown) ?? secondsIn(shown) ?? Number.NaN) / Number(sent)
  const factors = seen.map(factorAt)
  const factor = [...factors].sort((a, b) => a - b)[Math.floor(factors.length / 2)] ?? Number.NaN
  const isNear = (one: number) => one > 0 && Math.abs(one / factor - 1) < 0.01
  // No unit is nearly the same as another.
  if (!(factor > 0) || Math.abs(factor - 1) < 0.1 || new Set(seen.map(({ sent }) => sent)).size < 3) return undefined
  return {
    form: 'factor' as const,
    agrees: (one: Seen) => isNear(factorAt(one)),
  }
}

/** Returns true if a thing was sent with a field, and the fact is not its default. */
const isTold =
  (field: string) =>
  ({ sample }: Seen) =>
    field in sample.about

/** One value for true and another for false, such as `PARALLEL`, or `X` and an empty text, in at least three things. */
function renderingOf(field: string, seen: readonly Seen[], isCalled: boolean) {
  if (typeof seen[0]?.sent !== 'boolean') return undefined
  const [yes, no] = [true, false].map((sent) =>
    usual(seen.filter((one) => one.sent === sent && isTold(field)(one)).map(({ shown }) => scalarText(shown))),
  )
  // A time or an identifier may also be the same for some and another for others.
  const isWord = (text: string) => /^\p{L}[\p{L}\s_()/.,;:-]{0,40}$/u.test(text) || (isCalled && /^\d?$/.test(text))
  if (yes === undefined || no === undefined || yes === no || !isWord(yes) || !isWord(no)) return undefined
  if (yes === 'null' || no === 'null' || !seen.every(({ shown }) => [yes, no].includes(scalarText(shown))))
    return undefined
  // Only under another name, such as parallel, may true stand for false.
  if (isCalled && (truthOf(yes) === false || truthOf(no) === true)) return undefined
  return {
    form: 'rendering' as const,
    agrees: ({ sent, shown }: Seen) => scalarText(shown) === (sent === true ? yes : no),
  }
}

/** Reads a boolean, also as the numbers and letters that some databases have for it. */
function truthOf(text: string): boolean | undefined {
  if (/^(true|1|y|yes)$/i.test(text)) return true
  return /^(false|0|n|no)$/i.test(text) ? false : undefined
}

/** Returns the most frequent of some texts. */
function usual(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

function strengthOf(
  field: string,
  form: BindingForm,
  agree: readonly Seen[],
  against: readonly Seen[],
  isCalled: boolean,
): Binding['strength'] {
  const values = new Set(agree.map(({ sent }) => scalarText(sent)))
  const weak = isCalled ? 'named' : 'likely'
  const things = new Set(agree.map(({ sample }) => sample.about))
  const told = against.filter(isTold(field))
  if (form === 'rendering') return values.size > 1 && things.size > 2 && told.length <= 1 ? 'proven' : weak
  // Where a default is lost, all that was sent may be right.
  const isByDefault = against.length > told.length && agree.every(({ sent }) => typeof sent === 'boolean')
  if (isByDefault && values.size > 1 && things.size > 2 && told.length === 0) return 'proven'
  if (form === 'factor') {
    // Positions may be in proportion to what was sent.
    const perPosition = new Set(agree.map(({ sent, sample }) => Number(sent) / (sample.position ?? 1)))
    return values.size > 2 && perPosition.size > 1 && agree.length > 4 * against.length ? 'proven' : weak
  }
  const strong = new Set(agree.filter(({ sent }) => isStrong(sent)).map(({ sent }) => scalarText(sent)))
  const sent = new Set([...agree, ...against].map((one) => scalarText(one.sent)))
  // The value of another sample is no chance.
  const foreign = against
    .filter(({ shown }) => typeof shown === 'string' && isStrong(shown) && sent.has(scalarText(shown)))
    .map(({ shown }) => scalarText(shown))
  const isByPosition = agree.every((one) => one.sent === one.sample.position)
  const isProven =
    new Set([...strong, ...(strong.size > 0 ? foreign : [])]).size > 1 ||
    (strong.size > 0 && foreign.length > 1) ||
    (against.length === 0 && values.size > 1 && (strong.size > 0 || !isByPosition))
  return isProven ? 'proven' : weak
}
