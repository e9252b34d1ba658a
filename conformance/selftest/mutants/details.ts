/** Details without a section: interface.md sections 1 and 4.3. */
import type { RequirementId } from '../../catalogue/catalogue.ts'
import { adds, changeAt, without } from '../json.ts'
import { type Choice, type MutantRow, mutantsOf } from '../mutant.ts'
import { changeAnswers, type Members } from '../wrapper.ts'

type Change = (details: Members) => Members

const sections: [name: string, what: string, id: RequirementId][] = [
  ['execution_metrics', 'execution metrics', 'details.execution-metrics'],
  ['step_performance', 'step performance', 'details.step-performance'],
  ['optimization_recommendations', 'optimization recommendations', 'details.optimization-recommendations'],
]

/** Most variants move the reference's sections, so a missing section is missing there too. This one also empties them. */
const applies = (variants: Choice) => variants.details !== 'empty-until-executed'

/** What may be red without a section. All analytics of section 1 but bottlenecks are in the execution metrics. */
const withoutSection = (name: string): MutantRow[4] => ({
  mayKill: name === 'execution_metrics' ? ['analytics.success-rates', 'analytics.completion-times'] : [],
  appliesTo: applies,
})

const lacks =
  (name: string): Change =>
  (body) =>
    without(body, name)

/** The analytics of section 1, and how to remove them from the details. */
const analytics: [id: string, what: string, kills: RequirementId, change: Change][] = [
  ['bottlenecks', 'bottlenecks', 'analytics.bottleneck-detection', lacks('bottlenecks')],
  ['success-rate', 'a success rate', 'analytics.success-rates', changeAt('execution_metrics', lacks('success_rate'))],
  [
    'completion-time',
    'completion times',
    'analytics.completion-times',
    changeAt('execution_metrics', lacks('completion_time')),
  ],
]

/** The replacements of a section. */
const holes: [id: string, what: string, change: (name: string) => Change][] = [
  ['lacks', 'lack', lacks],
  ['empties', 'have an empty text for', (name) => adds({ [name]: '' })],
  ['blanks', 'have a blank text for', (name) => adds({ [name]: ' ' })],
  ['denies', 'have false for', (name) => adds({ [name]: false })],
]

const changed = (change: Change) => changeAnswers(['getWorkflow'], change)
const wasExecuted = (details: Members) => JSON.stringify(details.recent_executions) !== '[]'
const isUnmoved = ({ details }: Choice) => details === undefined
const called = (name: string) => name.replaceAll('_', '-')

export const detailsMutants = mutantsOf([
  ...sections.flatMap(([name, what, id]) =>
    holes.map(
      ([hole, how, change]): MutantRow => [
        `details-${hole}-${called(name)}`,
        `The details ${how} ${what}.`,
        id,
        changed(change(name)),
        withoutSection(name),
      ],
    ),
  ),
  ...sections.map(
    ([name, what, id]): MutantRow => [
      `details-lose-${called(name)}`,
      `The details lose ${what} with the first execution.`,
      id,
      changed((details) => (wasExecuted(details) ? without(details, name) : details)),
      withoutSection(name),
    ],
  ),
  ...analytics.map(
    ([id, what, kills, change]): MutantRow => [
      `details-lack-${id}`,
      `The details show no ${what}.`,
      kills,
      changed(change),
      isUnmoved,
    ],
  ),
  ...sections
    .slice(1)
    .map(
      ([name, what, id]): MutantRow => [
        `details-lack-${called(name)}-beside-analytics`,
        `The details show no ${what}; completion times are a part of their own.`,
        id,
        changed((details) => ({ ...without(details, name), completion_time: { mean: null, p50: null, p95: null } })),
        isUnmoved,
      ],
    ),
  [
    'details-are-bare',
    'The details contain only the workflow.',
    sections.map(([, , id]) => id),
    changed((details) => without(details, ...sections.map(([name]) => name))),
    withoutSection('execution_metrics'),
  ],
])
