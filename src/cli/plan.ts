import { requirement } from '../../conformance/catalogue/catalogue.ts'
import { checks } from '../../conformance/judging/checks.ts'
import { sectionName } from '../../conformance/report/sections.ts'
import { defaultMaxRequests } from '../../conformance/wire/transport.ts'
import type { RunPlan } from './run-options.ts'

/** Describes what a run would do, for `--dry-run`. */
export function planText({ url, selected, perSecond, maxRequests = defaultMaxRequests }: RunPlan): string {
  const chosen = checks.filter(({ id }) => selected.includes(id))
  const pace = perSecond === undefined ? 'without a rate limit' : `at most ${perSecond} per second`
  return [
    `${chosen.length} of ${checks.length} checks would run against ${url}, with at most ${maxRequests} requests, ${pace}.`,
    'They would create workflows, executions and documents named conformance-…, which the API cannot delete.',
    ...chosen.map(({ id }) => `  ${id} (${sectionName(requirement(id).section)}): ${requirement(id).fact}`),
  ].join('\n')
}
