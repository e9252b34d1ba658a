/** Workflow details and analytics: interface.md sections 1 and 4.3. */
import { callAt } from '../../src/contract/call-at.ts'
import { validators } from '../../src/contract/validators.gen.js'
import type { RequirementId } from '../catalogue/catalogue.ts'
import {
  acceptedBefore,
  analyticByMeaning,
  detailsOfEach,
  followsCounts,
  performanceByMeaning,
  provenCounts,
  type WorkflowReads,
  workflowsRead,
} from '../evidence/details-read.ts'
import { type Evidence, resultIfSucceeded } from '../evidence/evidence.ts'
import {
  executedDetails,
  execution,
  executions,
  isAnyOver,
  isOver,
  recordsOf,
  sectionIn,
} from '../evidence/executions.ts'
import { locatedBy } from '../evidence/locators.ts'
import { show } from '../evidence/show.ts'
import { counters, countersBeside } from '../evidence/shown.ts'
import { type MadeWorkflow, madeWorkflow, workflow } from '../evidence/workflows.ts'
import { pointersOf, type Thing } from '../model/bind.ts'
import { endedIn, phasesIn } from '../model/phases.ts'
import { boundIn } from '../model/samples.ts'
import { type Contradiction, contradiction } from '../reading/contradictions/contradiction.ts'
import {
  endedYetRunning,
  fewerThanListed,
  lostCount,
  partAboveTotal,
  stuckCount,
} from '../reading/contradictions/counts.ts'
import { fullCounts, impossible, wrongShare } from '../reading/contradictions/rates.ts'
import {
  bottleneckElsewhere,
  fastestBottleneck,
  lackingSteps,
  negativeDuration,
  shiftedPerformance,
  strangeStep,
} from '../reading/contradictions/steps.ts'
import {
  meanBeyondTimes,
  meanOutside,
  mistakenMean,
  projectedFromFirst,
  summedCompletion,
  unfoundedMean,
} from '../reading/contradictions/times.ts'
import { isStale } from '../reading/counts.ts'
import { isWithin, parentOf, valueAt } from '../reading/locate.ts'
import { figuresOfEnded, marksFastest, marksOfSome } from '../reading/meanings.ts'
import { changedPlaces } from '../reading/movement.ts'
import {
  type Analytic,
  analytics,
  findPart,
  isNull,
  mayBePart,
  type Section,
  sections,
  unexplained,
} from '../reading/parts.ts'
import { isInList, leavesOf, numberOf, stepListsIn } from '../reading/places.ts'
import { locatedAt } from '../reading/plain.ts'
import { timeOf } from '../reading/times.ts'
import { describeAnswer, type Exchange, sentJson, succeeded } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { Recorded } from '../wire/record.ts'
import { type Checks, fail, inconclusive, type Judge, type Observation, pass } from './check.ts'
import { requireConclusive } from './shared.ts'

/** One read of the details of a workflow. */
interface DetailsRead extends WorkflowReads {
  readonly details: Recorded
  readonly json: unknown
  /** The workflow of the flow, if it is one of the two. */
  readonly which: 1 | 2 | undefined
  /** The bodies of the reads before it. */
  readonly earlier: readonly unknown[]
}

function allReads(evidence: Evidence): DetailsRead[] {
  return workflowsRead(evidence).flatMap((read, index) => {
    const which = index === 0 ? 1 : index === 1 ? 2 : undefined
    const all = [...read.reads, ...read.again]
    const bodies = all.map(({ json }) => json)
    return all.map((details, at) => ({ ...read, which, details, json: details.json, earlier: bodies.slice(0, at) }))
  })
}

/** Fails for a contradiction in some details. `steps` are those that were sent, if it is about steps. */
function contradicted(
  exchange: Exchange,
  { finding, message }: Contradiction,
  steps?: readonly { readonly step_id: string }[],
): Observation {
  const sent = steps && { sent: steps.map(({ step_id }) => step_id) }
  return fail(`${describeAnswer(exchange)}: ${message}.`, finding, { exchange, ...sent })
}

/** Fails for the first contradiction in the details of the run's workflows. */
function firstIn(
  evidence: Evidence,
  find: (read: DetailsRead) => Contradiction | undefined,
  isAboutSteps = false,
): Observation | undefined {
  for (const read of allReads(evidence)) {
    const found = find(read)
    if (found) return contradicted(read.details, found, isAboutSteps ? read.made.sent.steps : undefined)
  }
  return undefined
}

