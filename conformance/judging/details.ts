/** Workflow details and analytics: interface.md section 4.3. */
import type { RequirementId } from '../catalogue/catalogue.ts'
import { acceptedBefore, provenCounts, type WorkflowReads, workflowsRead } from '../evidence/details-read.ts'
import { type Evidence, resultIfSucceeded } from '../evidence/evidence.ts'
import {
  executedDetails,
  execution,
  executions,
  isOver,
  recordsOf,
  sectionIn,
  sections,
} from '../evidence/executions.ts'
import { locatedBy } from '../evidence/locators.ts'
import { show } from '../evidence/show.ts'
import { counters } from '../evidence/shown.ts'
import { workflow } from '../evidence/workflows.ts'
import { boundIn } from '../model/samples.ts'
import { type Fact, findAnalytics, locatorOfFact, mayBeFact, unexplained } from '../reading/analytics.ts'
import {
  bottleneckElsewhere,
  type Contradiction,
  fewerThanListed,
  impossible,
  lackingSteps,
  lostCount,
  negativeDuration,
  rateOfNone,
  stuckCount,
} from '../reading/contradictions.ts'
import { executionCounters } from '../reading/counters.ts'
import type { Finding } from '../reading/finding.ts'
import { valueAt } from '../reading/locate.ts'
import { meanBeyondTimes, rateOfNoneListed, unfoundedMean } from '../reading/outcomes.ts'
import { isInList, leavesOf, numberOf } from '../reading/places.ts'
import {
  endedYetRunning,
  fastestBottleneck,
  meanOutside,
  partAboveTotal,
  projectedFromFirst,
  shareOfNone,
  shiftedPerformance,
  summedCompletion,
} from '../reading/relations.ts'
import { isNull, type Section, unknownPart } from '../reading/sections.ts'
import { describeAnswer, type Exchange, succeeded } from '../wire/exchange.ts'
import type { Recorded } from '../wire/record.ts'
import { type Check, fail, inconclusive, type Observation, pass } from './check.ts'
import { requireConclusive } from './shared.ts'

/** Returns the details of a workflow after its execution, with the places of their sections. */
function settledDetailsOf(evidence: Evidence, which: 1 | 2) {
  const made = workflow(evidence, which)
  execution(evidence, which)
  const details = which === 1 ? executedDetails(evidence, 1).after : evidence.last('settle workflow 2')
  const found = new Map(sections.map((section) => [section, sectionIn(evidence, made, details.json, section)]))
  const { execution_metrics: locator } = evidence.settings.profile.locators ?? {}
  if (locator === undefined && found.get('execution_metrics') === undefined) {
    found.set('execution_metrics', provenCountIn(evidence, details.json))
  }
  return { details, sent: made.sent, found }
}

/** Returns the place of a figure that is proven to count executions, under any name: it is a metric of executions. */
function provenCountIn(evidence: Evidence, json: unknown): string | undefined {
  const isCount = ({ place, strength }: Finding) =>
    strength === 'proven' && numberOf(valueAt(json, place)) !== undefined
  return counters(evidence).find(isCount)?.place
}

type Settled = ReturnType<typeof settledDetailsOf>

/** Checks that the details of both workflows have a section, by any name, which is neither null nor an empty text. */
function includesSection(id: RequirementId, section: Section): Check {
  return {
    id,
    judge(evidence) {
      const first = settledDetailsOf(evidence, 1)
      const flaw = flawOf(evidence, id, section, first)
      if (flaw) return flaw
      // If the second execution failed, another check reports it.
      const second = resultIfSucceeded(() => execution(evidence, 2)) && settledDetailsOf(evidence, 2)
      if (second) requireConclusive(second.details)
      return (
        (second && flawOf(evidence, id, section, second)) ??
        contradictionIn(evidence, section, first) ??
        pass(`The section is at ${first.found.get(section)}.`)
      )
    },
  }
}

