/** Executing a workflow: interface.md section 4.2. */
import { type Check, fail, notShown, pass } from '../check.ts'
import type { Flow } from '../flow.ts'
import { executionCounters } from '../sections.ts'
import { comesAbout } from './shared.ts'

const executed = async (flow: Flow) => (await flow.execution(1)).exchange

/** What is decided by the execution's being accepted. */
const accepted = [
  'execute-workflow.method-and-path',
  'execution.document-id',
  'execution.submitter-email',
  'execution.mode-standard',
  'execution.priority-high',
  'flow.document-id-refers-to-upload',
] as const

export const executionChecks: readonly Check[] = [
  ...accepted.map((id) => comesAbout(id, executed)),
  {
    id: 'execute-workflow.starts-execution',
    async run(flow) {
      switch ((await flow.executedDetails()).shown) {
        case 'yes':
          return pass('The details show the execution.')
        case 'no':
          return fail('The execution was accepted, but the details neither count nor list it.')
        default:
          return notShown('The details show no executions.')
      }
    },
  },
  {
    id: 'execution.for-one-document',
    async run(flow) {
      const { before, after } = await flow.executedDetails()
      const counted = executionCounters(before.json)
      const grown = [...executionCounters(after.json)].map(([pointer, value]) => ({
        pointer,
        by: value - (counted.get(pointer) ?? 0),
      }))
      const doubled = grown.find(({ by }) => by > 1)
      return doubled
        ? fail(`One execution was started, and ${doubled.pointer} has grown by ${doubled.by}.`)
        : pass('The execution was accepted, and nothing shows more than one.')
    },
  },
]