/** The failure if a part contradicts other parts of the same details, or other details of the same workflow. */
const contradictions: Readonly<
  Record<Section | Analytic, (evidence: Evidence, place: string | undefined) => Observation | undefined>
> = {
  execution_metrics: (evidence) => runningCountedAsEnded(evidence) ?? firstIn(evidence, wrongCountIn(evidence)),
  step_performance: (evidence, place) =>
    place === undefined
      ? undefined
      : (firstIn(
          evidence,
          ({ json, details, made: { sent, details: first } }) =>
            (details === first ? lackingSteps(json, place, sent.steps) : undefined) ??
            negativeDuration(json, place, sent.steps) ??
            shiftedPerformance(json, place, sent.steps),
          true,
        ) ??
        aboutOthers(evidence, 'step_performance') ??
        leakedPerformance(evidence)),
  optimization_recommendations: (evidence) => aboutOthers(evidence, 'optimization_recommendations'),
  bottlenecks: (evidence) =>
    firstIn(
      evidence,
      ({ json, made: { sent } }) => bottleneckElsewhere(json, sent.steps) ?? fastestBottleneck(json, sent.steps),
      true,
    ) ??
    alwaysFastest(evidence) ??
    aboutOthers(evidence, 'bottlenecks'),
  success_rate: (evidence) =>
    firstIn(evidence, ({ json, details, reads, again, earlier, startedBefore }) => {
      const counts = provenCounts(evidence, json)
      // Rates may be computed a little later than counts, so only the last read counts.
      const isNew = details === again.at(-1) && hasNewRate(reads.at(-1)?.json, json)
      const isLast = details === reads.at(-1) || isNew
      // A figure that counts all executions may have lagged too often to be proven.
      const full = fullCounts(json, startedBefore(details), counts)
      return impossible(json, 'success_rate', counts) ?? (isLast ? wrongShare(json, full, earlier) : undefined)
    }),
  completion_time: (evidence) =>
    firstIn(
      evidence,
      ({ json, details, startedBefore, made: { sent } }) =>
        impossible(json, 'completion_time', provenCounts(evidence, json)) ??
        meanOutside(json, startedBefore(details)) ??
        (sent.isSequential === false ? summedCompletion(json, sent.steps) : undefined),
    ) ??
    wronglyProjected(evidence) ??
    unfoundedCompletion(evidence) ??
    mistakenCompletion(evidence),
}

/** Fails if the bottleneck is the fastest step in the details of several workflows. */
function alwaysFastest(evidence: Evidence): Observation | undefined {
  const found = marksFastest(detailsOfEach(evidence))
  const read = found && allReads(evidence).find(({ json }) => json === found.json)
  if (!read) return undefined
  const { place } = found
  const step = valueAt(found.json, place)
  const rule = 'is called a bottleneck, and is the fastest step in all details that show times'
  const message = `${place} is ${show(step)}, the fastest step, as in all other details`
  return contradicted(read.details, contradiction('bottlenecks', [place, step], rule, message), read.made.sent.steps)
}

/** Fails if a part of some details names only steps of other workflows. */
function aboutOthers(evidence: Evidence, part: Section | Analytic): Observation | undefined {
  const all = workflowsRead(evidence).map(({ made }) => made)
  return firstIn(
    evidence,
    ({ json, made }) => {
      const place = findPart(json, part)
      const others = all.flatMap((other) => (other === made ? [] : other.sent.steps))
      return place === undefined ? undefined : strangeStep(json, [part, place], made.sent.steps, others)
    },
    true,
  )
}

/** Fails if a workflow that was never executed shows the step figures of an executed workflow with the same steps. */
function leakedPerformance(evidence: Evidence): Observation | undefined {
  const movedIn = (create: StepName, before: StepName, ...later: StepName[]) =>
    resultIfSucceeded(() => {
      const { sent, details } = madeWorkflow(evidence, create, before)
      const after = later.flatMap((step) => resultIfSucceeded(() => evidence.accepted(step)) ?? []).at(-1) ?? details
      const place = findPart(after.json, 'step_performance', sent.steps)
      const [old, now] = [details, after].map(({ json }) => valueAt(json, place ?? ''))
      const figures = place === undefined ? [] : changedPlaces(old, now).filter((one) => Number(valueAt(now, one)) > 0)
      return { after, place, figures, steps: sent.steps }
    })
  const executed = movedIn('create by default', 'read by default', 'read by default executed', 'read by default again')
  const idle = movedIn('create accented', 'read accented', 'read accented at last')
  const [first] = executed?.figures ?? []
  if (!executed || !idle || first === undefined || !executed.figures.every((one) => idle.figures.includes(one))) {
    return undefined
  }
  const place = `${idle.place}${first}`
  const message = `${place} is ${show(valueAt(idle.after.json, place))}, but only another workflow with the same steps was executed`
  const rule = 'moves with the executions of a workflow that has the same steps'
  return contradicted(
    idle.after,
    contradiction('step_performance', [place, valueAt(idle.after.json, place)], rule, message, 'proven'),
    idle.steps,
  )
}