/** Returns the failure if a section contradicts other parts of the same details, or other details of the same workflow. */
function contradictionIn(evidence: Evidence, section: Section, { found }: Settled): Observation | undefined {
  if (section === 'execution_metrics') {
    const running = runningCountedAsEnded(evidence)
    if (running) return running
    return contradicted(evidence, ({ which, ...workflow }) => {
      const { made, reads } = workflow
      const settled = which && reads.findLast(({ label }) => label?.step === `settle workflow ${which}`)
      const shown = settled ?? (which === 1 ? reads[1] : undefined)
      const last = reads.at(-1)
      if (which === undefined || !shown || !last) return []
      const recordsIn = (one: 1 | 2) =>
        executions(evidence).flatMap((seen) => (seen.which === one ? recordsOf({ ...seen, after: shown }) : []))
      const listed = fewerThanListed(made.details.json, shown.json, recordsIn(which), recordsIn(which === 1 ? 2 : 1))
      return [
        { details: shown, found: listed },
        { details: last, found: lostCount(shown.json, last.json) ?? partAboveTotal(last.json) },
        ...stuckTotals(workflow),
      ]
    })
  }
  const place = section === 'step_performance' ? found.get(section) : undefined
  if (place === undefined) return undefined
  return contradicted(evidence, ({ made: { details, sent }, reads, again }) => [
    { details, found: lackingSteps(details.json, place, sent.steps), steps: sent.steps },
    ...[...reads, ...again].map((read) => ({
      details: read,
      found: negativeDuration(read.json, place, sent.steps) ?? shiftedPerformance(read.json, place, sent.steps),
      steps: sent.steps,
    })),
  ])
}

/** Fails if the details of several workflows count their running executions as ended, whenever they list such. */
function runningCountedAsEnded(evidence: Evidence): Observation | undefined {
  const found = workflowsRead(evidence).flatMap(({ reads, again, startedBefore }) =>
    [reads.slice(1), again].flat().flatMap((details) => {
      const seen = endedYetRunning(details.json, startedBefore(details))
      return seen ? [{ seen, details }] : []
    }),
  )
  const [first] = found
  const isSeveral = new Set(found.map(({ details }) => details.request.url)).size > 1
  if (!first || first.seen === 'sound' || !isSeveral || found.some(({ seen }) => seen === 'sound')) return undefined
  const { message, finding } = first.seen
  return fail(`${describeAnswer(first.details)}: ${message}.`, finding, { exchange: first.details })
}

/** Finds totals that have not grown in the details after another execution. */
function stuckTotals({ reads: [, begun, ...reads], again }: WorkflowReads): readonly Contradicted[] {
  const before = reads.findLast(({ label }) => label?.step === 'read workflow 1 at last')
  return again.map((details) => ({
    details,
    found: begun && before && stuckCount(begun.json, before.json, details.json),
  }))
}

/** Details of a workflow, and what contradicts them. */
interface Contradicted {
  readonly details: Recorded
  readonly found: Contradiction | undefined
  /** The steps that were sent, if the contradiction is about steps. */
  readonly steps?: readonly { readonly step_id: string }[]
}

/** Fails for the first contradiction in the details of the run's workflows. */
function contradicted(
  evidence: Evidence,
  look: (read: WorkflowReads & { readonly which?: 1 | 2 }) => readonly Contradicted[],
): Observation | undefined {
  for (const [index, read] of workflowsRead(evidence).entries()) {
    const which = index < 2 ? { which: (index + 1) as 1 | 2 } : {}
    for (const { details, found, steps } of look({ ...read, ...which })) {
      if (!found) continue
      const { finding, message } = found
      const sent = steps && { sent: steps.map(({ step_id }) => step_id) }
      return fail(`${describeAnswer(details)}: ${message}.`, finding, { exchange: details, ...sent })
    }
  }
  return undefined
}

/** Returns the failure if some details show a figure of the analytics that contradicts others. */
function contradictedFact(evidence: Evidence, fact: Fact): Observation | undefined {
  return contradicted(evidence, ({ made: { sent }, reads, again, startedBefore }) =>
    [...reads, ...again].map((details, index, all) => {
      const { json } = details
      const { steps } = sent
      const counts = provenCounts(evidence, json)
      const earlier = all.slice(0, index).map((read) => read.json)
      // Rates may be computed a little later than counts, so only the last read counts.
      const isLast = details === reads.at(-1) || (details === again.at(-1) && hasNewRate(reads.at(-1)?.json, json))
      switch (fact) {
        case 'bottlenecks':
          return { details, found: bottleneckElsewhere(json, steps) ?? fastestBottleneck(json, steps), steps }
        case 'completion-time':
          return {
            details,
            found:
              impossible(json, fact, counts) ??
              meanOutside(json, startedBefore(details)) ??
              (sent.isSequential === false ? summedCompletion(json, steps) : undefined),
          }
        case 'success-rate': {
          // A figure that counts all executions may have lagged too often to be proven.
          const full = [...executionCounters(json)].filter(([, count]) => count === startedBefore(details))
          const all = new Map([...full, ...counts])
          const share = isLast
            ? (rateOfNone(json, all, earlier) ?? rateOfNoneListed(json, earlier) ?? shareOfNone(json, all, earlier))
            : undefined
          return { details, found: impossible(json, fact, counts) ?? share }
        }
        default:
          return fact satisfies never
      }
    }),
  )
}

