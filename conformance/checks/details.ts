/** Workflow details and analytics: interface.md section 4.3. */
import type { RequirementId } from '../catalogue.ts'
import { type Check, fail, pass } from '../check.ts'
import { label } from '../exchange.ts'
import { bare, membersOf } from '../locate.ts'
import { mustBeDone } from './shared.ts'

/** The details have a section of this kind, whatever it is called, and it holds more than an empty text. */
function includes(id: RequirementId, what: string, names: RegExp): Check {
  return {
    id,
    async run(flow) {
      const details = await flow.detailsAnswer()
      const section = membersOf(details.json).find(({ name, value }) => names.test(bare(name)) && isSection(value))
      if (!section) return fail(`${label(details)} without ${what}.`)
      flow.located[id] = section.pointer
      return pass(`They are at ${section.pointer}.`)
    },
  }
}

const isSection = (value: unknown) => value !== null && typeof value === 'object'

export const detailsChecks: readonly Check[] = [
  includes(
    'details.execution-metrics',
    'execution metrics',
    /^(execution|workflow)?(metric|stat)(ic)?s$|^executions?(metrics|stats|statistics|summary)$/,
  ),
  includes(
    'details.step-performance',
    'step performance',
    /^steps?(performance|metrics|stats|statistics|analytics)$|^performance(by|of|per)?steps?$/,
  ),
  includes(
    'details.optimization-recommendations',
    'optimization recommendations',
    /recommend|optimi[sz]ation|suggestion/,
  ),
  { id: 'flow.create-execute-read', run: async (flow) => mustBeDone(await flow.detailsAnswer()) },
]