/** Returns a function that finds wrong counts of executions: beside a list of them, after earlier ones, or beside a total. */
const wrongCountIn =
  (evidence: Evidence) =>
  ({ which, made, reads, again, details, json }: DetailsRead): Contradiction | undefined => {
    if (again.includes(details)) return details === again.at(-1) ? stuckIn(evidence, reads, details, false) : undefined
    const settled =
      which &&
      (reads.findLast(({ label }) => label?.step === `settle workflow ${which}`) ??
        (which === 1 ? reads[1] : undefined))
    const last = reads.at(-1)
    if (!settled || !last) return undefined
    const recordsIn = (isOwn: boolean) =>
      executions(evidence).flatMap((seen) =>
        (seen.which === which) === isOwn ? recordsOf({ ...seen, after: settled }) : [],
      )
    return (
      (details === settled ? fewerThanListed(made.details.json, json, recordsIn(true), recordsIn(false)) : undefined) ??
      (details === last ? (lostCount(settled.json, json) ?? partAboveTotal(json)) : undefined)
    )
  }

/** Finds a total that has not followed the second execution. `isOld` says whether the time of computation must be an earlier one, or a new one. */
function stuckIn(evidence: Evidence, reads: readonly Recorded[], details: Recorded, isOld: boolean) {
  const before = reads.findLast(({ label }) => label?.step === 'read workflow 1 at last')
  const [, begun] = reads
  if (!begun || !before || isStale(before.json, details.json) !== isOld) return undefined
  return stuckCount(begun.json, before.json, details.json, countersBeside(evidence, details))
}

/** The reason not to decide if figures that have not followed an execution are shown with a time of computation before it. */
function stale(evidence: Evidence): Observation | undefined {
  const [{ reads, again }] = workflowsRead(evidence)
  const last = again.at(-1)
  const found = last && stuckIn(evidence, reads, last, true)
  return (
    found &&
    inconclusive(
      `${describeAnswer(last)}: ${found.message}, and the figures were computed before that. If they are computed later, set settleSeconds in the profile.`,
    )
  )
}

/** Fails if the details of several workflows count their running executions as ended, whenever they list such. */
function runningCountedAsEnded(evidence: Evidence): Observation | undefined {
  const found = allReads(evidence).flatMap(({ details, json, earlier, startedBefore }) => {
    const seen = earlier.length > 0 ? endedYetRunning(json, startedBefore(details)) : undefined
    return seen ? [{ seen, details }] : []
  })
  const [first] = found
  const isSeveral = new Set(found.map(({ details }) => details.request.url)).size > 1
  if (!first || first.seen === 'sound' || !isSeveral || found.some(({ seen }) => seen === 'sound')) return undefined
  return contradicted(first.details, first.seen)
}

/** Returns true if details show another success rate than earlier ones, so that it was computed since then. */
function hasNewRate(before: unknown, json: unknown): boolean {
  const place = findPart(json, 'success_rate')
  return place !== undefined && show(valueAt(before, place)) !== show(valueAt(json, place))
}

/** Fails if a completion time is projected from one of several steps that follow each other. */
function wronglyProjected(evidence: Evidence): Observation | undefined {
  const made = workflowsRead(evidence).map((read) => read.made)
  const sequential = made.filter(({ sent }) => sent.isSequential !== false)
  const found = projectedFromFirst(sequential.map(({ details, sent }) => ({ json: details.json, steps: sent.steps })))
  return found && sequential[0] && contradicted(sequential[0].details, found)
}

