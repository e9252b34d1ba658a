/** Executing a workflow: interface.md section 4.2. */
import type { Body } from '../../src/contract/operations.ts'
import type { RequirementId } from '../catalogue/catalogue.ts'
import { assignments } from '../evidence/assignments.ts'
import { isCalledDocument } from '../evidence/documents.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { sentBody } from '../evidence/evidence.ts'
import {
  executedDetails,
  execution,
  executions,
  type SeenExecution,
  type SentExecution,
} from '../evidence/executions.ts'
import { show } from '../evidence/show.ts'
import { countsExecutions, executionCounters } from '../reading/counters.ts'
import { isWrapping } from '../reading/echo.ts'
import { at, bare, isMasked, type Located, membersOf } from '../reading/locate.ts'
import { type Exchange, label } from '../wire/exchange.ts'
import { accepted, type Check, fail, inconclusive, pass } from './check.ts'
import { notStarted, stepSucceeds } from './shared.ts'

const executed = (evidence: Evidence) => execution(evidence, 1).exchange

/** A field of the request was accepted; where executions are shown, it is shown as it was sent. */
function keeps(id: RequirementId, name: Field): Check {
  return {
    id,
    judge(evidence) {
      executedDetails(evidence, 1)
      let isSeen = false
      for (const execution of executions(evidence)) {
        const sent = sentBody<SentExecution>(execution.exchange)[name]
        // A value that was only guessed to name the document may be taken, and the document shown under its own name.
        if (name === 'document_id' && !isCalledDocument(evidence, execution.which, sent)) {
          return accepted('It was accepted, under a name that the deployment does not call a document.')
        }
        // What the answer to executing shows rightly, the details may yet show wrongly.
        for (const shown of [ownMembers(execution.exchange, name), shownIn(execution, name)]) {
          isSeen ||= shown.length > 0
          if (shown.length === 0 || shown.some(({ value }) => standsFor(value, sent, name))) continue
          return fail(`${name} was sent as ${show(sent)}, and is shown as ${show(shown[0]?.value)}.`)
        }
      }
      return isSeen ? pass('It is shown as it was sent.') : accepted('It was accepted, and is not shown.')
    },
  }
}

/** Whether a place is called that of an execution or its document. */
function namesExecution(pointer: string): boolean {
  return ['execution', 'run', 'document', 'file'].some((word) => bare(pointer).includes(word))
}

/**
 * An execution's own members of a name in the answer to executing: behind a name that wraps it, or beside something else that
 * was sent. Behind any other name may stand somebody else's.
 */
function ownMembers(exchange: Exchange, name: Field): Located[] {
  const { json } = exchange
  const sent = sentBody<SentExecution>(exchange)
  const isWrapped = ({ pointer }: Located) =>
    pointer
      .split('/')
      .slice(1, -1)
      .every((step) => isWrapping(step) || /^executions?$/i.test(step))
  const isBeside = ({ pointer }: Located) =>
    siblingsOf(json, pointer).some((other) =>
      fields.some((field) => field !== name && isShown(other, field) && isSame(other.value, sent[field])),
    )
  return membersOf(json).filter((member) => isShown(member, name) && (isWrapped(member) || isBeside(member)))
}

/** What stands in the same object as a member. */
function siblingsOf(json: unknown, pointer: string): Located[] {
  const owner = at(json, pointer.slice(0, pointer.lastIndexOf('/')))
  return Array.isArray(owner)
    ? []
    : Object.entries(owner ?? {}).map(([name, value]) => ({ pointer: name, name, value }))
}

/** Members of a name in the details, where what they stand in also names the execution or its document. */
function shownIn({ ids: executionIds, documentId, after }: SeenExecution, name: Field): Located[] {
  const ids = new Set([...executionIds, documentId].map(String))
  // A counter may be anybody's.
  const names = ({ pointer, value }: Located) => {
    // An address ends with what it is about.
    const id = String(value).split('/').at(-1) ?? ''
    return ids.has(id) && (id.length > 5 || namesExecution(pointer))
  }
  return membersOf(after.json).filter(
    (member) => isShown(member, name) && siblingsOf(after.json, member.pointer).some(names),
  )
}

type Field = keyof Body<'executeWorkflow'>