/** Returns true if details show another success rate than earlier ones, so that it was computed since then. */
function hasNewRate(before: unknown, json: unknown): boolean {
  const place = findAnalytics(json, 'success-rate')?.place
  return place !== undefined && show(valueAt(before, place)) !== show(valueAt(json, place))
}

/** Returns the failure if a completion time is projected from one of several steps that follow each other. */
function wronglyProjected(evidence: Evidence, fact: Fact): Observation | undefined {
  if (fact !== 'completion-time') return undefined
  const made = workflowsRead(evidence).map((read) => read.made)
  const sequential = made.filter(({ sent }) => sent.isSequential !== false)
  const found = projectedFromFirst(sequential.map(({ details, sent }) => ({ json: details.json, steps: sent.steps })))
  const exchange = sequential[0]?.details
  return found && exchange && fail(`${describeAnswer(exchange)}: ${found.message}.`, found.finding, { exchange })
}

/** Returns the failure if the mean completion time of workflow 1 follows no times of its executions. */
function unfoundedCompletion(evidence: Evidence, fact: Fact): Observation | undefined {
  if (fact !== 'completion-time') return undefined
  const [{ made, reads, again }] = workflowsRead(evidence)
  const last = [
    ...reads.slice(-1),
    ...(again.length > 0 ? evidence.all('read workflow 1 again').filter(succeeded) : []),
  ]
  const counted = last.map((details) => ({ json: details.json, started: acceptedBefore(evidence, made, details) }))
  const [exchange] = last.slice(-1)
  const [latest] = counted.slice(-1)
  const found = unfoundedMean(counted) ?? (latest && meanBeyondTimes(latest, made.details.json))
  return found && exchange && fail(`${describeAnswer(exchange)}: ${found.message}.`, found.finding, { exchange })
}

/** Returns the failure, or the reason not to decide, if a section is missing. */
function flawOf(
  evidence: Evidence,
  id: RequirementId,
  section: Section,
  { details, sent, found }: Settled,
): Observation | undefined {
  if (succeeded(details) && found.get(section) !== undefined) return undefined
  const locator = evidence.settings.profile.locators?.[section]
  if (locator !== undefined) locatedBy(section, locator, details.json, id)
  const what = section.replace('_', ' ')
  if (details.json === undefined)
    return fail(`${describeAnswer(details)} with a body that is not JSON, and so without ${what}.`, 'outcome', {
      exchange: details,
    })
  if (isNull(details.json, section)) {
    return inconclusive(
      `${describeAnswer(details)} with null for ${what}. If the deployment fills them in later, set settleSeconds in the profile.`,
    )
  }
  const other = unknownPart(details.json, sent, [...found.values(), ...analyticsIn(details.json)], ownObject(evidence))
  return other === undefined
    ? fail(`${describeAnswer(details)} without ${what}. ${adviceFor(section)}`, 'absent', { exchange: details })
    : inconclusive(
        `${describeAnswer(details)} without recognized ${what}. If they are at ${other}, set locators.${section} in the profile.`,
      )
}

/** Returns the pointer to the object of the workflow itself in its details, which is around its proven name. */
function ownObject(evidence: Evidence): string | undefined {
  const name = boundIn(evidence, 'details').bindings.find(
    ({ fact, strength }) => fact === 'name' && strength === 'proven',
  )
  return name?.place.slice(0, name.place.lastIndexOf('/'))
}

/** Returns advice for a part of the details that was not found. */
const adviceFor = (locator: string) => `If it is there under another name, set locators.${locator} in the profile.`

/** Returns the places of the analytics. Omits those in lists, which may concern something else. */
function analyticsIn(json: unknown): string[] {
  return Object.values(analytics).flatMap(({ fact }) => {
    const place = findAnalytics(json, fact)?.place
    return place === undefined || isInList(place) ? [] : [place]
  })
}