/** Fails if the mean completion time of workflow 1 follows no times of its executions. */
function unfoundedCompletion(evidence: Evidence): Observation | undefined {
  const [{ made, reads, again }] = workflowsRead(evidence)
  const last = [
    ...reads.slice(-1),
    ...(again.length > 0 ? evidence.all('read workflow 1 again').filter(succeeded) : []),
  ]
  const counted = last.map((details) => ({ json: details.json, started: acceptedBefore(evidence, made, details) }))
  const [latest] = counted.slice(-1)
  const found = unfoundedMean(counted) ?? (latest && meanBeyondTimes(latest, made.details.json))
  const exchange = last.at(-1)
  return found && exchange && contradicted(exchange, found)
}

/** Fails if the mean completion time is counted from a wrong moment, in the details of all workflows. */
function mistakenCompletion(evidence: Evidence): Observation | undefined {
  const found = mistakenMean(detailsOfEach(evidence).flat())
  const shows = ({ json }: DetailsRead) => valueAt(json, found?.finding.place ?? '') === found?.finding.value
  const read = found && allReads(evidence).find(shows)
  return read && contradicted(read.details, found)
}

/** Details of a workflow after its execution, with the places of their sections. */
interface Settled {
  readonly details: Recorded
  readonly sent: MadeWorkflow['sent']
  readonly found: ReadonlyMap<Section, string | undefined>
}

function settledDetailsOf(evidence: Evidence, which: 1 | 2): Settled {
  const made = workflow(evidence, which)
  execution(evidence, which)
  const details = which === 1 ? executedDetails(evidence, 1).after : evidence.last('settle workflow 2')
  const found = new Map(sections.map((section) => [section, sectionIn(evidence, made, details.json, section)]))
  const fill = (section: Section, find: () => string | undefined) => {
    if (evidence.settings.profile.locators?.[section] === undefined && !found.get(section)) found.set(section, find())
  }
  fill('execution_metrics', () => {
    // A figure that is proven to count executions, or their share, is a metric of them, under any name.
    const isCount = (place: string) => numberOf(valueAt(details.json, place)) !== undefined
    const count = counters(evidence).find(({ place, strength }) => strength === 'proven' && isCount(place))
    // A list of figures with their names holds the metrics.
    const rate = findPart(details.json, 'success_rate') ?? ''
    const metric = count?.place ?? analyticByMeaning(evidence, 'success_rate') ?? (isInList(rate) ? rate : undefined)
    return metric && (parentOf(metric) || metric)
  })
  fill('step_performance', () => performanceByMeaning(evidence))
  fill('optimization_recommendations', () => adviceLeft(evidence, { details, sent: made.sent, found }))
  // If the advice only repeats the bottleneck, it is at the place that was found for the first workflow.
  fill('optimization_recommendations', () => {
    const known = which === 2 ? settledDetailsOf(evidence, 1).found.get('optimization_recommendations') : undefined
    return known !== undefined && mayBePart('optimization_recommendations', valueAt(details.json, known))
      ? known
      : undefined
  })
  return { details, sent: made.sent, found }
}

/** Checks that the details of both workflows have a section, by any name, which is neither null nor an empty text. */
const includesSection =
  (id: RequirementId, section: Section): Judge =>
  (evidence) => {
    const first = settledDetailsOf(evidence, 1)
    const flaw = flawOf(evidence, id, section, first)
    if (flaw) return flaw
    // If the second execution failed, another check reports it.
    const second = resultIfSucceeded(() => execution(evidence, 2)) && settledDetailsOf(evidence, 2)
    if (second) requireConclusive(second.details)
    return (
      (second && flawOf(evidence, id, section, second)) ??
      contradictions[section](evidence, first.found.get(section)) ??
      unmoved(evidence, section, first.found.get(section)) ??
      (section === 'execution_metrics' ? stale(evidence) : undefined) ??
      pass(`The section is at ${first.found.get(section)}.`)
    )
  }

/**
 * The reason not to decide if a section is the same after executions have ended as before the first one: it may follow later, or never.
 * There may be nothing to recommend at any time.
 */
function unmoved(evidence: Evidence, section: Section, place: string | undefined): Observation | undefined {
  if (place === undefined || section === 'optimization_recommendations') return undefined
  const shownIn = ({ json }: Exchange) => JSON.stringify(valueAt(json, place))
  const over = new Set([...endedIn(phasesIn(evidence)).map(({ exchange }) => exchange.place), ...closedIn(evidence)])
  const ended = workflowsRead(evidence).flatMap(({ made, reads, again }) =>
    [...reads, ...again]
      .filter((details) => over.has(details.place) || isAnyOver(details))
      .map((details) => ({ details, before: made.details })),
  )
  const last = ended.at(-1)
  if (!last || ended.some(({ details, before }) => shownIn(details) !== shownIn(before))) return undefined
  return inconclusive(
    `${describeAnswer(last.details)} with ended executions, and ${place} is as before the first one. If it follows later, set settleSeconds in the profile; if it is elsewhere, set locators.${section}.`,
  )
}

