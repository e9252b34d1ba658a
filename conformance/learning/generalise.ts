/**
 * Makes a template from answers by anti-unification: the least general term of which all samples are instances. Equal parts
 * stay constants; where samples differ, a term becomes a variable (Plotkin, A Note on Inductive Generalization, Machine
 * Intelligence 5, 1970; Reynolds, Transformational Systems and the Algebraic Structure of Atomic Formulas, 1970). Here a
 * variable must be bound to a fact of the call that has the same value in every sample; only where there is none does it
 * become a new value of the same kind.
 */
import { escapePointer, pointerSteps } from '../../src/contract/json.ts'
import { caseOf, type Form, forms, isSomething, type Json, type TimeForm } from '../../src/profile/template.ts'
import { likeness } from './names.ts'
import { type AnswerPlace, type AnswerSample, factsOf, type Guess, type KnownFact, memberSamples } from './sample.ts'
import { textTemplate } from './text.ts'
import { readTime } from './times.ts'

/** Limits for deployments that answer nonsense. */
const maxDepth = 24
const mostMembers = 400
const mostItems = 60

/** Returns the most special template that all samples are instances of. There must be at least one sample. */
export function generalise(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  if (place.depth > maxDepth) return guessLast(samples, place, 'it is nested too deeply')
  const kinds = new Set(samples.map(({ value }) => kindOf(value)))
  if (kinds.size > 1) return splitByFact(samples, place, ({ value }) => kindOf(value)) ?? ofMostKind(samples, place)
  const [kind] = kinds
  if (kind === 'list') return listTemplate(samples, place)
  if (kind === 'object') return objectTemplate(samples, place)
  return scalarTemplate(samples, place)
}

type Kind = 'null' | 'list' | 'object' | 'scalar'

function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'object' ? 'object' : 'scalar'
}

function ofMostKind(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  const count = (kind: Kind) => samples.filter(({ value }) => kindOf(value) === kind).length
  const most = (['object', 'list', 'scalar', 'null'] as const).toSorted((a, b) => count(b) - count(a))[0]
  place.guess({ pointer: place.pointer, why: 'its kind changes, and no fact explains when' })
  return generalise(
    samples.filter(({ value }) => kindOf(value) === most),
    place,
  )
}

function guessLast(samples: readonly AnswerSample[], { pointer, guess }: AnswerPlace, why: string): Json {
  guess({ pointer, why })
  return quoted(samples.at(-1)?.value as Json)
}

/** Returns a constant as a template; of what is too large only the beginning. */
function quoted(value: Json): Json {
  if (value === undefined) return null
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
  return (
    bound(samples, place) ??
    timeTemplate(samples, place) ??
    duration(samples, place) ??
    counted(samples, place) ??
    (typeof value === 'number' ? undefined : splitByFact(samples, place, ({ value }) => String(value))) ??
    textTemplate(samples) ??
    counter(samples) ??
    likelyCases(samples, place) ??
    guessLast(samples, place, 'it differs from answer to answer, and no fact explains it')
  )
}

/** Makes a constant of a value that was the same in all samples, unless it has the name of a fact of the same value. */
function constantTemplate(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  const value = samples[0]?.value as Json
  const named = bound(samples, place, (fact) => likeness(place.name, fact.name) === 3 || isDistinctive(fact))
  if (named !== undefined) return named
  const time = timeTemplate(samples, place)
  if (time !== undefined) return time
  if (isEmpty(value)) {
    const unset = factsInAll(samples, (each) => each === null)
      .filter(({ name }) => likeness(place.name, name) >= 2)
      .toSorted(byRank(place))[0]
    if (unset) return { $: unset.pointer, or: value }
  }
  const text = typeof value === 'string' ? textTemplate(samples) : undefined
  return text ?? value
}

const isEmpty = (value: Json) => value === null || value === 0 || value === '' || value === false

