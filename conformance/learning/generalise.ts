/**
 * Makes a template from answers by anti-unification: the least general term of which all samples are instances. Equal parts
 * stay constants; where samples differ, a term becomes a variable (Plotkin, A Note on Inductive Generalization, Machine
 * Intelligence 5, 1970; Reynolds, Transformational Systems and the Algebraic Structure of Atomic Formulas, 1970). Here a
 * variable must be bound to a fact of the call that has the same value in every sample; only where there is none does it
 * become a new value of the same kind.
 */
import { escapePointer, pointerSteps } from '../../src/contract/json.ts'
import { caseOf, type Form, forms, isSomething, type Json, type TimeForm } from '../../src/profile/template.ts'
import { lateFigure, namedFigure } from './figures.ts'
import { likeness } from './names.ts'
import { type AnswerPlace, type AnswerSample, factsOf, type Guess, type KnownFact, memberSamples } from './sample.ts'
import { anyItemIn, fieldSpellings, indexOfWord, textTemplate } from './text.ts'
import { byRank, factsInAll, timeFact } from './time-facts.ts'
import { commonForm, readTime } from './times.ts'

/** Limits for deployments that answer nonsense. */
const maxDepth = 24
const mostMembers = 400
const mostItems = 60

/** Returns the most special template that all samples are instances of. There must be at least one sample. */
export function generalise(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  if (place.depth > maxDepth) return guessLast(samples, place, 'it is nested too deeply')
  const kinds = new Set(samples.map(({ value }) => kindOf(value)))
  if (kinds.size > 1) {
    return (
      lateFigure(samples, place) ??
      splitByFact(samples, place, ({ value }) => kindOf(value)) ??
      namedFigure(samples, place) ??
      ofMostKind(samples, place)
    )
  }
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

/** Repeats the value that most samples have; of several, the last. */
function guessMost(samples: readonly AnswerSample[], place: AnswerPlace, why: string): Json {
  const times = (one: AnswerSample) => samples.filter(({ value }) => value === one.value).length
  const most = Math.max(...samples.map(times))
  return guessLast(
    samples.filter((one) => times(one) === most),
    place,
    why,
  )
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
  const simple =
    bound(samples, place, ({ name }) => likeness(place.name, name) >= 2) ??
    lateFigure(samples, place) ??
    bound(samples, place) ??
    timeTemplate(samples, place) ??
    duration(samples, place) ??
    counted(samples, place)
  if (simple !== undefined) return simple
  const text = textTemplate(samples)
  return (
    (text !== undefined && isExplained(text) && anyItemIn(text) === undefined ? text : undefined) ??
    splitByFact(samples, place, typeof value === 'number' ? emptiness : ({ value }) => String(value)) ??
    splitByFact(samples, place, withoutField) ??
    (text !== undefined ? ofAnyItem(text, place) : undefined) ??
    counter(samples) ??
    likelyCases(samples, place) ??
    namedFigure(samples, place) ??
    guessMost(samples, place, 'it differs from answer to answer, and no fact explains it')
  )
}

/** Returns true if nothing of a template is made anew, so that facts explain it. */
const isExplained = (template: Json) => !/"\$(new|time)":/.test(JSON.stringify(template))

/** Notes that a template shows something of a list, and no fact says of which item. */
function ofAnyItem(template: Json, { pointer, guess }: AnswerPlace): Json {
  const list = anyItemIn(template)
  if (list !== undefined) guess({ pointer, why: `it is that of one of ${list}, and no fact explains which` })
  return template
}

/** Tells numbers that stand for nothing from the others: before anything has ended, rates and means are often 0. */
const emptiness = ({ value }: AnswerSample) => String(value === 0 || value === -1)

/** Returns a text without the name of the field that was broken, so that equal sentences about different fields are equal. */
function withoutField(sample: AnswerSample): string {
  const text = String(sample.value)
  for (const { pointer, value } of factsOf(sample).values()) {
    if (!pointer.endsWith('/pointer')) continue
    for (const as of fieldSpellings) {
      const field = write(value, as)
      if (typeof field === 'string' && field !== '' && indexOfWord(text, field) >= 0)
        return text.replace(field, '\u0000')
    }
  }
  return text
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
  if (/\/(pointer|sent)$/.test(pointer)) return true
  // Sizes are large and seldom the same by chance.
  if (typeof value === 'number') return value >= 100 && /^\/(request|object)\//.test(pointer)
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
      if (as === 'ordinal' && !fact.pointer.endsWith('#')) continue
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
    const [, item, member] = /^(.*)\/step\/approvers\/0\/(email|name)$/.exec(fact.pointer) ?? []
    if (item === undefined || !allows(fact)) continue
    const assigned = `${item}/assignee/${member}`
    if (samples.every((one) => isApprover(one, assigned))) return { $: assigned, or: { $: fact.pointer } }
  }
  return undefined
}

