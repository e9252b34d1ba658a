import type { Evidence } from '../evidence/evidence.ts'
import { findingAt, show } from '../evidence/show.ts'
import { type Binding, type Listed, patternOf, type Seen } from '../model/bind.ts'
import { findingOf, rules } from '../model/findings.ts'
import { type AnswerKind, boundIn } from '../model/samples.ts'
import { isStrong } from '../model/values.ts'
import { allTexts } from '../model/whose.ts'
import { isMasked, isWithin, lastName, parentOf } from '../reading/locate.ts'
import { isSameName } from '../reading/names.ts'
import { isEmpty, numberOf } from '../reading/places.ts'
import { accepted, fail, type Observation, pass } from './check.ts'

/** Where a fact is looked for, and how it is compared. */
export interface FieldLook {
  readonly answers: readonly AnswerKind[]
  /** The path of the fact; `*` is any thing of a list. */
  readonly fact: string
  /** The samples that count. @default all */
  readonly of?: (seen: Seen) => boolean
  /** True if a shown value stands for the sent one, besides the same one. */
  readonly isRight?: (shown: string, sent: string) => boolean
  /** True if a place may show a part of it, if another place of the answer shows the whole. @default false */
  readonly mayBePart?: boolean
  /** Says what was sent. @default the name of the field */
  readonly said?: string
}

/** Returns all bindings of a field, those of the first answers first. The details may show it again for each execution. */
export function bindingsOf(evidence: Evidence, { answers, fact }: Pick<FieldLook, 'answers' | 'fact'>): Binding[] {
  const facts = answers.includes('executed') ? [fact, `executions/*/${fact}`] : [fact]
  return answers.flatMap((answer) =>
    boundIn(evidence, answer).bindings.filter((one) => facts.includes(patternOf(one.fact))),
  )
}

/** Judges a field: broken where a place that is sure to show it shows something else. */
export function judgeField(evidence: Evidence, field: FieldLook): Observation {
  const { of = () => true, said = lastName(field.fact) } = field
  const sure = bindingsOf(evidence, field).filter(({ strength }) => strength !== 'likely')
  for (const binding of sure) {
    const against = [...binding.against, ...lostAt(binding)].filter(
      (seen) =>
        of(seen) && !standsFor(seen, field) && !isFigureBeside(seen) && !isOwnKey(evidence, field, binding, seen),
    )
    const wrong = against.find((seen) => !isShownElsewhere(evidence, binding, seen, field.mayBePart))
    if (wrong) {
      const message = `${said} was sent as ${show(wrong.sent)}, but is shown as ${show(wrong.shown)}.`
      return fail(message, findingOf(binding, wrong.shown), comparedOf(wrong))
    }
  }
  const converted = otherUnit(sure)
  if (converted) return converted
  return sure.some(({ agree }) => agree.some(of))
    ? pass(`${said} is shown as it was sent.`)
    : accepted(`${said} was accepted, and no answer is sure to show it.`)
}

/** Returns true for a figure where the same item shows the sent text elsewhere: a list of metrics mixes names and numbers. */
const isFigureBeside = ({ shown, sent, sample }: Seen) =>
  numberOf(shown) !== undefined &&
  isStrong(sent) &&
  typeof sent === 'string' &&
  allTexts({ shown: sample.shown }).includes(sent)

/** Returns true for a deployment's own key of a thing, such as the number of its row: another list shows it beside the sent identifier. */
function isOwnKey(evidence: Evidence, field: FieldLook, { place }: Binding, { shown, sample }: Seen): boolean {
  if (!field.fact.endsWith('_id') || !isStrong(shown) || allTexts(sample.facts).includes(shown)) return false
  const bindings = bindingsOf(evidence, field)
  const isSent = bindings.some(({ agree }) => agree.some(({ sent }) => sent === shown))
  const isBeside = ({ sample: other }: Seen) =>
    other.about === sample.about && allTexts({ shown: other.shown }).includes(shown)
  return !isSent && bindings.some((one) => !isWithin(one.place, parentOf(place)) && one.agree.some(isBeside))
}

