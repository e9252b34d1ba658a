/** Workflow details and analytics: interface.md section 4.3. */
import type { RequirementId } from '../catalogue/catalogue.ts'
import type { Flow } from '../flow/flow.ts'
import { at } from '../reading/locate.ts'
import { locatedBy } from '../reading/profile.ts'
import { findSection, isNull, type Section, unknownPart } from '../reading/sections.ts'
import { type Exchange, label, succeeded } from '../wire/exchange.ts'
import { type Check, fail, inconclusive, type Observation, pass } from './check.ts'
import { telling } from './shared.ts'

const sections = ['execution_metrics', 'step_performance', 'optimization_recommendations'] as const

/** The details of a workflow after its execution, as soon as they have all sections, and where each of them is. */
const settled = (flow: Flow, which: 1 | 2) =>
  flow.once(`details ${which} with their sections`, async () => {
    const { id, sent } = await flow.workflow(which)
    const executed = which === 1 ? (await flow.executedDetails()).after : undefined
    if (which === 2) await flow.execution(2)
    const stepIds = sent.steps.map(({ step_id }) => step_id)
    const find = (json: unknown, section: Section) => {
      const locator = flow.profile.locators?.[section]
      return locator === undefined ? findSection(json, section, stepIds) : locatedAt(json, locator)
    }
    const isWhole = (json: unknown) => sections.every((section) => find(json, section) !== undefined)
    const read = () => flow.target.getWorkflow(String(id.value))
    const details =
      executed && isWhole(executed.json) ? executed : await flow.settling.until(read, ({ json }) => isWhole(json))
    const found = new Map(sections.map((section) => [section, find(details.json, section)]))
    return { details, sent, found }
  })

type Settled = Awaited<ReturnType<typeof settled>>

/** The details of both workflows have this section, whatever it is called, and it is more than null or an empty text. */
function includes(id: RequirementId, section: Section): Check {
  return {
    id,
    async run(flow) {
      const first = await settled(flow, 1)
      const flaw = flawOf(flow, id, section, first)
      if (flaw) return flaw
      const pointer = first.found.get(section) ?? ''
      flow.located[section] = pointer
      // Where the second execution does not come about, another check says why.
      const second = (await flow.execution(2).catch(() => undefined)) && (await settled(flow, 2))
      if (second) telling(second.details)
      return (second && flawOf(flow, id, section, second)) ?? pass(`It is at ${pointer}.`)
    },
  }
}

/** What is wrong with a section of some details: it is not there, or that cannot be told. */
function flawOf(
  flow: Flow,
  id: RequirementId,
  section: Section,
  { details, sent, found }: Settled,
): Observation | undefined {
  if (succeeded(details) && found.get(section) !== undefined) return undefined
  const locator = flow.profile.locators?.[section]
  if (locator !== undefined) locatedBy(section, locator, details.json, id)
  const what = section.replace('_', ' ')
  if (details.json === undefined) return fail(`${label(details)} with a body that is no JSON, so without ${what}.`)
  if (isNull(details.json, section)) {
    return inconclusive(`${label(details)} with null for ${what}; where they come later, set settleSeconds.`)
  }
  const other = unknownPart(details.json, sent, [...found.values()])
  return other === undefined
    ? fail(`${label(details)} without ${what}.`)
    : inconclusive(`${label(details)} without ${what}, unless it is ${other}; set locators.${section} in a profile.`)
}

function locatedAt(json: unknown, pointer: string): string | undefined {
  const value = at(json, pointer)
  return value === undefined || value === null || value === '' ? undefined : pointer
}

export const detailsChecks: readonly Check[] = [
  includes('details.execution-metrics', 'execution_metrics'),
  includes('details.step-performance', 'step_performance'),
  includes('details.optimization-recommendations', 'optimization_recommendations'),
  {
    id: 'flow.create-execute-read',
    async run(flow) {
      const { after } = await flow.executedDetails()
      const unsteady = unsteadyRead(flow)
      return unsteady
        ? inconclusive(`${label(unsteady)}, and otherwise to the same request at another time.`)
        : pass(`${label(after)}.`)
    },
  },
]

/** A failure of the server to read what it could read at another time; 503 may be meant. */
function unsteadyRead({ target }: Flow): Exchange | undefined {
  const reads = target.transport.exchanges.filter(({ request }) => request.method === 'GET')
  const done = new Set(reads.filter(succeeded).map(({ request }) => request.url))
  return reads.find(({ status, request }) => status >= 500 && status !== 503 && done.has(request.url))
}