/** What each field may be called where an execution is shown. */
const shownAs: Readonly<Record<Field, readonly string[]>> = {
  document_id: ['documentid', 'document'],
  submitter_email: ['submitteremail', 'submitter'],
  execution_mode: ['executionmode', 'mode'],
  priority: ['priority'],
}
const fields = Object.keys(shownAs) as Field[]

const isShown = (member: Located, name: Field) =>
  shownAs[name].includes(bare(member.name)) && !isContainer(member.value)
const isSame = (shown: unknown, sent: string) => String(shown).toLowerCase() === sent.toLowerCase()

/** Whether a value may be another way to show what was sent: a label with the word in it, a number for it, or a mask. */
function standsFor(value: unknown, sent: string, name: Field): boolean {
  const text = String(value).toLowerCase()
  if (isSame(value, sent)) return true
  if (name === 'document_id' || value === null || text === '') return false
  return typeof value !== 'string' || /^\d+$/.test(text) || text.includes(sent.toLowerCase()) || isMasked(text)
}

/** Whether a value holds others. */
function isContainer(value: unknown): boolean {
  return value !== null && typeof value === 'object'
}

/** An identifier that two executions share, if it is too long for a counter of each workflow's own. */
function sharedId([first, second]: readonly SeenExecution[]): string | undefined {
  const [one, other] = [first, second].map((seen) =>
    membersOf(seen?.exchange.json).find(({ name }) => bare(name) === 'executionid'),
  )
  const id = String(one?.value ?? '')
  return id.length >= 12 && id === String(other?.value) ? id : undefined
}

export const executionChecks: readonly Check[] = [
  stepSucceeds('execute-workflow.method-and-path', executed),
  keeps('execution.document-id', 'document_id'),
  keeps('execution.submitter-email', 'submitter_email'),
  keeps('execution.mode-standard', 'execution_mode'),
  keeps('execution.priority-high', 'priority'),
  {
    id: 'flow.document-id-refers-to-upload',
    judge(evidence) {
      const [first, second] = [execution(evidence, 1), execution(evidence, 2)]
      return first.documentId === second.documentId
        ? fail(`Two uploads are named by one document_id, ${show(first.documentId)}.`)
        : pass('Each document_id names its own upload.')
    },
  },
  {
    id: 'execute-workflow.chooses-approvers',
    judge(evidence) {
      const shown = assignments(evidence)
      // A step may show others as well, such as who decides next.
      const other = shown.find(({ chosen, approvers }) => !chosen.some((one) => approvers.has(one)))
      if (other) return fail(`${other.place} shows ${show(other.chosen[0])}, who is no approver of the step.`)
      return shown.length > 0
        ? pass('Those that are shown as chosen are approvers of their steps.')
        : accepted('The execution was accepted, and whom routing chose is not shown.')
    },
  },
  {
    id: 'execute-workflow.starts-execution',
    judge(evidence) {
      switch (executedDetails(evidence, 1).shown) {
        case 'yes':
          return pass('The details show the execution.')
        case 'no':
          return fail(`${notStarted}.`)
        case 'undecided':
          return inconclusive(
            'The details count executions, but perhaps only those that have ended, or not since the execution; where they do so later, set settleSeconds.',
          )
        default:
          return accepted('The execution was accepted, and the details show no executions.')
      }
    },
  },
  {
    id: 'execution.for-one-document',
    judge(evidence) {
      const seen = executions(evidence)
      for (const { exchange, before, after } of seen) {
        const documents = membersOf(exchange.json).filter(({ name }) => /^documentids?$/.test(bare(name)))
        const other = documents.find(({ value }) => value === null || (Array.isArray(value) && value.length !== 1))
        if (other) return fail(`The execution is shown for ${show(other.value)}, not for one document.`)
        const counted = executionCounters(before.json)
        const grown = [...executionCounters(after.json)].map(([pointer, value]) => ({
          pointer,
          by: value - (counted.get(pointer) ?? 0),
        }))
        const doubled = grown.find(({ pointer, by }) => by > 1 && countsExecutions(pointer))
        if (doubled) return fail(`One execution was started, and ${doubled.pointer} has grown by ${doubled.by}.`)
      }
      const shared = sharedId(seen)
      return shared === undefined
        ? pass('The execution was accepted, and nothing shows more than one.')
        : fail(
            `${label((seen[1] as SeenExecution).exchange)} with the execution_id of another document's, ${show(shared)}.`,
          )
    },
  },
]