/** Returns the places of the details that list an execution with times for what was empty at first, and nothing that is still empty. */
function closedIn(evidence: Evidence): number[] {
  const first = new Map<Thing, ReadonlyMap<string, unknown>>()
  const lists = boundIn(evidence, 'details').listings.filter(({ fact }) => fact === 'executions')
  const listed = lists.flatMap(({ seen }) =>
    seen.flatMap(({ sample, found }) => found.map((one) => ({ ...one, sample }))),
  )
  return listed
    .toSorted((a, b) => a.sample.exchange.place - b.sample.exchange.place)
    .flatMap(({ thing, shown, sample }) => {
      const now = new Map<string, unknown>(Object.entries(shown ?? {}))
      const before = first.get(thing) ?? now
      first.set(thing, before)
      const filledIn = [...now].filter(([name]) => (before.get(name) ?? null) === null)
      const isClosed =
        filledIn.every(([, value]) => value !== null) && filledIn.some(([, value]) => timeOf(value) !== undefined)
      return isClosed ? [sample.exchange.place] : []
    })
}

/** Says that a locator leads to something that cannot be the part, such as an identifier. */
function misledBy(evidence: Evidence, part: Section | Analytic, details: Recorded): Observation | undefined {
  const pointer = evidence.settings.profile.locators?.[part]
  const value = pointer === undefined ? undefined : locatedAt(details.json, pointer)
  const isMissing = value === undefined && sections.some((one) => one === part)
  if (pointer === undefined || isMissing || mayBePart(part, value)) return undefined
  return inconclusive(
    `${describeAnswer(details)} with ${show(value)} at ${pointer}, which is locators.${part} of the profile. Correct or remove the locator.`,
  )
}

/** Returns the failure, or the reason not to decide, if a section is missing. */
function flawOf(
  evidence: Evidence,
  id: RequirementId,
  section: Section,
  { details, sent, found }: Settled,
): Observation | undefined {
  const { json } = details
  const misled = misledBy(evidence, section, details)
  if (misled) return misled
  if (succeeded(details) && found.get(section) !== undefined) return undefined
  const locator = evidence.settings.profile.locators?.[section]
  if (locator !== undefined) locatedBy(section, locator, json, id)
  const what = section.replace('_', ' ')
  if (json === undefined)
    return fail(`${describeAnswer(details)} with a body that is not JSON, and so without ${what}.`, 'outcome', {
      exchange: details,
    })
  if (isNull(json, section)) {
    return inconclusive(
      `${describeAnswer(details)} with null for ${what}. If the deployment fills them in later, set settleSeconds in the profile.`,
    )
  }
  return missing(details, section, what, leftFor(evidence, section, { details, sent, found }).places)
}

/** Returns the places that may be a section, and those that other parts explain. With `isInside`, a section that holds another one explains nothing. */
function leftFor(evidence: Evidence, section: Section, { details, sent, found }: Settled, isInside = false) {
  const { json } = details
  const shown = analytics.flatMap((part) => findPart(json, part) ?? analyticByMeaning(evidence, part) ?? [])
  // Analytics in lists may be about something else, and a container that also holds a section is more than analytics.
  const holdsSection = (place: string) => [...found.values()].some((one) => one?.startsWith(`${place}/`))
  const alone = shown.filter((place) => !isInList(place) && !holdsSection(place))
  const known = [...found.values()].filter((one) => one !== undefined && !(isInside && holdsSection(one)))
  const explained = [...known, ...alone, ...listsOfExecutions(evidence, details)].filter((one) => one !== undefined)
  return { explained, places: unexplained(json, section, { sent, found: explained, own: ownObject(evidence) }) }
}

/**
 * Returns the only place left that speaks of some steps, once it is known where bottlenecks are shown: it is what the details recommend.
 * What has an item for each step is a definition, or their performance.
 */