/** Returns true if a fact's value is so special that an equal value follows it. */
function isDistinctive({ value, pointer }: KnownFact): boolean {
  if (typeof value !== 'string' || value.length < 6) return false
  if (/^(\/request|\/answer|\d)/.test(pointer) && /[\d@]|.{12}/.test(value)) return true
  return pointer.startsWith('/path/')
}

/** Binds a value that equals a fact in every sample, as it is or in another form. */
function bound(
  samples: readonly AnswerSample[],
  place: AnswerPlace,
  allows: (fact: KnownFact) => boolean = () => true,
): Json | undefined {
  const [first, ...others] = samples
  if (!first) return undefined
  const found: { fact: KnownFact; as?: Form }[] = []
  for (const fact of factsOf(first).values()) {
    if (fact.value === null || typeof fact.value === 'object' || !allows(fact)) continue
    const ways = isApprover(first, fact.pointer) ? [undefined] : formsFor(fact.value, first.value)
    for (const as of ways) {
      const fits = others.every((sample) => {
        const value = factsOf(sample).get(fact.pointer)?.value
        if (value === undefined || value === null) return false
        return write(value, as) === sample.value || (as === undefined && isApprover(sample, fact.pointer))
      })
      if (fits) found.push({ fact, ...(as && { as }) })
    }
  }
  const rank = byRank(place)
  const [best] = found.toSorted(
    (a, b) => rank(a.fact, b.fact) || Number(a.as !== undefined) - Number(b.as !== undefined),
  )
  return best ? { $: best.fact.pointer, ...(best.as && { as: best.as }) } : anyApprover(samples, allows)
}

/** Binds a value that is always an approver of the step, but not always the approver whom the contract has assigned at that time. */
function anyApprover(samples: readonly AnswerSample[], allows: (fact: KnownFact) => boolean): Json | undefined {
  const [sample] = samples
  if (!sample) return undefined
  for (const fact of factsOf(sample).values()) {
    if (!fact.pointer.includes('/step/approvers/0/')) continue
    const [, item, member] = /^(.*)\/step\/approvers\/0\/(email|name)$/.exec(fact.pointer) ?? []
    if (item === undefined || !allows(fact)) continue
    const assigned = `${item}/assignee/${member}`
    if (samples.every((one) => isApprover(one, assigned))) return { $: assigned, or: { $: fact.pointer } }
  }
  return undefined
}

/** Returns true if a value is that of another approver of the step: both services may choose any of them. */
function isApprover(sample: AnswerSample, pointer: string): boolean {
  const found = pointer.includes('/assignee/') && /^(.*)\/assignee\/(email|name)$/.exec(pointer)
  if (!found) return false
  const [, step = '', member = ''] = found
  const lists = [`${step}/step/approvers`, `${step}/routing/candidates`].map((list) => factsOf(sample).get(list)?.value)
  return lists.some((list) => Array.isArray(list) && list.some((one) => memberAt(`/${member}`)(one) === sample.value))
}

const formNames = Object.keys(forms) as Form[]

function* formsFor(fact: unknown, value: unknown): Generator<Form | undefined> {
  if (fact === value) yield undefined
  for (const as of formNames) {
    // Zero is everything times zero.
    if (value !== fact && value !== 0 && write(fact, as) === value) yield as
  }
}

function write(value: unknown, as: Form | undefined): unknown {
  if (as === undefined) return value
  if (typeof value === 'object' || value === undefined) return undefined
  return (forms[as] as (value: unknown) => unknown)(value)
}

/** Orders facts: those of a similar name first, then those of inner lists, of the answer, and the least deep. */
function byRank(place: Pick<AnswerPlace, 'name'>): (a: KnownFact, b: KnownFact) => number {
  const alike = new Map<string, number>()
  const likenessTo = (name: string) => {
    const known = alike.get(name) ?? likeness(place.name, name)
    alike.set(name, known)
    return known
  }
  const root = ({ pointer }: KnownFact) => {
    const at = ['/answer', '/problem', '/object', '/session_id', '/key', '/path', '/request'].findIndex((start) =>
      pointer.startsWith(start),
    )
    return /^\d/.test(pointer) ? Number(pointer.split('/')[0]) : at < 0 ? 20 : 10 + at
  }
  return (a, b) =>
    likenessTo(b.name) - likenessTo(a.name) ||
    root(a) - root(b) ||
    a.pointer.split('/').length - b.pointer.split('/').length
}

