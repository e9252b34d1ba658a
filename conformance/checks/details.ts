/** Workflow details and analytics: interface.md section 4.3. */
import type { RequirementId } from '../catalogue.ts'
import { type Check, fail, pass } from '../check.ts'
import { label, succeeded } from '../exchange.ts'
import { at } from '../locate.ts'
import { locatedBy } from '../profile.ts'
import { findSection, type Section } from '../sections.ts'
import { comesAbout } from './shared.ts'

/** The details have this section, whatever it is called, and it is more than null or an empty text. */
function includes(id: RequirementId, section: Section): Check {
  return {
    id,
    async run(flow) {
      const locator = flow.profile.locators?.[section]
      const find = (json: unknown) => (locator === undefined ? findSection(json, section) : locatedAt(json, locator))
      const { id: workflow } = await flow.workflow(1)
      const { after } = await flow.executedDetails()
      const read = () => flow.target.getWorkflow(String(workflow.value))
      const details =
        find(after.json) === undefined ? await flow.settling.until(read, ({ json }) => find(json) !== undefined) : after
      const pointer = succeeded(details) ? find(details.json) : undefined
      if (pointer === undefined && locator !== undefined) locatedBy(section, locator, details.json, id)
      if (pointer === undefined) return fail(`${label(details)} without ${section.replace('_', ' ')}.`)
      flow.located[section] = pointer
      return pass(`It is at ${pointer}.`)
    },
  }
}

function locatedAt(json: unknown, pointer: string): string | undefined {
  const value = at(json, pointer)
  return value === undefined || value === null || value === '' ? undefined : pointer
}

export const detailsChecks: readonly Check[] = [
  includes('details.execution-metrics', 'execution_metrics'),
  includes('details.step-performance', 'step_performance'),
  includes('details.optimization-recommendations', 'optimization_recommendations'),
  comesAbout('flow.create-execute-read', async (flow) => (await flow.executedDetails()).after),
]