function adviceLeft(evidence: Evidence, settled: Settled): string | undefined {
  const { json } = settled.details
  const bottleneck = findPart(json, 'bottlenecks') ?? analyticByMeaning(evidence, 'bottlenecks')
  if (bottleneck === undefined) return undefined
  const { places, explained } = leftFor(evidence, 'optimization_recommendations', settled, true)
  const { steps } = settled.sent
  const lists = stepListsIn(json, steps).filter(({ items }) => items.length === steps.length)
  const ofAllSteps = lists.filter((one) => !lists.some((other) => other.pointer.startsWith(`${one.pointer}/`)))
  // A bottleneck may be one of several pieces of advice.
  const list = valueAt(json, parentOf(bottleneck))
  const isAmongOthers = Array.isArray(list) && list.length > 1
  const others = [...explained, ...(isAmongOthers ? [] : [bottleneck]), ...ofAllSteps.map(({ pointer }) => pointer)]
  const texts = steps.flatMap(({ step_id, name }) => [step_id, name])
  const documents = executions(evidence).map(({ documentId }) => String(documentId))
  const left = places.filter((place) => {
    const leaves = leavesOf(valueAt(json, place)).filter(
      (one) => !others.some((other) => isWithin(place + one.pointer, other)),
    )
    const values = leaves.map(({ value }) => String(value))
    // A list of executions, or their log, shows their documents.
    return (
      values.some((value) => texts.some((text) => value.includes(text))) &&
      !values.some((value) => documents.includes(value))
    )
  })
  return left.length === 1 ? left[0] : undefined
}

/** Fails if nothing unexplained could be a part, or else says where it may be, also if another part may be there. */
function missing(
  exchange: Recorded,
  part: Section | Analytic,
  what: string,
  [other, ...others]: readonly string[],
): Observation {
  const answered = describeAnswer(exchange)
  const where = others.length === 0 ? other : `one of ${[other, ...others.slice(0, mostShown - 1)].join(', ')}`
  return other === undefined
    ? fail(
        `${answered} without ${what}. If it is there under another name, set locators.${part} in the profile.`,
        'absent',
        { exchange },
      )
    : inconclusive(
        `${answered} without recognized ${what}. If they are at ${where}, set locators.${part} in the profile.`,
      )
}

/** The most places that are named in a message. */
const mostShown = 5

/** Returns the pointers to the lists of a workflow's executions in its details, or to the executions in a list of all kinds of things. */
function listsOfExecutions(evidence: Evidence, details: Recorded): string[] {
  const lists = boundIn(evidence, 'details').listings.filter(({ fact }) => fact === 'executions')
  return lists.flatMap(({ seen }) =>
    seen.flatMap((listed) => (listed.sample.exchange.place === details.place ? pointersOf(listed) : [])),
  )
}

/** Returns the pointer to the object of the workflow itself in its details, which is around its proven name. */
function ownObject(evidence: Evidence): string | undefined {
  const name = boundIn(evidence, 'details').bindings.find(
    ({ fact, strength }) => fact === 'name' && strength === 'proven',
  )
  return name?.place.slice(0, name.place.lastIndexOf('/'))
}

/** Checks that the details show one of the analytics, by any name. Null counts, since no execution may have ended yet. */
const coversAnalytics =
  (part: Analytic, words: string): Judge =>
  (evidence) => {
    const settled = settledDetailsOf(evidence, 1)
    const { details } = settled
    const { json } = details
    const pointer = evidence.settings.profile.locators?.[part]
    const misled = misledBy(evidence, part, details)
    if (misled) return misled
    const place = pointer ?? findPart(json, part)
    // What follows the counts beside it may be written in any unit.
    const isKnown =
      pointer !== undefined || (part === 'success_rate' && place !== undefined && followsCounts(evidence, place))
    const wrong = isKnown ? undefined : contradictions[part](evidence, undefined)
    if (wrong) return wrong
    if (place !== undefined) return pass(`The details show ${words} at ${place}.`)
    const [{ reads, again, made }] = workflowsRead(evidence)
    const latest = again.at(-1) ?? reads.at(-1)
    const later = latest && findPart(latest.json, part)
    if (later !== undefined) return pass(`Later details show ${words} at ${later}.`)
    const meant = analyticByMeaning(evidence, part)
    if (meant !== undefined) return pass(`The details show ${words} at ${meant}: its values say so.`)
    if (part !== 'bottlenecks' && mayComeWithEnd(evidence, settled, latest)) {
      return inconclusive(
        `${describeAnswer(details)} without ${words}, but no execution was seen to end. If they appear then, set settleSeconds in the profile.`,
      )
    }
    const { sent, found } = settled
    // The performance of a single step is not a figure of the workflow, but it may show bottlenecks.
    const performance = part === 'bottlenecks' ? undefined : found.get('step_performance')
    const elsewhere = [performance ?? [], listsOfExecutions(evidence, details)].flat()
    const marks = part === 'bottlenecks' ? marksOfSome((latest ?? details).json, made.sent.steps) : []
    const places = unexplained(json, part, { sent, found: [...found.values()], elsewhere })
    const metrics = found.get('execution_metrics')
    const figures = part === 'bottlenecks' ? [] : figuresLeft(evidence, part, metrics, elsewhere)
    return missing(details, part, words, [...places, ...marks, ...figures])
  }