function factsInAll(samples: readonly AnswerSample[], fits: (value: unknown) => boolean): KnownFact[] {
  const [first, ...others] = samples
  if (!first) return []
  return [...factsOf(first).values()].filter(
    (fact) => fits(fact.value) && others.every((sample) => fits(factsOf(sample).get(fact.pointer)?.value)),
  )
}

/** The most that a time may differ from the fact that it follows, in milliseconds: clocks differ, and an answer takes time. */
const tolerance = 2500

function timeTemplate(samples: readonly AnswerSample[], place: AnswerPlace): Json | undefined {
  const times = samples.map(({ value }) => readTime(value))
  const form = times[0]?.forms.find((one) => times.every((time) => time?.forms.includes(one)))
  if (form === undefined) return undefined
  const all = times.flatMap((time) => time?.ms ?? [])
  const offsets = (fact: KnownFact) =>
    samples.map((sample, index) => (all[index] ?? 0) - Date.parse(String(factsOf(sample).get(fact.pointer)?.value)))
  const isTime = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
  const facts = factsInAll(samples, isTime).map((fact) => {
    const distances = offsets(fact)
    const plus = Math.round(median(distances) / 1000)
    const furthest = Math.max(...distances.map((one) => Math.abs(one - plus * 1000)))
    return { fact, plus, furthest: Math.round(furthest / 100) }
  })
  const near = facts.filter(({ furthest }) => furthest * 100 <= tolerance)
  const same = near.filter(({ plus }) => Math.abs(plus) <= 2)
  const rank = byRank(place)
  const [best] = (same.length > 0 ? same : near).toSorted(
    (a, b) =>
      likeness(place.name, b.fact.name) - likeness(place.name, a.fact.name) ||
      Math.abs(a.plus) - Math.abs(b.plus) ||
      a.furthest - b.furthest ||
      rank(a.fact, b.fact),
  )
  if (!best) {
    if (form === 'date' && isOldConstant(samples, all)) return undefined
    place.guess({ pointer: place.pointer, why: 'it is a time that no fact explains' })
    return { $time: '/now', form }
  }
  const plus = Math.abs(best.plus) <= 2 ? 0 : best.plus
  // Facts have this form already. Whether the clocks agree to the millisecond must not decide what is learned.
  if (form === 'iso' && plus === 0) return { $: best.fact.pointer }
  return { $time: best.fact.pointer, form: form satisfies TimeForm, ...(plus !== 0 && { plus }) }
}