/** Returns true if a value is that of another approver of the step: both services may choose any of them. */
function isApprover(sample: AnswerSample, pointer: string): boolean {
  const found = /^(.*)\/assignee\/(email|name)$/.exec(pointer)
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

function timeTemplate(samples: readonly AnswerSample[], place: AnswerPlace): Json | undefined {
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
  const as = typeof samples[0]?.value === 'string' ? ({ as: 'text' } as const) : {}
  const [best] = listChoices(samples, place, ({ value }) => Number(value)).filter(
    ({ by, reversed }) => !by && !reversed,
  )
  return best && { $count: best.pointer, ...as, ...selection(best) }
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
  classify: (sample: AnswerSample) => string,
): Json | undefined {
  // Each fact asks for the class of each sample.
  const classNames = new Map(samples.map((sample) => [sample, classify(sample)]))
  const classOf = (sample: AnswerSample) => classNames.get(sample) ?? classify(sample)
  const classes = new Set(classNames.values())
  if (classes.size < 2 || classes.size > mostCases || samples.length < 2) return undefined
  const isKinds = samples.some(({ value }) => kindOf(value) !== 'scalar')
  // A few samples can be told apart by anything, so only what refusals are about counts then.
  const isFew = !isKinds && classes.size >= samples.length
  const [first] = samples
  if (!first) return undefined
  const pointers = new Set(samples.flatMap((sample) => [...factsOf(sample).values()].map(({ pointer }) => pointer)))
  const candidates = [...pointers].filter((pointer) => !isFew || isSubject(pointer))
  const tellers = candidates.flatMap((pointer) => {
    const ways = [
      ['if', (sample: AnswerSample) => String(isSomething(factsOf(sample).get(pointer)?.value))],
      ['case', (sample: AnswerSample) => caseOf(factsOf(sample).get(pointer)?.value)],
    ] as const
    return ways.flatMap(([way, keyOf]) => {
      const keys = keysOfClasses(samples, keyOf, classOf)
      if (!keys || keys.size > mostCases || (way === 'case' && keys.size >= samples.length && samples.length > 2))
        return []
      const name = pointer.split('/').at(-1) ?? ''
      if (way === 'case' && ![...keys.keys()].every(isKeyword)) return []
      return [{ pointer, name, way, keyOf, keys: keys.size, value: undefined }]
    })
  })
  if (!isFew) tellers.push(...longLists(samples, classOf))
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

/** Returns the keys of samples with their classes, if each key has one class and there are several. */
function keysOfClasses(
  samples: readonly AnswerSample[],
  keyOf: (sample: AnswerSample) => string,
  classOf: (sample: AnswerSample) => string,
): Map<string, string> | undefined {
  const keys = new Map<string, string>()
  for (const sample of samples) {
    const [key, own] = [keyOf(sample), classOf(sample)]
    if ((keys.get(key) ?? own) !== own) return undefined
    keys.set(key, own)
  }
  return keys.size < 2 ? undefined : keys
}

/** The most lengths of a list that may tell classes apart. */
const mostLengths = 8

/** Returns the lists whose length tells classes apart: whether there is an item beyond the first ones, as of a page. */
function longLists(samples: readonly AnswerSample[], classOf: (sample: AnswerSample) => string) {
  return listsIn(samples).flatMap((list) => {
    const lengthOf = (sample: AnswerSample) => itemsOf(sample, list).length
    const lengths = [...new Set(samples.map(lengthOf))].filter((length) => length > 0)
    if (lengths.length > mostLengths) return []
    return lengths.flatMap((length) => {
      const keyOf = (sample: AnswerSample) => String(lengthOf(sample) > length)
      if (!keysOfClasses(samples, keyOf, classOf)) return []
      return [{ pointer: `${list.pointer}/${length}`, name: '', way: 'if' as const, keyOf, keys: 2, value: undefined }]
    })
  })
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
  // The latest execution's status says little about the workflow.
  if (/(^|\/)(rule|about|operation|status)$/.test(pointer) && !pointer.startsWith('/answer/recent')) return 1
  if (pointer.endsWith('/pointer')) return 1.5
  if (/#$|\/\d+$/.test(pointer)) return 8
  if (/_at$|\/now$|_id$|\/key$|message$|detail$|_url$|^\/count$/.test(pointer)) return 9
  return 2
}

/** Returns true if a fact says what a refusal is about. */
const isSubject = (pointer: string) => pointer.startsWith('/problem/') && tellerRank(pointer) < 2

// Objects

function objectTemplate(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  const isRequest = ({ value, facts }: AnswerSample) => JSON.stringify(value) === JSON.stringify(facts.request)
  // Some say in their errors what was sent.
  if (place.depth > 0 && samples.every(isRequest)) return { $: '/request' }
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
    const [first] = samples.flatMap((sample) => itemsOf(sample, choice))
    const names = Object.keys((first as object | null | undefined) ?? {})
    const keys = names.flatMap((name) =>
      (name === 'pointer' ? fieldSpellings : [undefined]).map((as) => ({ name, ...(as && { as }) })),
    )
    return keys.flatMap(({ name, as }) => {
      const keyOf = (item: unknown) => {
        const key = memberAt(`/${escapePointer(name)}`)(item)
        return caseOf(as === undefined ? key : write(key, as))
      }
      const fits = samples.every((sample) =>
        itemsOf(sample, choice).every((item) => Object.hasOwn(sample.value as object, keyOf(item))),
      )
      if (!fits) return []
      const values = samples.flatMap((sample) =>
        itemsOf(sample, choice).map((item, index) => ({
          ...sample,
          value: (sample.value as Record<string, unknown>)[keyOf(item)],
          items: [...sample.items, item],
          indices: [...(sample.indices ?? []), index],
          thing: `${sample.thing}/${keyOf(item)}`,
        })),
      )
      const isInOrder = samples.every((sample) => {
        const keys = itemsOf(sample, choice).map(keyOf)
        return Object.keys(sample.value as object).every((key, index) => key === keys[index])
      })
      const guesses: Guess[] = []
      const inner = {
        ...place,
        inside: [...(place.inside ?? []), choice.pointer],
        pointer: `${place.pointer}/*`,
        depth: place.depth + 1,
        guess: (guess: Guess) => guesses.push(guess),
      }
      const value = generalise(values, inner)
      return [
        {
          choice,
          name,
          value,
          guesses,
          ...(as && { as }),
          cost: cost(value) + guesses.length * 12 + (isInOrder ? 0 : 0.5),
        },
      ]
    })
  })
  const [best] = found.toSorted((a, b) => a.cost - b.cost)
  if (!best) return undefined
  for (const guess of best.guesses) place.guess(guess)
  return {
    $entries: best.choice.pointer,
    key: { $: `0/${escapePointer(best.name)}`, ...(best.as && { as: best.as }) },
    value: best.value,
    ...selection(best.choice),
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
  readonly unless?: string
  readonly limit?: number
}

/** Returns the members of an instruction that say which items of a list it takes, and in which order. */
function selection({ by, reversed, where, unless, limit }: ListChoice) {
  return {
    ...(by && { by }),
    ...(reversed && { reversed }),
    ...(where && { where }),
    ...(unless && { unless }),
    ...(limit && { limit }),
  }
}

/** Returns the lists of objects that all samples have among their facts. */
function listsIn(samples: readonly AnswerSample[]): KnownFact[] {
  return factsInAll(samples, Array.isArray)
}

function itemsOf(
  sample: AnswerSample,
  { pointer, by, reversed, where, unless, limit }: Omit<ListChoice, 'name' | 'value'>,
): unknown[] {
  let items = (factsOf(sample).get(pointer)?.value ?? []) as unknown[]
  if (where !== undefined) {
    const condition = memberAt(where)
    items = items.filter((item) => isSomething(condition(item)))
  }
  if (unless !== undefined) {
    const exception = memberAt(unless)
    items = items.filter((item) => !isSomething(exception(item)))
  }
  if (by !== undefined) {
    const key = memberAt(by)
    items = items.toSorted((a, b) => Number(key(a)) - Number(key(b)))
  }
  if (reversed) items = items.toReversed()
  return limit === undefined ? items : items.slice(0, limit)
}

function listTemplate(samples: readonly AnswerSample[], place: AnswerPlace): Json {
  const time = timeTemplate(samples, place)
  if (time !== undefined) return time
  const lengths = samples.map(({ value }) => (value as unknown[]).length)
  if (lengths.every((length) => length === 0)) return []
  const isFixed = lengths.every((length) => length === lengths[0])
  const lengthOf = ({ value }: AnswerSample) => (value as unknown[]).length
  const choices = [...listChoices(samples, place, lengthOf), ...firstOf(samples, place)].filter(
    ({ pointer }) => !place.inside?.includes(pointer),
  )
  const found = choices.map((choice) => {
    const guesses: Guess[] = []
    const item = generalise(itemSamples(samples, choice), {
      ...place,
      inside: [...(place.inside ?? []), choice.pointer],
      isOneKind: false,
      pointer: `${place.pointer}/*`,
      depth: place.depth + 1,
      guess: (guess) => guesses.push(guess),
    })
    return { choice, item, guesses, score: -cost(item) + likeness(place.name, choice.name) / 4 }
  })
  // Lists of one length whose items follow nothing are as likely no list of facts at all. A template with more guesses explains
  // less than one with more cases, however long.
  const [best] = found
    .filter(({ item, choice }) => {
      if (choice.limit !== undefined) return showsItem(item)
      return !isFixed || followsItem(item)
    })
    .toSorted((a, b) => a.guesses.length - b.guesses.length || b.score - a.score)
  const tuple = isFixed ? tupleTemplate(samples, place) : undefined
  const isClear = best?.guesses.length === 0 || tuple?.guesses.length === 0
  const kinds = isClear ? undefined : kindsTemplate(samples, place)
  if (kinds && (!tuple || !isBetter(tuple, kinds)) && (!best || isBetter(kinds, { ...best, cost: -best.score })))
    return useKinds(kinds, place)
  if (tuple && (!best || isBetter(tuple, { guesses: best.guesses, cost: -best.score }))) {
    for (const guess of tuple.guesses) place.guess(guess)
    return tuple.items
  }
  if (best) {
    for (const guess of best.guesses) place.guess(guess)
    return { $each: best.choice.pointer, item: best.item, ...selection(best.choice) }
  }
  const split =
    splitByFact(samples, place, (sample) => String(lengthOf(sample) === 0)) ??
    splitByFact(samples, place, (sample) => String(lengthOf(sample)))
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

/** A list of items of several kinds, as a list for each kind. */
interface Kinds {
  readonly lists: readonly Json[]
  readonly guesses: readonly Guess[]
  readonly cost: number
}

/** The most kinds of items that are told apart. */
const mostKinds = 6

/** The most ways to tell kinds that are tried: lists within lists would take too long. */
const mostDivisions = 2

/** Makes a list for each kind of items, if their kinds follow each other in the same order in all samples. */
function kindsTemplate(samples: readonly AnswerSample[], place: AnswerPlace): Kinds | undefined {
  if (place.isOneKind) return undefined
  const lists = samples.map(({ value }) => (value as unknown[]).slice(0, mostItems))
  const divisions = new Map<string, { readonly kindOfItem: KindTeller; readonly kinds: readonly string[] }>()
  for (const kindOfItem of kindTellers(samples, lists)) {
    const rows = samples.map((sample, index) => (lists[index] ?? []).map((item) => kindOfItem(item, sample)))
    const kinds = kindsInOrder(rows)
    if (kinds)
      divisions.set(JSON.stringify(rows.map((row) => row.map((kind) => kinds.indexOf(kind)))), { kindOfItem, kinds })
  }
  const found = [...divisions.values()].slice(0, mostDivisions).map(({ kindOfItem, kinds }): Kinds => {
    const guesses: Guess[] = []
    const guess = (one: Guess) => guesses.push(one)
    const templates = kinds.map((kind) => {
      const own = samples.map((sample, index) => ({
        ...sample,
        value: (lists[index] ?? []).filter((item) => kindOfItem(item, sample) === kind),
      }))
      return listTemplate(own, { ...place, depth: place.depth + 1, guess, isOneKind: true })
    })
    return { lists: templates, guesses, cost: templates.reduce<number>((sum, one) => sum + cost(one), 0) }
  })
  return found.toSorted((a, b) => a.guesses.length - b.guesses.length || a.cost - b.cost)[0]
}

function useKinds({ lists, guesses }: Kinds, place: AnswerPlace): Json {
  for (const guess of guesses) place.guess(guess)
  return { $concat: lists }
}

/** Returns the kind of an item in one way, or an empty text if it has none. */
type KindTeller = (item: unknown, sample: AnswerSample) => string

/**
 * Returns the ways to tell kinds of items: by a member that is one of a few words, such as `type`, by a sentence that is the same
 * but for names and numbers in it, or by their members' names.
 */
function kindTellers(samples: readonly AnswerSample[], lists: readonly (readonly unknown[])[]): KindTeller[] {
  const items = lists.flatMap((list, index) => list.map((item) => ({ item, sample: samples[index] })))
  const [first] = items
  if (items.length < 2 || !items.every(({ item }) => kindOf(item) === kindOf(first?.item))) return []
  const paths = kindOf(first?.item) === 'object' ? textPaths(first?.item) : ['']
  const tellers: KindTeller[] = [
    ...paths.map((path) => (item: unknown) => {
      const value = memberAt(path)(item)
      return typeof value === 'string' && isKeyword(value) ? value : ''
    }),
    ...paths.map((path) => (item: unknown, sample: AnswerSample) => sentence(memberAt(path)(item), sample)),
    (item) => (kindOf(item) === 'object' ? Object.keys(item as object).join() : ''),
  ]
  return tellers.filter((teller) => {
    const kinds = new Set(items.map(({ item, sample }) => (sample ? teller(item, sample) : '')))
    return kinds.size > 1 && kinds.size <= mostKinds && !kinds.has('')
  })
}

/** Returns the pointers to the texts of an object, and of the objects in it. */
function textPaths(item: unknown): string[] {
  return Object.entries(item as object).flatMap(([name, value]) => {
    const path = `/${escapePointer(name)}`
    if (typeof value === 'string') return [path]
    if (kindOf(value) !== 'object') return []
    const inner = Object.entries(value as object).filter(([, one]) => typeof one === 'string')
    return inner.map(([inside]) => `${path}/${escapePointer(inside)}`)
  })
}

/** Returns a sentence without the names of items of the facts' lists, and without numbers. */
function sentence(text: unknown, sample: AnswerSample): string {
  if (typeof text !== 'string' || !text.includes(' ')) return ''
  const names = [...factsOf(sample).values()].flatMap(({ value }) =>
    Array.isArray(value) ? value.flatMap((item) => Object.values((item ?? {}) as object)) : [],
  )
  const known = names.filter(
    (name): name is string => typeof name === 'string' && name.length > 3 && text.includes(name),
  )
  const rest = known.toSorted((a, b) => b.length - a.length).reduce((left, name) => left.replaceAll(name, '*'), text)
  return rest.replaceAll(/\d+([.,]\d+)*/g, '*')
}

/** Returns the kinds in the order in which all lists have them, each kind together; undefined if there is no such order. */
function kindsInOrder(lists: readonly (readonly string[])[]): string[] | undefined {
  const rows = lists.map((list) => list.filter((kind, index) => kind !== list[index - 1]))
  if (rows.some((row) => new Set(row).size < row.length)) return undefined
  const left = new Set(rows.flat())
  const order: string[] = []
  while (left.size > 0) {
    const next = [...left].find((kind) =>
      rows.every((row) => !row.includes(kind) || !row.slice(0, row.indexOf(kind)).some((before) => left.has(before))),
    )
    if (next === undefined) return undefined
    order.push(next)
    left.delete(next)
  }
  return order
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
        indices: [...(sample.indices ?? []), index],
        thing: `${sample.thing}/${index}`,
      })),
  )
}

