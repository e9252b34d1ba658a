/** Details without a section: interface.md sections 1 and 4.3. */
import type { RequirementId } from '../../catalogue/catalogue.ts'
import { without } from '../json.ts'
import { type Choice, type Mutant, mutant } from '../mutant.ts'
import { changeAnswer, type Members } from '../wrapper.ts'

const sections: [name: string, what: string, id: RequirementId][] = [
  ['execution_metrics', 'execution metrics', 'details.execution-metrics'],
  ['step_performance', 'step performance', 'details.step-performance'],
  ['optimization_recommendations', 'optimization recommendations', 'details.optimization-recommendations'],
]

/** Returns the analytics of section 1 that are inside a section: all but bottlenecks are in the execution metrics. */
const requirementsWithin = (name: string): RequirementId[] =>
  name === 'execution_metrics' ? ['analytics.success-rates', 'analytics.completion-times'] : []

const withMetrics = (details: Members, change: (metrics: Members) => Members): Members => ({
  ...details,
  execution_metrics: change(details.execution_metrics as Members),
})

/** The analytics of section 1, and how to remove them from the details. */
const analytics: [id: string, what: string, kills: RequirementId, change: (details: Members) => Members][] = [
  ['bottlenecks', 'bottlenecks', 'analytics.bottleneck-detection', (details) => without(details, 'bottlenecks')],
  [
    'success-rate',
    'a success rate',
    'analytics.success-rates',
    (details) => withMetrics(details, (metrics) => without(metrics, 'success_rate')),
  ],
  [
    'completion-time',
    'completion times',
    'analytics.completion-times',
    (details) => withMetrics(details, (metrics) => without(metrics, 'completion_time')),
  ],
]

/** The replacements of a section. */
const holes: [id: string, what: string, change: (details: Members, name: string) => Members][] = [
  ['lacks', 'lack', (details, name) => without(details, name)],
  ['empties', 'have an empty text for', (details, name) => ({ ...details, [name]: '' })],
  ['blanks', 'have a blank text for', (details, name) => ({ ...details, [name]: ' ' })],
  ['denies', 'have false for', (details, name) => ({ ...details, [name]: false })],
]

/** Most variants move the reference's sections, so a missing section is missing there too. This one also empties them. */
const applies = (variants: Choice) => variants.details !== 'empty-until-executed'

const wasExecuted = (details: Members) => JSON.stringify(details.recent_executions) !== '[]'

export const detailsMutants: readonly Mutant[] = [
  ...sections.flatMap(([name, what, id]) =>
    holes.map(([hole, how, change]) =>
      mutant(
        `details-${hole}-${name.replaceAll('_', '-')}`,
        `The details ${how} ${what}.`,
        [id],
        () => changeAnswer('getWorkflow', (details) => change(details, name)),
        { mayKill: requirementsWithin(name), appliesTo: applies },
      ),
    ),
  ),
  ...sections.map(([name, what, id]) =>
    mutant(
      `details-lose-${name.replaceAll('_', '-')}`,
      `The details lose ${what} with the first execution.`,
      [id],
      () => changeAnswer('getWorkflow', (details) => (wasExecuted(details) ? without(details, name) : details)),
      { mayKill: requirementsWithin(name), appliesTo: applies },
    ),
  ),
  ...analytics.map(([id, what, kills, change]) =>
    mutant(`details-lack-${id}`, `The details show no ${what}.`, [kills], () => changeAnswer('getWorkflow', change), {
      appliesTo: ({ details }) => details === undefined,
    }),
  ),
  ...sections.slice(1).map(([name, what, id]) =>
    mutant(
      `details-lack-${name.replaceAll('_', '-')}-beside-analytics`,
      `The details show no ${what}; completion times are a part of their own.`,
      [id],
      () =>
        changeAnswer('getWorkflow', (details) => ({
          ...without(details, name),
          completion_time: { mean: null, p50: null, p95: null },
        })),
      { appliesTo: ({ details }) => details === undefined },
    ),
  ),
  mutant(
    'details-are-bare',
    'The details contain only the workflow.',
    sections.map(([, , id]) => id),
    () => changeAnswer('getWorkflow', (details) => without(details, ...sections.map(([name]) => name))),
    { mayKill: requirementsWithin('execution_metrics'), appliesTo: applies },
  ),
]
