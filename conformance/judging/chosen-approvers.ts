/** Who is chosen to approve the steps of an execution: interface.md sections 2 and 4.2. */
import type { Evidence } from '../evidence/evidence.ts'
import { executedDetails, executions } from '../evidence/executions.ts'
import { locatedBy } from '../evidence/locators.ts'
import { findingAt, show } from '../evidence/show.ts'
import { byProfile } from '../evidence/shown.ts'
import { workflow } from '../evidence/workflows.ts'
import { patternOf, type Thing } from '../model/bind.ts'
import { isParallel, type Phases, type ProgressRow, phasesIn, type StepShown } from '../model/phases.ts'
import type { ExecutionRun } from '../model/samples.ts'
import type { Strength } from '../reading/finding.ts'
import { isMasked, isWithin, normalizeName, parentOf, valueAt } from '../reading/locate.ts'
import { leavesOf } from '../reading/places.ts'
import { accepted, fail, type Observation, pass } from './check.ts'

const allApprove = pass('The approvers that are shown as chosen approve their steps.')
const notShown = accepted('The execution was accepted, and the approvers that routing chose are not shown.')

export function judgeChoice(evidence: Evidence): Observation {
  executedDetails(evidence, 1)
  const located = evidence.settings.profile.locators?.['execution.approvers']
  if (located !== undefined) return chosenAt(evidence, located)
  const phases = phasesIn(evidence)
  const { chosen, candidates } = peopleIn(phases)
  const places = byPlace(chosen)
  const proven = places.filter(isProven)
  const isShown = chosen.some(isOwn)
  const wrong = proven.flatMap((all) => all.find((one) => isWrong(one, phases, all)) ?? []).at(0)
  if (wrong) return notAnApprover(wrong)
  const other = isShown ? undefined : places.flatMap((all) => othersOnly(all, phases) ?? []).at(0)
  if (other) return notAnApprover(other)
  const stranger = isShown ? undefined : places.flatMap((all) => strangersOnly(all) ?? []).at(0)
  if (stranger) return notAnApprover(stranger, 'named')
  const misplaced = places
    .flatMap((all) => {
      const wrong = all.filter((one) => isOfOther(one, phases, all))
      return isCalledApprover(all) || isMostlyWrong(all, wrong, phases) ? wrong : []
    })
    .at(0)
  if (misplaced) return notAnApprover(misplaced, 'named')
  const empty = [...proven, ...byPlace(candidates)].flatMap((all) => emptyBeside(all, phases) ?? []).at(0)
  if (empty) return empty
  return isShown ? allApprove : notShown
}

/** The address of a person in what an answer shows of a step. */
interface Shown {
  readonly row: ProgressRow
  readonly step: StepShown
  /** The list and the place in its items; `*` is any item of a list. */
  readonly place: string
  readonly value: string
}

interface Approver {
  readonly email: string
}
const addressesOf = ({ approvers }: Thing) => (approvers as readonly Approver[]).map(({ email }) => email.toLowerCase())
const stepsOf = ({ facts: { steps } }: ExecutionRun) => steps as readonly Thing[]

/** Returns the addresses in a value, in lower case, by place. */
function addressesIn(value: unknown): { readonly place: string; readonly value: string }[] {
  return leavesOf([value]).flatMap(({ pointer, value: text }) => {
    const isAddress = typeof text === 'string' && /^[^\s@]+@[^\s@]+$/.test(text) && !isMasked(text)
    return isAddress ? [{ place: patternOf(pointer.slice('/0'.length)), value: text.toLowerCase() }] : []
  })
}

const byPlace = (shown: readonly Shown[]) =>
  [...new Set(shown.map(({ place }) => place))].map((place) => shown.filter((one) => one.place === place))

/** Returns the people that answers show in steps. Lists of all approvers of a step are lists of candidates. */
function peopleIn({ rows, partial }: Phases): {
  readonly chosen: readonly Shown[]
  readonly candidates: readonly Shown[]
} {
  const all = [...rows, ...partial].flatMap((row) =>
    row.steps.flatMap((step) =>
      step.items.flatMap(({ list, item }) =>
        addressesIn(item).map(({ place, value }): Shown => ({ row, step, place: list + place, value })),
      ),
    ),
  )
  const groups = new Map<StepShown, Map<string, Set<string>>>()
  for (const { step, place, value } of all) {
    const places = groups.get(step) ?? new Map<string, Set<string>>()
    groups.set(step, places.set(place, (places.get(place) ?? new Set()).add(value)))
  }
  const lists = new Set(
    [...groups].flatMap(([{ step }, places]) =>
      [...places].flatMap(([place, values]) => {
        const own = addressesOf(step)
        return own.length > 1 && own.every((one) => values.has(one)) ? [place] : []
      }),
    ),
  )
  return {
    chosen: all.filter(({ place }) => !lists.has(place)),
    candidates: all.filter(({ place }) => lists.has(place)),
  }
}