/** One name has one unit, in all answers. Beside the sent value, a statistic may have another one, unless its place shows both. */
function otherUnit(sure: readonly Binding[]): Observation | undefined {
  const same = sure.filter(({ form }) => form === 'same')
  const other = sure.find(
    ({ form, place, answer }) =>
      form === 'factor' &&
      same.some((one) => lastName(one.place) === lastName(place)) &&
      (same.some((one) => one.place === place) || !same.some((one) => one.answer === answer)),
  )
  const [seen] = other?.agree ?? []
  if (!other || !seen) return undefined
  const message = `${lastName(other.place)} was sent as ${show(seen.sent)}, and another answer shows that, but this one ${show(seen.shown)}.`
  return fail(message, findingOf(other, seen.shown), comparedOf(seen))
}

/** Describes what a comparison is about, for the report. */
export const comparedOf = ({ sample: { exchange }, pointer, sent, shown }: Seen) => ({ exchange, pointer, sent, shown })

function standsFor({ shown, sent }: Seen, { isRight }: FieldLook): boolean {
  if (isEmpty(shown)) return false
  // Records of fixed length show numbers with leading zeros.
  if (typeof sent === 'number' && numberOf(shown) === sent) return true
  // A sentence with the sent text, or an address such as mailto:.
  const holds = typeof shown === 'string' && isStrong(sent) && holdsText(shown, String(sent))
  const [text, known] = [String(shown), String(sent)]
  return holds || isMaskOf(text, known) || isAddressOf(text, known) || isRight?.(text, known) === true
}

/** Returns true for the address of a thing, which ends with its identifier. */
const isAddressOf = (shown: string, sent: string) =>
  /^(https?:\/)?\//.test(shown) && /([^/]+)\/?$/.exec(shown)?.[1] === sent

/** Returns true for a text in which marks stand for parts of another one: `s***@example.com`. */
function isMaskOf(shown: string, sent: string): boolean {
  if (!isMasked(shown)) return false
  let from = 0
  return shown
    .replaceAll('xxx', '*')
    .split(/[*•]+/)
    .every((part) => {
      const at = sent.indexOf(part, from)
      from = at + part.length
      return at >= 0
    })
}

