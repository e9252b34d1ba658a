/** Workflow details and analytics: interface.md section 4.3. */
import type { RequirementId } from '../catalogue/catalogue.ts'
import { type Evidence, ifCameAbout } from '../evidence/evidence.ts'
import { executedDetails, execution, sectionIn, sections } from '../evidence/executions.ts'
import { locatedBy } from '../evidence/locators.ts'
import { workflow } from '../evidence/workflows.ts'
import { findAnalytics, unexplained } from '../reading/analytics.ts'
import { at } from '../reading/locate.ts'
import { isNull, type Section, unknownPart } from '../reading/sections.ts'
import { type Exchange, label, succeeded } from '../wire/exchange.ts'
import { type Check, fail, inconclusive, type Observation, pass } from './check.ts'
import { requireConclusive } from './shared.ts'

/** The details of a workflow after its execution, and where each section of them is. */
function settled(evidence: Evidence, which: 1 | 2) {
  const made = workflow(evidence, which)
  execution(evidence, which)
  const details = which === 1 ? executedDetails(evidence, 1).after : evidence.last('settle workflow 2')
  const found = new Map(sections.map((section) => [section, sectionIn(evidence, made, details.json, section)]))
  return { details, sent: made.sent, found }
}

type Settled = ReturnType<typeof settled>

/** The details of both workflows have this section, whatever it is called, and it is more than null or an empty text. */
function includes(id: RequirementId, section: Section): Check {
  return {
    id,
    judge(evidence) {
      const first = settled(evidence, 1)
      const flaw = flawOf(evidence, id, section, first)
      if (flaw) return flaw
      // If the second execution does not come about, another check says why.
      const second = ifCameAbout(() => execution(evidence, 2)) && settled(evidence, 2)
      if (second) requireConclusive(second.details)
      return (second && flawOf(evidence, id, section, second)) ?? pass(`It is at ${first.found.get(section)}.`)
    },
  }
}

/** What is wrong with a section of some details: it is not there, or that cannot be told. */
function flawOf(
  { settings }: Evidence,
  id: RequirementId,
  section: Section,
  { details, sent, found }: Settled,
): Observation | undefined {
  if (succeeded(details) && found.get(section) !== undefined) return undefined
  const locator = settings.profile.locators?.[section]
  if (locator !== undefined) locatedBy(section, locator, details.json, id)
  const what = section.replace('_', ' ')
  if (details.json === undefined)
    return fail(`${label(details)} with a body that is no JSON, so without ${what}.`, 'outcome')
  if (isNull(details.json, section)) {
    return inconclusive(`${label(details)} with null for ${what}; where they come later, set settleSeconds.`)
  }
  const other = unknownPart(details.json, sent, [...found.values(), ...analyticsIn(details.json)])
  return other === undefined
    ? fail(`${label(details)} without ${what}.`, 'absent')
    : inconclusive(`${label(details)} without ${what}, unless it is ${other}; set locators.${section} in a profile.`)
}

/** Where the analytics stand; in a list they may be of anything. */
function analyticsIn(json: unknown): string[] {
  return Object.values(analytics).flatMap(({ fact }) => {
    const place = findAnalytics(json, fact)?.place
    return place === undefined || /\/\d+(\/|$)/.test(place) ? [] : [place]
  })
}

/** The facts of section 1 about analytics, each with its locator in a profile and its words. */
const analytics = {
  'analytics.bottleneck-detection': { fact: 'bottlenecks', locator: 'bottlenecks', words: 'bottlenecks' },
  'analytics.success-rates': { fact: 'success-rate', locator: 'success_rate', words: 'a success rate' },
  'analytics.completion-times': { fact: 'completion-time', locator: 'completion_time', words: 'completion times' },
} as const

/** The details show one of the analytics, whatever it is called; null counts, since nothing may have ended yet. */
function covers(id: keyof typeof analytics): Check {
  const { fact, locator, words } = analytics[id]
  return {
    id,
    judge(evidence) {
      const { details, sent, found } = settled(evidence, 1)
      const { json } = details
      const pointer = evidence.settings.profile.locators?.[locator]
      if (pointer !== undefined && at(json, pointer) === undefined) locatedBy(locator, pointer, json, id)
      const place = pointer ?? findAnalytics(json, fact)?.place
      if (place !== undefined) return pass(`The details show ${words} at ${place}.`)
      // How a single step performs is no figure of the workflow; which of them is slow may be.
      const elsewhere = fact === 'bottlenecks' ? [] : [found.get('step_performance') ?? []].flat()
      const [other] = unexplained(json, fact, sent, [...found.values()], elsewhere)
      return other === undefined
        ? fail(`${label(details)} without ${words}.`, 'absent')
        : inconclusive(
            `${label(details)} without ${words}, unless it is ${other.place}; set locators.${locator} in a profile.`,
          )
    },
  }
}

export const detailsChecks: readonly Check[] = [
  covers('analytics.bottleneck-detection'),
  covers('analytics.success-rates'),
  covers('analytics.completion-times'),
  includes('details.execution-metrics', 'execution_metrics'),
  includes('details.step-performance', 'step_performance'),
  includes('details.optimization-recommendations', 'optimization_recommendations'),
  {
    id: 'flow.create-execute-read',
    judge(evidence) {
      const { after } = executedDetails(evidence, 1)
      const unsteady = unsteadyRead(evidence)
      return unsteady
        ? inconclusive(`${label(unsteady)}, and otherwise to the same request at another time.`)
        : pass(`${label(after)}.`)
    },
  },
]

/** A failure of the server to read what it could read at another time; 503 may be meant. */
function unsteadyRead({ answers }: Evidence): Exchange | undefined {
  const reads = answers.filter(({ request, isSentAgain }) => request.method === 'GET' && !isSentAgain)
  const done = new Set(reads.filter(succeeded).map(({ request }) => request.url))
  return reads.find(({ status, request }) => status >= 500 && status !== 503 && done.has(request.url))
}