/** A deployment may have changed the approvers before the execution: those that it showed then count for each step. */
function isOwn({ row: { run }, step: { step }, value }: Shown): boolean {
  if (addressesOf(step).includes(value)) return true
  const { created, details } = run.workflow.made
  return (
    !stepsOf(run).some((one) => addressesOf(one).includes(value)) &&
    [created, details].some(({ json }) => addressesIn(json).some((one) => one.value === value))
  )
}

/** A place shows who is chosen if one answer shows different approvers of different steps there, each of its own. */
function isProven(all: readonly Shown[]): boolean {
  const isAlone = ({ row, value }: Shown) =>
    stepsOf(row.run).filter((step) => addressesOf(step).includes(value)).length === 1
  const own = all.filter((one) => isOwn(one) && isAlone(one))
  return own.some((one) =>
    own.some((other) => other.row === one.row && other.value !== one.value && other.step !== one.step),
  )
}

/** A waiting step needs no approver yet, and a substitute is fine if an approver of the step is shown too. */
function isWrong(one: Shown, { waiting, phaseOf }: Phases, all: readonly Shown[]): boolean {
  const { row, step, value } = one
  if (isOwn(one) || waiting.has(phaseOf(step))) return false
  if (all.some((other) => other.step === step && isOwn(other))) return false
  const isApprover = stepsOf(row.run).some((other) => addressesOf(other).includes(value))
  const beside = step.items.flatMap(({ item }) => addressesIn(item))
  const isStandIn = beside.some((other) => addressesOf(step.step).includes(other.value))
  return isApprover || !isStandIn || isWithoutTag(value, step.step)
}

/** Returns true for an address that has lost its plus sign, and what follows it before the @. */
const isWithoutTag = (value: string, step: Thing) =>
  addressesOf(step).some((one) => one.includes('+') && one.replace(/\+[^@]*/, '') === value)

/** Returns true for a place in the item of a step itself with the contract's own name, which shows an approver of some step. */
const isCalledApprover = (all: readonly Shown[]) =>
  all.some((one) => isOwn(one) && isOfApprovers(one.place) && namesIn(one.place).every(isOfPerson))

/**
 * Returns true for a place under any name that shows an approver of one step, and of several others, in several executions, only people
 * of other steps, who differ. The same person at all steps may be in charge of the execution. If the place stays empty until a step begins,
 * and is right for the first step, one wrong step in each execution is enough.
 */
function isMostlyWrong(all: readonly Shown[], wrong: readonly Shown[], { rows }: Phases): boolean {
  const runs = [...new Set(wrong.map(({ row }) => row.run))].filter((run) => {
    const isInRun = ({ row }: Shown) => row.run === run
    const [own, others] = [all.filter(isOwn).filter(isInRun), wrong.filter(isInRun)]
    const countOf = (of: (one: Shown) => unknown, some: readonly Shown[]) => new Set(some.map(of)).size
    const stepsIn = (some: readonly Shown[]) => countOf(({ step }) => step.step, some)
    const isLater = ({ row, step }: Shown) =>
      rows.some(
        (earlier) =>
          earlier.exchange.place < row.exchange.place &&
          own.some((one) => one.row === earlier) &&
          !all.some((one) => one.row === earlier && one.step.step === step.step),
      )
    const doDiffer = countOf(({ value }) => value, [...own, ...others]) > 1
    const isFilledIn = others.some(isLater)
    const isOfFirst = own.some(({ row, step }) => step === row.steps[0])
    return (isFilledIn && isOfFirst) || (stepsIn(own) === 1 && stepsIn(others) > 1 && (doDiffer || isFilledIn))
  })
  return runs.length > 1
}

/** Returns true for an approver of other steps alone. */
const isOfOther = (one: Shown, phases: Phases, all: readonly Shown[]) =>
  isWrong(one, phases, all) && stepsOf(one.row.run).some((step) => addressesOf(step).includes(one.value))

/** Returns a person who approves only other steps, if one answer shows nothing but such people at the place. */
function othersOnly(all: readonly Shown[], { waiting, phaseOf }: Phases): Shown | undefined {
  const isOther = ({ row, value }: Shown) => stepsOf(row.run).some((step) => addressesOf(step).includes(value))
  return all.find((one) => {
    const begun = one.row.steps.filter((step) => !waiting.has(phaseOf(step)))
    return begun.length > 1 && begun.every((step) => all.some((other) => other.step === step && isOther(other)))
  })
}

/** Returns the names on the way to a place in the item of a step. */
const namesIn = (place: string) =>
  place
    .split('/')
    .slice(1)
    .filter((name) => name !== '*')
    .map(normalizeName)

const isApproverName = (name: string) => /^approvers?(email)?$/.test(name)
const isOfPerson = (name: string) => isApproverName(name) || name === 'email'

/** Returns true for a place with the contract's own name for who approves a step: `approver`, or an `email` of `approvers`. */
function isOfApprovers(place: string): boolean {
  const [last = '', holder = ''] = namesIn(place).toReversed()
  return isApproverName(last) || (last === 'email' && /^approvers?$/.test(holder))
}

/**
 * Returns the first person at a place of approvers that shows only people who approve no step of the workflow. People beside an
 * approver of the step may stand in for that one.
 */