/** Returns the lists whose samples show only their first items, as the first page of a list does. */
function firstOf(samples: readonly AnswerSample[], place: AnswerPlace): ListChoice[] {
  const lengths = samples.map(({ value }) => (value as unknown[]).length)
  const limit = Math.max(...lengths)
  // A single item may have been chosen for another reason than its position.
  if (limit < 2) return []
  return orderedLists(samples, place)
    .filter((choice) => {
      const all = samples.map((sample) => itemsOf(sample, choice).length)
      return all.some((one) => one > limit) && all.every((one, index) => Math.min(one, limit) === lengths[index])
    })
    .map((choice) => ({ ...choice, limit }))
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
  return orderedLists(samples, place)
    .filter((choice) => samples.every((sample) => itemsOf(sample, choice).length === lengthOf(sample)))
    .filter((choice, index, all) => isDifferent(samples, choice, all.slice(0, index)))
}

/** Returns the lists of facts, whole or filtered, in their own order, reversed or sorted. */
function orderedLists(samples: readonly AnswerSample[], place: AnswerPlace): ListChoice[] {
  return listsIn(samples)
    .toSorted(byRank(place))
    .flatMap((fact) => {
      const items = samples.flatMap((sample) => itemsOf(sample, fact))
      const [first] = items
      const names = first !== null && typeof first === 'object' && !Array.isArray(first) ? Object.keys(first) : []
      const isNumber = (path: string) => items.map(memberAt(path)).every((value) => typeof value === 'number')
      const isPartly = (path: string) => {
        const shown = items.map(memberAt(path)).map(isSomething)
        return shown.includes(true) && shown.includes(false)
      }
      const isList = (name: string) => items.map(memberAt(name)).every(Array.isArray)
      const list = { pointer: fact.pointer, name: fact.name, value: undefined }
      const orders = ['/order', '/step/order', '/step/position'].filter((path) => items.length > 0 && isNumber(path))
      const parts = [
        list,
        ...names
          .map((name) => `/${escapePointer(name)}`)
          .map((path) => (isList(path) && !isPartly(path) ? `${path}/1` : path))
          .filter(isPartly)
          .flatMap((path) => [
            { ...list, where: path },
            { ...list, unless: path },
          ]),
      ]
      return parts.flatMap((part) => [
        part,
        { ...part, reversed: true as const },
        ...orders.map((by) => ({ ...part, by })),
      ])
    })
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

/** Returns true if an item of a list is a member of the template, or the template itself. */
function showsItem(template: Json): boolean {
  if (template === null || typeof template !== 'object') return false
  const isShown = (one: unknown) => /^\{"\$":"0\//.test(JSON.stringify(one))
  return isShown(template) || Object.values(template).some(isShown)
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
  if ('$' in template && anyItemIn(template) !== undefined) return 12
  if ('$' in template) return template.or !== null && typeof template.or === 'object' ? 1 : 0
  if ('$time' in template) return 0
  return (
    inner + ('$case' in template || '$if' in template ? 10 : '$new' in template ? 8 : '$count' in template ? -1 : 0)
  )
}