/** Returns true if a text holds another one between blanks, brackets and marks: a longer word is another one. */
function holdsText(text: string, part: string): boolean {
  const at = text.indexOf(part)
  const [before, after] = [text.slice(0, Math.max(0, at)), text.slice(at + part.length)]
  return at >= 0 && /(^|[\s<(["',;:|])$/.test(before) && /^($|[\s>)\]"',;:|]|[.!?](\s|$))/.test(after)
}

/** A member that its neighbours in the same list have. A value that another member of its item shows is not lost. */
function lostAt({ agree, silent, strength, place }: Binding): readonly Seen[] {
  if (strength !== 'proven' || !place.includes('*') || !agree.some(({ sent }) => isStrong(sent))) return []
  const isBeside = ({ sample }: Seen) => agree.some((one) => one.sample.exchange === sample.exchange)
  const isThere = ({ sample }: Seen) =>
    agree.some((one) => one.sample.exchange === sample.exchange && one.sample.about === sample.about)
  const isElsewhere = ({ sample, sent }: Seen) => isStrong(sent) && allTexts({ shown: sample.shown }).includes(sent)
  return silent.filter(
    (seen) =>
      isBeside(seen) &&
      !isThere(seen) &&
      !isElsewhere(seen) &&
      seen.sample.shown !== null &&
      typeof seen.sample.shown === 'object',
  )
}

/** A place that only has a common word for its name may be something else, if another place of the answer shows the value of that thing. */
function isShownElsewhere(
  evidence: Evidence,
  { strength, fact, answer, place, agree }: Binding,
  { sample }: Seen,
  mayBePart = false,
): boolean {
  if (!mayBePart && (strength === 'proven' || /[a-z][_A-Z]/.test(lastName(fact)))) return false
  const others = boundIn(evidence, answer as AnswerKind).bindings.filter((one) => one.fact === fact)
  return others.some(
    (one) =>
      one.place !== place &&
      (one.strength !== 'likely' || (agree.length === 0 && one.against.length === 0)) &&
      one.agree.some(({ sample: other }) => other.exchange === sample.exchange && other.about === sample.about),
  )
}

/** Judges a list: a container that is complete in most answers, or has the contract's name, must show all things, each once. */
export function judgeList(evidence: Evidence, answers: readonly AnswerKind[], fact: string): Observation {
  const name = lastName(fact)
  const listings = answers.flatMap((answer) => boundIn(evidence, answer).listings.filter((one) => one.fact === fact))
  let isShown = false
  for (const { place, answer, seen } of listings) {
    const isNamed = isSameName(lastName(place), name)
    const counted = seen.filter(({ things }) => things.length > 0)
    const whole = counted.filter(({ missing, doubled }) => missing.length + doubled.length === 0)
    const isOfSeveral = new Set(whole.map(({ things }) => things)).size > 1
    const isMostly = whole.length > counted.length / 2
    // A list of one thing may be the first of several.
    isShown ||= whole.some(({ things }) => things.length > 1)
    // As many members as things may be references to them.
    const mayFlaw = ({ found, others, things }: Listed) => found.length > 0 || (isNamed && others !== things.length)
    // Some of the things may be listed for another reason, such as bottlenecks, beside a list of all that has as good a name.
    const isBesideWhole = ({ sample, things }: Listed) =>
      listings.some(
        (other) =>
          (!isNamed || (other.place !== place && isSameName(lastName(other.place), name))) &&
          other.seen.some(
            (one) => one.sample.exchange === sample.exchange && one.things === things && one.missing.length === 0,
          ),
      )
    const flawed = counted.find((one) => !whole.includes(one) && mayFlaw(one) && !isBesideWhole(one))
    const isProven =
      (isOfSeveral && (isMostly || (flawed !== undefined && repeatsItems(flawed)))) ||
      showsMostFields(boundIn(evidence, answer as AnswerKind).bindings, place)
    if (!flawed || !(isNamed || isProven)) continue
    const { exchange } = flawed.sample
    const strength = isProven ? 'proven' : 'named'
    const [count, rule] = [flawed.found.length, rules[strength]]
    const finding = findingAt(`${answer}.${name}`, answer, `${place}/*`, count, rule, strength)
    const { pointer, things, others } = flawed
    return fail(describeFlaw(flawed, name), finding, {
      ...{ exchange, pointer },
      ...{ sent: things.length, shown: count + others },
    })
  }
  return isShown ? pass(`All ${name} are shown.`) : accepted(`The ${name} were accepted, but no answer shows them.`)
}

/** Returns true if a list shows more than three fields of its things as they were sent. Then it defines these things. */
function showsMostFields(bindings: readonly Binding[], list: string): boolean {
  const own = bindings.filter(({ place, strength }) => strength === 'proven' && parentOf(place) === `${list}/*`)
  return new Set(own.map(({ fact }) => fact)).size > 3
}

/** Returns true if a list has all things, and the very same item twice. */
const repeatsItems = ({ found, missing, doubled }: Listed) =>
  missing.length === 0 &&
  doubled.some((thing) => {
    const items = found.filter((one) => one.thing === thing).map(({ shown }) => JSON.stringify(shown))
    return new Set(items).size < items.length
  })

function describeFlaw({ things, missing, doubled, pointer }: Listed, name: string): string {
  const what = missing.length > 0 ? `lacks ${missing.length}` : `repeats ${doubled.length}`
  return `${things.length} ${name} were sent, but ${pointer} ${what} of them.`
}