/** Returns true if a date is always the same and long past, such as that of a version. */
function isOldConstant(samples: readonly AnswerSample[], times: readonly number[]): boolean {
  const week = 7 * 24 * 60 * 60 * 1000
  return times.every((ms, index) => ms === times[0] && (samples[index]?.at ?? 0) - ms > week)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** The most that a duration may differ from the fact that it follows: in minutes or as a share, as figures are rounded. */
const [nearMinutes, nearShare] = [0.05, 0.02]

/** Binds a duration to a fact in minutes, in its own unit. It moves with the time, so it is close to the fact, and not equal. */
function duration(samples: readonly AnswerSample[], place: AnswerPlace): Json | undefined {
  if (!samples.every(({ value }) => typeof value === 'number')) return undefined
  const units = [undefined, 'minutes', 'millis'] as const
  const rank = byRank(place)
  const [best] = factsInAll(samples, (value) => typeof value === 'number')
    .filter(({ name }) => name.endsWith('_minutes'))
    .flatMap((fact) =>
      units.map((as) => {
        const unit = Number(write(1, as))
        const distances = samples.map((sample) => {
          const minutes = Number(factsOf(sample).get(fact.pointer)?.value)
          const apart = Math.abs(Number(sample.value) / unit - minutes)
          return { apart, share: apart / Math.max(minutes, 1) }
        })
        return { fact, as, distances, furthest: Math.max(...distances.map(({ apart }) => apart)) }
      }),
    )
    .filter(({ fact, distances }) => {
      const isClose = distances.every(({ share }) => share <= nearShare)
      if (likeness(place.name, fact.name) > 0) return isClose || distances.every(({ apart }) => apart <= nearMinutes)
      return isClose && samples.every(({ value }) => Number(value) >= 1)
    })
    .toSorted((a, b) => rank(a.fact, b.fact) || a.furthest - b.furthest)
  return best && { $: best.fact.pointer, ...(best.as && { as: best.as }) }
}

/** Binds a number to the number of items of a list of the facts. */
function counted(samples: readonly AnswerSample[], place: AnswerPlace): Json | undefined {
  if (!samples.every(({ value }) => Number.isSafeInteger(Number(value)))) return undefined
  const as = typeof samples[0]?.value === 'string' ? ({ as: 'text' } as const) : {}
  const [best] = listChoices(samples, place, ({ value }) => Number(value)).filter(
    ({ by, reversed }) => !by && !reversed,
  )
  return best && { $count: best.pointer, ...as, ...(best.where && { where: best.where }) }
}

/** Makes a counter of integers that grow from answer to answer. */
function counter(samples: readonly AnswerSample[]): Json | undefined {
  const values = samples.map(({ value }) => value)
  if (!values.every((value) => Number.isSafeInteger(value))) return undefined
  const digits = String(Math.max(...(values as number[]))).length
  return digits < 4 ? undefined : { $new: 'integer', length: digits }
}

/** The most cases that are told apart, and the most samples of one case that the whole may have. */
const mostCases = 12

/**
 * Makes a template for each class of samples, if a fact tells the classes apart: by its presence, or by which of a few values it
 * has.
 */
function splitByFact(
  samples: readonly AnswerSample[],
  place: AnswerPlace,
  classOf: (sample: AnswerSample) => string,
): Json | undefined {
  const classOfEach = samples.map(classOf)
  const classes = new Set(classOfEach)
  if (classes.size > mostCases || samples.length < 2) return undefined
  const isKinds = samples.some(({ value }) => kindOf(value) !== 'scalar')
  // A few samples can be told apart by anything, so only what refusals are about counts then.
  const isFew = !isKinds && classes.size >= samples.length
  const [first] = samples
  if (!first) return undefined
  const factsOfEach = samples.map(factsOf)
  const pointers = new Set<string>()
  for (const facts of new Set(factsOfEach)) for (const { pointer } of facts.values()) pointers.add(pointer)
  const candidates = [...pointers].filter((pointer) => !isFew || isSubject(pointer))
  const tellers = candidates.flatMap((pointer) => {
    const ways = [
      ['if', (value: unknown) => String(isSomething(value))],
      ['case', caseOf],
    ] as const
    return ways.flatMap(([way, keyOfValue]) => {
      const keys = new Map<string, string>()
      for (const [index, facts] of factsOfEach.entries()) {
        const key = keyOfValue(facts.get(pointer)?.value)
        const own = classOfEach[index] ?? ''
        const known = keys.get(key)
        if (known !== undefined && known !== own) return []
        if (known === undefined) keys.set(key, own)
      }
      if (
        keys.size > mostCases ||
        keys.size < 2 ||
        (way === 'case' && keys.size >= samples.length && samples.length > 2)
      )
        return []
      const name = pointer.split('/').at(-1) ?? ''
      if (way === 'case' && ![...keys.keys()].every(isKeyword)) return []
      const keyOf = (sample: AnswerSample) => keyOfValue(factsOf(sample).get(pointer)?.value)
      return [{ pointer, name, way, keyOf, keys: keys.size, value: undefined }]
    })
  })
  const rank = byRank(place)
  const [teller] = tellers.toSorted(
    (a, b) =>
      tellerRank(a.pointer) - tellerRank(b.pointer) ||
      rank(a, b) ||
      Number(a.way === 'case') - Number(b.way === 'case') ||
      a.keys - b.keys,
  )
  if (!teller) return undefined
  const of = (key: string) =>
    generaliseClass(
      samples.filter((sample) => teller.keyOf(sample) === key),
      place,
    )
  if (teller.way === 'if') return { $if: teller.pointer, present: of('true'), absent: of('false') }
  const keys = [...new Set(samples.map(teller.keyOf))]
  const values = Object.fromEntries(keys.map((key) => [key, of(key)]))
  const most = keys.toSorted((a, b) => count(samples, teller.keyOf, b) - count(samples, teller.keyOf, a))[0] ?? ''
  return { $case: teller.pointer, values, else: values[most] ?? null }
}

function generaliseClass(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  return generalise(samples, { ...place, depth: place.depth + 1 })
}

/** Texts that mostly follow a keyword: a case for each of its values, and within it what the samples have in common. */
function likelyCases(samples: readonly AnswerSample[], place: AnswerPlace): Json | undefined {
  if (samples.length < 2) return undefined
  const known = samples[0] ? [...factsOf(samples[0]).values()] : []
  const pointers = known
    .map(({ pointer }) => pointer)
    .filter((pointer) => (samples.length < 3 ? isSubject(pointer) : tellerRank(pointer) < 9))
  const keyOf = (sample: AnswerSample, pointer: string) => caseOf(factsOf(sample).get(pointer)?.value)
  const found = pointers.flatMap((pointer) => {
    const keys = [...new Set(samples.map((sample) => keyOf(sample, pointer)))]
    if (keys.length < 2 || keys.length > mostCases || !keys.every(isKeyword)) return []
    const classes = keys.map((key) => samples.filter((sample) => keyOf(sample, pointer) === key))
    const kinds = classes.map((each) => new Set(each.map(({ value }) => value)).size)
    return [{ pointer, keys, classes, left: kinds.reduce((sum, count) => sum + count - 1, 0) }]
  })
  const all = new Set(samples.map(({ value }) => value)).size - 1
  const [best] = found
    .filter(({ left }) => left < all)
    .toSorted((a, b) => a.left - b.left || tellerRank(a.pointer) - tellerRank(b.pointer))
  if (!best) return undefined
  const values = best.keys.map((key, index) => [key, generaliseClass(best.classes[index] ?? [], place)] as const)
  return { $case: best.pointer, values: Object.fromEntries(values), else: values[0]?.[1] ?? null }
}

/** Matches values that are one of a few by nature: a keyword, a rule, a small pointer, but no name, number or identifier. */
const isKeyword = (value: string) => /^[A-Za-z_/-]{0,40}$|^[45]\d\d$|^(\/([A-Za-z_]{1,40}|\d{1,2})){1,6}$/.test(value)

const count = (samples: readonly AnswerSample[], keyOf: (sample: AnswerSample) => string, key: string) =>
  samples.filter((sample) => keyOf(sample) === key).length

/** Ranks the facts that tell refusals apart: the code first, then the rule. Times, texts and identifiers tell everything apart. */
function tellerRank(pointer: string): number {
  if (/(^|\/)(code)$/.test(pointer)) return 0
  if (/(^|\/)(rule|about|operation|status)$/.test(pointer)) return 1
  if (/_at$|\/now$|_id$|\/key$|message$|detail$|_url$|^\/count$/.test(pointer)) return 9
  return 2
}

/** Returns true if a fact says what a refusal is about. */
const isSubject = (pointer: string) => pointer.startsWith('/problem/') && tellerRank(pointer) < 2

// Objects

function objectTemplate(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  const entries = entriesTemplate(samples, place)
  if (entries) return entries
  const names = [...new Set(samples.flatMap(({ value }) => Object.keys(value as object)))]
  if (names.length > mostMembers) return guessLast(samples, place, 'it has too many members')
  const made: [string, Json][] = []
  for (const name of names) {
    const having = memberSamples(samples, name)
    const inner: AnswerPlace = {
      ...place,
      pointer: `${place.pointer}/${escapePointer(name)}`,
      name: nameBeside(samples, name) ?? name,
      depth: place.depth + 1,
    }
    if (having.length === samples.length) made.push([name, generalise(having, inner)])
    else {
      const optional = optionalMember(samples, having, name, inner)
      if (optional !== undefined) made.push([name, optional])
    }
  }
  return members(made)
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
  const marked = samples.map((sample) => ({ ...sample, value: has(sample) }))
  const split = splitByFact(marked, place, ({ value }) => String(value)) as
    | { $if: string; present: Json; absent: Json }
    | { $case: string; values: Record<string, Json>; else: Json }
    | undefined
  const member = generalise(having, place)
  if (split && '$if' in split && split.present === true) return { $if: split.$if, present: member }
  if (split && '$if' in split && split.absent === true) return { $case: split.$if, values: emptyCases(member) }
  if (split && '$case' in split) {
    const values = Object.fromEntries(
      Object.entries(split.values).flatMap(([key, has]) => (has === true ? [[key, member]] : [])),
    )
    return { $case: split.$case, values }
  }
  place.guess({ pointer: place.pointer, why: 'it is not always there, and no fact explains when' })
  return having.length * 2 >= samples.length ? member : undefined
}

const emptyCases = (member: Json) => Object.fromEntries(['null', 'false', '0', ''].map((value) => [value, member]))

/** Makes an object whose members are named by the items of a list, such as the steps. */
function entriesTemplate(samples: readonly AnswerSample[], place: AnswerPlace): Json | undefined {
  const sizeOf = ({ value }: AnswerSample) => Object.keys(value as object).length
  if (samples.every((sample) => sizeOf(sample) === 0)) return undefined
  const found = listChoices(samples, place, sizeOf).flatMap((choice) => {
    if (choice.reversed) return []
    const [first] = samples.flatMap((sample) => itemsOf(sample, choice))
    const names = Object.keys((first as object | null | undefined) ?? {})
    return names.flatMap((name) => {
      const keyOf = (item: unknown) => caseOf(memberAt(`/${escapePointer(name)}`)(item))
      const fits = samples.every((sample) =>
        itemsOf(sample, choice).every((item) => Object.hasOwn(sample.value as object, keyOf(item))),
      )
      if (!fits) return []
      const values = samples.flatMap((sample) =>
        itemsOf(sample, choice).map((item) => ({
          ...sample,
          value: (sample.value as Record<string, unknown>)[keyOf(item)],
          items: [...sample.items, item],
          thing: `${sample.thing}/${keyOf(item)}`,
        })),
      )
      const guesses: Guess[] = []
      const inner = {
        ...place,
        pointer: `${place.pointer}/*`,
        depth: place.depth + 1,
        guess: (guess: Guess) => guesses.push(guess),
      }
      const value = generalise(values, inner)
      return [{ choice, name, value, guesses, cost: cost(value) + guesses.length * 12 }]
    })
  })
  const [best] = found.toSorted((a, b) => a.cost - b.cost)
  if (!best) return undefined
  for (const guess of best.guesses) place.guess(guess)
  const { pointer, by, where } = best.choice
  return {
    $entries: pointer,
    key: { $: `0/${escapePointer(best.name)}` },
    value: best.value,
    ...(by && { by }),
    ...(where && { where }),
  }
}

// Lists

/** A list of the facts, sorted or filtered. */
interface ListChoice {
  readonly pointer: string
  readonly name: string
  readonly value: unknown
  readonly by?: string
  readonly reversed?: true
  readonly where?: string
}

/** Returns the lists of objects that all samples have among their facts. */
function listsIn(samples: readonly AnswerSample[]): KnownFact[] {
  return factsInAll(samples, Array.isArray)
}

function itemsOf(
  sample: AnswerSample,
  { pointer, by, reversed, where }: Omit<ListChoice, 'name' | 'value'>,
): unknown[] {
  let items = (factsOf(sample).get(pointer)?.value ?? []) as unknown[]
  if (where !== undefined) {
    const condition = memberAt(where)
    items = items.filter((item) => isSomething(condition(item)))
  }
  if (by !== undefined) {
    const key = memberAt(by)
    items = items.toSorted((a, b) => Number(key(a)) - Number(key(b)))
  }
  return reversed ? items.toReversed() : items
}

function listTemplate(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  const time = timeTemplate(samples, place)
  if (time !== undefined) return time
  const lengths = samples.map(({ value }) => (value as unknown[]).length)
  if (lengths.every((length) => length === 0)) return []
  const isFixed = lengths.every((length) => length === lengths[0])
  const choices = listChoices(samples, place, ({ value }) => (value as unknown[]).length)
  const found = choices.map((choice) => {
    const guesses: Guess[] = []
    const item = generalise(itemSamples(samples, choice), {
      ...place,
      pointer: `${place.pointer}/*`,
      depth: place.depth + 1,
      guess: (guess) => guesses.push(guess),
    })
    return { choice, item, guesses, score: -cost(item) + likeness(place.name, choice.name) / 4 }
  })
  // Lists of one length whose items follow nothing are as likely no list of facts at all. A template with more guesses explains
  // less than one with more cases, however long.
  const [best] = found
    .filter(({ item }) => !isFixed || followsItem(item))
    .toSorted((a, b) => a.guesses.length - b.guesses.length || b.score - a.score)
  const tuple = isFixed ? tupleTemplate(samples, place) : undefined
  if (tuple && (!best || isBetter(tuple, { guesses: best.guesses, cost: -best.score }))) {
    for (const guess of tuple.guesses) place.guess(guess)
    return tuple.items
  }
  if (best) {
    for (const guess of best.guesses) place.guess(guess)
    const { pointer, by, reversed, where } = best.choice
    return {
      $each: pointer,
      item: best.item,
      ...(by && { by }),
      ...(reversed && { reversed }),
      ...(where && { where }),
    }
  }
  const split = splitByFact(samples, place, ({ value }) => String((value as unknown[]).length === 0))
  if (split !== undefined) return split
  const shown = samples.filter(({ value }) => (value as unknown[]).length > 0)
  const items = shown.flatMap((sample) =>
    (sample.value as unknown[])
      .slice(0, mostItems)
      .map((value, index) => ({ ...sample, value, thing: `${sample.thing}/${index}` })),
  )
  place.guess({ pointer: place.pointer, why: 'its items follow no list of facts' })
  return [generalise(items.slice(0, mostItems), { ...place, pointer: `${place.pointer}/*`, depth: place.depth + 1 })]
}

interface Explanation {
  readonly guesses: readonly Guess[]
  readonly cost: number
}

/** Returns true if a template explains the samples with fewer guesses, or as well and with less. */
function isBetter(one: Explanation, other: Explanation): boolean {
  return (
    one.guesses.length - other.guesses.length < 0 ||
    (one.guesses.length === other.guesses.length && one.cost < other.cost)
  )
}

/** Makes a list of one length, item by item. Returns undefined if it is too long. */
function tupleTemplate(
  samples: readonly AnswerSample[],
  place: AnswerPlace,
): { readonly items: Json[]; readonly guesses: readonly Guess[]; readonly cost: number } | undefined {
  const { length } = (samples[0]?.value ?? []) as unknown[]
  if (length > mostItems) return undefined
  const guesses: Guess[] = []
  const items = Array.from({ length }, (_, index) =>
    generalise(
      samples.map((sample) => ({ ...sample, value: (sample.value as unknown[])[index] })),
      {
        ...place,
        pointer: `${place.pointer}/${index}`,
        depth: place.depth + 1,
        guess: (guess) => guesses.push(guess),
      },
    ),
  )
  return { items, guesses, cost: items.reduce<number>((sum, item) => sum + cost(item), 0) }
}

function itemSamples(samples: readonly AnswerSample[], choice: ListChoice): AnswerSample[] {
  return samples.flatMap((sample) =>
    itemsOf(sample, choice)
      .slice(0, mostItems)
      .map((item, index) => ({
        ...sample,
        value: (sample.value as unknown[])[index],
        items: [...sample.items, item],
        thing: `${sample.thing}/${index}`,
      })),
  )
}

/**
 * Returns the lists of facts that have the required number of items in every sample: whole or filtered, in their own order,
 * reversed or sorted.
 */
function listChoices(
  samples: readonly AnswerSample[],
  place: AnswerPlace,
  lengthOf: (sample: AnswerSample) => number,
): ListChoice[] {
  const lengths = samples.map(lengthOf)
  const hasLengths = (choice: Omit<ListChoice, 'name' | 'value'>) =>
    samples.every((sample, index) => itemsOf(sample, choice).length === lengths[index])
  return listsIn(samples)
    .toSorted(byRank(place))
    .flatMap((fact) => {
      const items = samples.flatMap((sample) => itemsOf(sample, fact))
      const [first] = items
      const names = first !== null && typeof first === 'object' && !Array.isArray(first) ? Object.keys(first) : []
      const isNumber = (path: string) => items.map(memberAt(path)).every((value) => typeof value === 'number')
      const isPartly = (name: string) => !items.map(memberAt(`/${name}`)).every(isSomething)
      const list = { pointer: fact.pointer, name: fact.name, value: undefined }
      const parts = [
        list,
        ...names
          .map(escapePointer)
          .filter(isPartly)
          .map((name) => ({ ...list, where: `/${name}` })),
      ].filter(hasLengths)
      if (parts.length === 0) return []
      const orders = ['/order', '/step/order'].filter((path) => items.length > 0 && isNumber(path))
      return withoutSame(
        samples,
        // Reversing and sorting keep the number of items.
        parts.flatMap((part) => [part, { ...part, reversed: true as const }, ...orders.map((by) => ({ ...part, by }))]),
      )
    })
}

/** Removes the choices from one list that give the same items as an earlier one. */
function withoutSame(samples: readonly AnswerSample[], choices: readonly ListChoice[]): ListChoice[] {
  const items = choices.map((choice) => samples.map((sample) => itemsOf(sample, choice)))
  const isSame = (one: readonly unknown[][], other: readonly unknown[][]) =>
    one.every((list, sample) => list.every((item, index) => item === other[sample]?.[index]))
  return choices.filter((_, at) => !items.slice(0, at).some((before) => isSame(items[at] ?? [], before)))
}

/** Returns a function that reads the value at a JSON Pointer in an item. */
function memberAt(pointer: string): (item: unknown) => unknown {
  const names = pointerSteps(pointer)
  return (item) => {
    let value = item
    for (const name of names) {
      value = value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined
    }
    return value
  }
}

/** Returns true if a value of a template follows the item that it is made for. */
function followsItem(template: Json): boolean {
  return /"\$(time|each|entries|count|case|if)?":"0[/#"]/.test(JSON.stringify(template))
}

/** Returns how much of a template is left to cases and new values: the less, the better it explains the samples. */
function cost(template: Json): number {
  if (template === null || typeof template !== 'object') return 1
  if (Array.isArray(template)) return template.reduce<number>((sum, item) => sum + cost(item as Json), 1)
  // The members of an object may have the names of instructions.
  const { $members: members } = template as { readonly $members?: Readonly<Record<string, Json>> }
  if (members) return Object.values(members).reduce<number>((sum, item) => sum + cost(item), 0)
  const inner = Object.values(template).reduce<number>((sum, item) => sum + cost(item as Json), 0)
  if ('$' in template) return template.or !== null && typeof template.or === 'object' ? 1 : 0
  if ('$time' in template) return 0
  return (
    inner + ('$case' in template || '$if' in template ? 10 : '$new' in template ? 8 : '$count' in template ? -1 : 0)
  )
}
