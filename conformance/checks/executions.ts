/** Executing a workflow: interface.md section 4.2. */
import type { Body } from '../../src/contract/operations.ts'
import type { RequirementId } from '../catalogue.ts'
import { type Check, fail, notShown, pass } from '../check.ts'
import type { Flow } from '../flow.ts'
import { bare, isMasked, membersOf } from '../locate.ts'
import { countsExecutions, executionCounters } from '../sections.ts'
import { comesAbout, notStarted, show } from './shared.ts'

const executed = async (flow: Flow) => (await flow.execution(1)).exchange

/** A field of the request was accepted; where executions are shown, it is shown as it was sent. */
function keeps(id: RequirementId, name: keyof Body<'executeWorkflow'>): Check {
  return {
    id,
    async run(flow) {
      const { exchange, documentId } = await flow.execution(1)
      const { after } = await flow.executedDetails()
      const sent = flow.samples.execution(documentId)[name]
      // A value that was only guessed to name the document may be taken, and the document shown under its own name.
      if (name === 'document_id' && !/document|file/i.test(flow.located.document_id ?? '')) {
        return pass('It was accepted, under a name that the deployment does not call a document.')
      }
      const shown = [exchange.json, after.json].flatMap((json) =>
        membersOf(json).filter((member) => bare(member.name) === bare(name) && !isContainer(member.value)),
      )
      return shown.length === 0 || shown.some(({ value }) => standsFor(value, sent, name))
        ? pass('It was accepted, and nothing else is shown.')
        : fail(`${name} was sent as ${show(sent)}, and is shown as ${show(shown[0]?.value)}.`)
    },
  }
}

/** Whether a value may be another way to show what was sent: a label with the word in it, a number for it, or a mask. */
function standsFor(value: unknown, sent: string, name: string): boolean {
  const text = String(value).toLowerCase()
  if (text === sent.toLowerCase()) return true
  if (name === 'document_id') return false
  return typeof value !== 'string' || /^\d+$/.test(text) || text.includes(sent.toLowerCase()) || isMasked(text)
}

const isContainer = (value: unknown) => value !== null && typeof value === 'object'

export const executionChecks: readonly Check[] = [
  comesAbout('execute-workflow.method-and-path', executed),
  keeps('execution.document-id', 'document_id'),
  keeps('execution.submitter-email', 'submitter_email'),
  keeps('execution.mode-standard', 'execution_mode'),
  keeps('execution.priority-high', 'priority'),
  {
    id: 'flow.document-id-refers-to-upload',
    async run(flow) {
      const [first, second] = [await flow.execution(1), await flow.execution(2)]
      return first.documentId === second.documentId
        ? fail(`Two uploads are named by one document_id, ${show(first.documentId)}.`)
        : pass('Each document_id names its own upload.')
    },
  },
  {
    id: 'execute-workflow.starts-execution',
    async run(flow) {
      switch ((await flow.executedDetails()).shown) {
        case 'yes':
          return pass('The details show the execution.')
        case 'no':
          return fail(`${notStarted}.`)
        default:
          return notShown('The details show no executions.')
      }
    },
  },
  {
    id: 'execution.for-one-document',
    async run(flow) {
      const { before, after } = await flow.executedDetails()
      const { exchange } = await flow.execution(1)
      const documents = membersOf(exchange.json).filter(({ name }) => /^documentids?$/.test(bare(name)))
      const other = documents.find(({ value }) => value === null || (Array.isArray(value) && value.length !== 1))
      if (other) return fail(`The execution is shown for ${show(other.value)}, not for one document.`)
      const counted = executionCounters(before.json)
      const grown = [...executionCounters(after.json)].map(([pointer, value]) => ({
        pointer,
        by: value - (counted.get(pointer) ?? 0),
      }))
      const doubled = grown.find(({ pointer, by }) => by > 1 && countsExecutions(pointer))
      return doubled
        ? fail(`One execution was started, and ${doubled.pointer} has grown by ${doubled.by}.`)
        : pass('The execution was accepted, and nothing shows more than one.')
    },
  },
]