function strangersOnly(all: readonly Shown[]): Shown | undefined {
  const [first] = all
  if (!first || !isOfApprovers(first.place)) return undefined
  const standsIn = ({ step }: Shown) =>
    step.items.some(({ item }) =>
      addressesIn(item).some(({ place, value }) => !place.includes('*') && addressesOf(step.step).includes(value)),
    )
  const isOfSeveral = new Set(all.map(({ step }) => step.step)).size > 2
  return isOfSeveral && !all.some((one) => isOwn(one) || standsIn(one)) ? first : undefined
}

function notAnApprover({ row, step, place, value }: Shown, strength: Strength = 'proven'): Observation {
  const at = `${row.place}${place.slice(place.indexOf('/'))}`
  const rule =
    strength === 'named'
      ? 'has the name of the contract, beside a proven step'
      : 'shows approvers of different steps, each of its own, in some answer'
  const finding = findingAt('step.approvers', row.answer, at, value, rule, strength)
  return fail(`${at} shows ${show(value)}, who is no approver of the step.`, finding, {
    exchange: row.exchange,
    sent: addressesOf(step.step),
    shown: [value],
  })
}

/** Fails if a place is empty for a step, but shows an approver for other steps that are equally far. */
function emptyBeside(
  all: readonly Shown[],
  { rows, phaseOf, waiting, places, mayBeOver }: Phases,
): Observation | undefined {
  const place = all[0]?.place ?? ''
  const [list = ''] = place.split('/')
  const parent = parentOf(place)
  const isBeside = (one: string) => one !== place && (parent === list || !isWithin(one, parent))
  const without = (step: StepShown) =>
    places
      .filter(isBeside)
      .map((one) => step.words.get(one))
      .join('\n')
  const filled = new Set(all.filter(isOwn).map(({ step }) => without(step)))
  const counts = new Map<StepShown, number>()
  for (const { step } of all) counts.set(step, (counts.get(step) ?? 0) + 1)
  const countOf = (step: StepShown | undefined) => (step && counts.get(step)) ?? 0
  // A list that grows while a step is worked on shows who has decided, not who was asked.
  const isAdded = (step: StepShown, { run, exchange }: ProgressRow) =>
    !waiting.has(phaseOf(step)) &&
    rows
      .filter((later) => later.run === run && later.exchange.place > exchange.place)
      .some((later) => countOf(later.steps.find((one) => one.step === step.step)) > countOf(step))
  if (rows.some((row) => row.steps.some((step) => isAdded(step, row)))) return undefined
  for (const row of rows) {
    // What was cancelled may never have been assigned.
    if (mayBeOver(row) && new Set(row.steps.map(phaseOf)).size > 1) continue
    // A step may not have begun, or the execution was rejected before it.
    const isNotReached = (index: number) =>
      !isParallel(row.run) && !row.steps.slice(index).some((later) => counts.has(later))
    const step = row.steps.find(
      (one, index) =>
        !counts.has(one) &&
        !isNotReached(index) &&
        !waiting.has(phaseOf(one)) &&
        filled.has(without(one)) &&
        one.items.some((item) => item.list === list && isEmptyAt(item.item, place.slice(list.length))),
    )
    if (!step) continue
    const at = `${row.place}${place.slice(list.length)}`
    const rule = 'shows an approver for other steps that are equally far'
    const finding = findingAt('step.approvers', row.answer, at, null, rule)
    return fail(`${at} is empty for step ${show(step.step.step_id)}, so no approver was chosen.`, finding, {
      exchange: row.exchange,
      sent: addressesOf(step.step),
      shown: null,
    })
  }
  return undefined
}

/** Returns true if a member on the way to a place is there, and shows nothing. */
function isEmptyAt(item: unknown, place: string): boolean {
  const ways = place.split('/').slice(1)
  return ways.some((_, index) => {
    const value = valueAt(item, `/${ways.slice(0, index + 1).join('/')}`)
    return value === null || value === '' || (Array.isArray(value) && value.length === 0)
  })
}

/** Judges the choice that answers to executing show at a place of the profile. Anything but addresses cannot be compared. */
function chosenAt(evidence: Evidence, place: string): Observation {
  let isShown = false
  for (const { exchange, which } of executions(evidence)) {
    const value = valueAt(exchange.json, place)
    if (value === undefined)
      locatedBy('execution.approvers', place, exchange.json, 'execute-workflow.chooses-approvers')
    const shown = addressesIn(value).map((one) => one.value)
    const sent = workflow(evidence, which).sent.steps.flatMap((step) => addressesOf({ ...step }))
    const isEmpty = value === null || value === '' || (typeof value === 'object' && leavesOf(value).length === 0)
    const isRight = shown.some((one) => sent.includes(one))
    isShown ||= isRight
    if (isRight || (shown.length === 0 && !isEmpty)) continue
    const finding = findingAt('execution.approvers', 'executed', place, value, byProfile, 'named')
    const message = isEmpty
      ? `${place} is empty, so no approver was chosen.`
      : `${place} shows ${show(shown[0])}, who is no approver of the step.`
    return fail(message, finding, { exchange, sent, shown })
  }
  return isShown ? allApprove : notShown
}