/** Returns the places in the details of workflow 1 that may be a rate or a duration, and that no other part explains. */
function figuresLeft(
  evidence: Evidence,
  part: Analytic,
  metrics: string | undefined,
  elsewhere: readonly string[],
): string[] {
  const [reads = []] = detailsOfEach(evidence)
  const latest = reads.at(-1)?.json
  const others = analytics.flatMap((one) =>
    one === part ? [] : (findPart(latest, one) ?? analyticByMeaning(evidence, one) ?? []),
  )
  // A median may stand beside a mean, so the object around it is explained too, unless it has all metrics.
  const around = others.map((place) => (isWithin(metrics ?? place, parentOf(place)) ? place : parentOf(place)))
  const explained = [...elsewhere, ...around]
  return figuresOfEnded(reads).filter((place) => !explained.some((one) => isWithin(place, one)))
}

/**
 * Returns true if details may show success rates and completion times once an execution has ended: there are metrics with other figures,
 * none of the two is shown, and no end was seen.
 */
function mayComeWithEnd(evidence: Evidence, { details, found }: Settled, latest: Recorded | undefined): boolean {
  const metrics = found.get('execution_metrics')
  const isShown = ({ json }: Recorded) =>
    (['success_rate', 'completion_time'] as const).some((part) => {
      const place = findPart(json, part)
      return place !== undefined && !isInList(place)
    })
  return (
    metrics !== undefined &&
    !isInList(metrics) &&
    leavesOf(valueAt(details.json, metrics)).some(({ value }) => numberOf(value) !== undefined) &&
    !isShown(details) &&
    !(latest && (isShown(latest) || isOver(evidence, 1, latest) || endedIn(phasesIn(evidence)).length > 0))
  )
}

export const detailsChecks: Checks = {
  'analytics.bottleneck-detection': coversAnalytics('bottlenecks', 'bottlenecks'),
  'analytics.success-rates': coversAnalytics('success_rate', 'success rates'),
  'analytics.completion-times': coversAnalytics('completion_time', 'completion times'),
  'details.execution-metrics': includesSection('details.execution-metrics', 'execution_metrics'),
  'details.step-performance': includesSection('details.step-performance', 'step_performance'),
  'details.optimization-recommendations': includesSection(
    'details.optimization-recommendations',
    'optimization_recommendations',
  ),
  'flow.create-execute-read'(evidence) {
    const { after } = executedDetails(evidence, 1)
    const unsteady = unsteadyAnswer(evidence)
    return unsteady
      ? inconclusive(`${describeAnswer(unsteady)}, but answered such a request with success at another time.`)
      : pass(`${describeAnswer(after)}.`)
  },
}

/**
 * Returns a 5xx answer to a read, or to something valid that is to be created, if the same address answered with success at another
 * time. Excludes 503, which may be intended.
 */
function unsteadyAnswer({ answers }: Evidence): Exchange | undefined {
  const steady = answers.filter((answer) => !answer.isSentAgain && mustSucceed(answer))
  const addressOf = ({ request: { method, url } }: Exchange) => `${method} ${url}`
  const done = new Set(steady.filter(succeeded).map(addressOf))
  return steady.find((answer) => answer.status >= 500 && answer.status !== 503 && done.has(addressOf(answer)))
}

/** Returns true for reads, and for what creates a workflow or an upload as the contract has it. */
function mustSucceed(answer: Exchange): boolean {
  const { method, url } = answer.request
  const call = callAt(method, url)
  if (call !== 'createWorkflow' && call !== 'requestUpload') return method === 'GET'
  return validators[call](structuredClone(sentJson(answer)))
}