/** The facts about analytics in section 1, each with its words for messages. */
const analytics = {
  'analytics.bottleneck-detection': { fact: 'bottlenecks', words: 'bottlenecks' },
  'analytics.success-rates': { fact: 'success-rate', words: 'success rates' },
  'analytics.completion-times': { fact: 'completion-time', words: 'completion times' },
} as const

/** Checks that the details show one of the analytics, by any name. Null counts, since no execution may have ended yet. */
function coversAnalytics(id: keyof typeof analytics): Check {
  const { fact, words } = analytics[id]
  const locator = locatorOfFact[fact]
  return {
    id,
    judge(evidence) {
      const { details, sent, found } = settledDetailsOf(evidence, 1)
      const { json } = details
      const pointer = evidence.settings.profile.locators?.[locator]
      if (pointer !== undefined && !mayBeFact(fact, valueAt(json, pointer))) {
        return inconclusive(
          `${describeAnswer(details)} with ${show(valueAt(json, pointer))} at ${pointer}, which is locators.${locator} of the profile. Correct or remove the locator.`,
        )
      }
      const wrong =
        pointer === undefined
          ? (contradictedFact(evidence, fact) ??
            wronglyProjected(evidence, fact) ??
            unfoundedCompletion(evidence, fact))
          : undefined
      if (wrong) return wrong
      const place = pointer ?? findAnalytics(json, fact)?.place
      if (place !== undefined) return pass(`The details show ${words} at ${place}.`)
      const [{ reads, again }] = workflowsRead(evidence)
      const latest = again.at(-1) ?? reads.at(-1)
      const later = latest && findAnalytics(latest.json, fact)?.place
      if (later !== undefined) return pass(`Later details show ${words} at ${later}.`)
      // Both figures describe executions that have ended.
      const ofEnded = ['success-rate', 'completion-time'] as const
      const isShown = (one: unknown, other: Fact) => {
        const at = findAnalytics(one, other)?.place
        return at !== undefined && !isInList(at)
      }
      const isUnknown = [json, latest?.json].every((one) => !ofEnded.some((other) => isShown(one, other)))
      const hasEnded = latest !== undefined && isOver(evidence, 1, latest)
      const metrics = found.get('execution_metrics')
      const hasFigures =
        metrics !== undefined &&
        !isInList(metrics) &&
        leavesOf(valueAt(json, metrics)).some(({ value }) => numberOf(value) !== undefined)
      if (fact !== 'bottlenecks' && hasFigures && isUnknown && !hasEnded) {
        return inconclusive(
          `${describeAnswer(details)} without ${words}, but no execution was seen to end. If they appear then, set settleSeconds in the profile.`,
        )
      }
      // The performance of a single step is not a figure of the workflow, but it may show bottlenecks.
      const elsewhere = fact === 'bottlenecks' ? [] : [found.get('step_performance') ?? []].flat()
      const [other] = unexplained(json, fact, sent, [...found.values()], elsewhere)
      return other === undefined
        ? fail(`${describeAnswer(details)} without ${words}. ${adviceFor(locator)}`, 'absent', { exchange: details })
        : inconclusive(
            `${describeAnswer(details)} without recognized ${words}. If they are at ${other.place}, set locators.${locator} in the profile.`,
          )
    },
  }
}

export const detailsChecks: readonly Check[] = [
  coversAnalytics('analytics.bottleneck-detection'),
  coversAnalytics('analytics.success-rates'),
  coversAnalytics('analytics.completion-times'),
  includesSection('details.execution-metrics', 'execution_metrics'),
  includesSection('details.step-performance', 'step_performance'),
  includesSection('details.optimization-recommendations', 'optimization_recommendations'),
  {
    id: 'flow.create-execute-read',
    judge(evidence) {
      const { after } = executedDetails(evidence, 1)
      const unsteady = unsteadyRead(evidence)
      return unsteady
        ? inconclusive(`${describeAnswer(unsteady)}, but answered the same request with success at another time.`)
        : pass(`${describeAnswer(after)}.`)
    },
  },
]

/** Returns a 5xx answer to a read that succeeded at another time. Excludes 503, which may be intended. */
function unsteadyRead({ answers }: Evidence): Exchange | undefined {
  const reads = answers.filter(({ request, isSentAgain }) => request.method === 'GET' && !isSentAgain)
  const done = new Set(reads.filter(succeeded).map(({ request }) => request.url))
  return reads.find(({ status, request }) => status >= 500 && status !== 503 && done.has(request.url))
}
