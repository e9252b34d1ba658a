/** Executing a workflow: interface.md section 4.2. */
import type { Body } from '../../src/contract/operations.ts'
import type { RequirementId } from '../catalogue/catalogue.ts'
import { assignments, unassigned } from '../evidence/assignments.ts'
import { confirmed, isCalledDocument } from '../evidence/documents.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { sentBody } from '../evidence/evidence.ts'
import {
  executedDetails,
  execution,
  executions,
  type SeenExecution,
  type SentExecution,
  type StartedExecution,
} from '../evidence/executions.ts'
import { Broken } from '../evidence/failures.ts'
import { workflowInPath } from '../evidence/identifiers.ts'
import { show } from '../evidence/show.ts'
import { counterAt, counters, membersFor, repeatedFinding, still } from '../evidence/shown.ts'
import { stepHistories } from '../evidence/step-histories.ts'
import { workflow } from '../evidence/workflows.ts'
import { countsExecutions, executionCounters } from '../reading/counters.ts'
import type { Finding } from '../reading/finding.ts'
import { identifierCandidates, isMasked, type Located, membersOf, normalizeName, valueAt } from '../reading/locate.ts'
import { isSameLeaf, leavesOf } from '../reading/places.ts'
import { showsWork } from '../reading/step-progress.ts'
import { isWrapping } from '../reading/vocabulary.ts'
import { describeAnswer, type Exchange } from '../wire/exchange.ts'
import { accepted, type Check, fail, inconclusive, pass } from './check.ts'
import { notStarted, stepSucceeds } from './shared.ts'

const executed = (evidence: Evidence) => execution(evidence, 1).exchange

/** Checks that a field was accepted, and that answers which show it have the sent value. */
function showsAsSent(id: RequirementId, name: Field): Check {
  return {
    id,
    judge(evidence) {
      executedDetails(evidence, 1)
      let isSeen = false
      for (const execution of executions(evidence)) {
        const sent = sentBody<SentExecution>(execution.exchange)[name]
        // If the identifier was only guessed, the answers may show the document under its true identifier.
        if (name === 'document_id' && !isCalledDocument(evidence, execution.which, sent)) {
          return accepted(
            'document_id was accepted, but no answer names a document identifier that it can be compared with.',
          )
        }
        // The answer may be right and the details still wrong.
        for (const [answer, exchange, shown] of [
          ['executed', execution.exchange, ownMembers(evidence, execution.exchange, name)],
          ['details', execution.after, shownIn(execution, name)],
        ] as const) {
          const [first] = shown
          isSeen ||= first !== undefined || (isUnique(name, sent) && leavesOf(exchange.json).some(equals(sent)))
          if (!first || shown.some(({ value }) => standsFor(value, sent, name))) continue
          const message = `${name} was sent as ${show(sent)}, but is shown as ${show(first.value)}.`
          const about = { json: exchange.json, execution }
          const finding = shownFinding(evidence, `execution.${name}`, answer, first, about)
          return fail(message, finding, { exchange, sent, shown: first.value })
        }
      }
      return isSeen
        ? pass(`${name} is shown as it was sent.`)
        : accepted(`${name} was accepted, but no answer shows it.`)
    },
  }
}

/** Returns true if only this run has a value, so that it is the sent one under any name. */
const isUnique = (name: Field, sent: string) =>
  name === 'submitter_email' || (name === 'document_id' && sent.length > 5 && !/^\d+$/.test(sent))

const equals =
  (sent: string) =>
  ({ value }: Located) =>
    isSameLeaf(value, sent)

/** Returns the strength of a member that shows something of an execution next to its identifier, its document or other sent values. */
function shownFinding(
  evidence: Evidence,
  what: `execution.${Field | 'execution_id'}`,
  answer: string,
  member: Located,
  { json, execution }: { readonly json: unknown; readonly execution: SeenExecution },
): Finding {
  const sent = sentBody<SentExecution>(execution.exchange)
  const ids = execution.ids.map(String)
  const links = membersOf(json).filter(({ value }) => ids.includes(lastSegment(value)))
  const known = [...ids, ...links.map(({ value }) => value), workflowInPath(execution.exchange.request.url)]
  return repeatedFinding(evidence, what, answer, member, { json, known: [...known, ...Object.values(sent)] })
}

/** Returns true if a place has the name of an execution or its document. */
function namesExecution(pointer: string): boolean {
  return ['execution', 'run', 'document', 'file'].some((word) => normalizeName(pointer).includes(word))
}

/**
 * Returns an execution's own members of a name in the answer to executing: behind a name that wraps it, or beside something
 * else that was sent. Behind any other name, they may be those of something else.
 */
function ownMembers(evidence: Evidence, exchange: Exchange, name: Field): readonly Located[] {
  const { json } = exchange
  const sent = sentBody<SentExecution>(exchange)
  const isBeside = ({ pointer }: Located) =>
    siblingsOf(json, pointer).some((other) =>
      fields.some((field) => field !== name && isShown(other, field, sent[field]) && isSame(other.value, sent[field])),
    )
  return membersFor(evidence, `execution.${name}`, json, () =>
    membersOf(json).filter((member) => isShown(member, name, sent[name]) && (isWrapped(member) || isBeside(member))),
  )
}

/** Returns true if only names that wrap the execution are around a member. */
const isWrapped = ({ pointer }: Located) =>
  pointer
    .split('/')
    .slice(1, -1)
    .every((step) => isWrapping(step) || /^executions?$/i.test(step))

/** Returns the members of the object that a member is in. */
function siblingsOf(json: unknown, pointer: string): Located[] {
  const owner = valueAt(json, pointer.slice(0, pointer.lastIndexOf('/')))
  return Array.isArray(owner)
    ? []
    : Object.entries(owner ?? {}).map(([name, value]) => ({ pointer: name, name, value }))
}

/** Returns the details' members of a name whose object also names the execution or its document. */
function shownIn({ exchange, ids: executionIds, documentId, after }: SeenExecution, name: Field): Located[] {
  const sent = sentBody<SentExecution>(exchange)[name]
  const ids = new Set([...executionIds, documentId].map(String))
  // A short number may also be something else.
  const names = ({ pointer, value }: Located) => {
    const id = lastSegment(value)
    return ids.has(id) && (id.length > 5 || namesExecution(pointer))
  }
  return membersOf(after.json).filter(
    (member) => isShown(member, name, sent) && siblingsOf(after.json, member.pointer).some(names),
  )
}

/** The last segment of a path or an address, which is what it is about; of any other value, the whole. */
const lastSegment = (value: unknown) => String(value).split('/').at(-1) ?? ''

type Field = keyof Body<'executeWorkflow'>

const fields = ['document_id', 'submitter_email', 'execution_mode', 'priority'] as const satisfies readonly Field[]

/** Returns true if a member shows a field, by its name or a shorter one. */
function isShown({ name, value }: Located, field: Field, sent: string): boolean {
  if (isContainer(value)) return false
  return (
    normalizeName(name) === normalizeName(field) ||
    (shorterNames[field] === normalizeName(name) && isOfKind(value, field, sent))
  )
}

const shorterNames: Readonly<Partial<Record<Field, string>>> = { document_id: 'document', submitter_email: 'submitter' }

/** Returns true if a value can be compared with the sent one: `document` may be a title as well, and `submitter` a person's name. */
function isOfKind(value: unknown, field: Field, sent: string): boolean {
  if (field === 'submitter_email') return value === null || String(value).includes('@')
  return isSame(value, sent) || (formOf(value) !== undefined && formOf(value) === formOf(sent))
}

/** Returns the form of an identifier: its prefix, or else its length if it mixes letters and digits. Undefined for other texts. */
function formOf(value: unknown): string | undefined {
  const text = String(value)
  const isMixed = /^(?=.*\d)(?=.*[a-z])[\w-]{8,}$/i.test(text)
  return text.match(/^([a-z]+[_:-])\w+$/i)?.[1] ?? (isMixed ? `${text.length} letters and digits` : undefined)
}

const isSame = (shown: unknown, sent: string) => String(shown).toLowerCase() === sent.toLowerCase()

/** Returns true if a value may represent the sent one: a label with the word, a number for it, or a mask. */
function standsFor(value: unknown, sent: string, name: Field): boolean {
  const text = String(value).toLowerCase()
  if (isSame(value, sent)) return true
  if (name === 'document_id' || value === null || text === '') return false
  return typeof value !== 'string' || /^\d+$/.test(text) || text.includes(sent.toLowerCase()) || isMasked(text)
}

/** Returns true if a value is an object or a list. */
function isContainer(value: unknown): boolean {
  return value !== null && typeof value === 'object'
}

/** Returns an identifier that two executions share, if it is too long to be a counter per workflow. */
function sharedId(evidence: Evidence, [first, second]: readonly SeenExecution[]): Located | undefined {
  const isOwn = (one: Located) =>
    normalizeName(one.name) === 'executionid' || (normalizeName(one.name) === 'id' && isWrapped(one))
  const [one, other] = [first, second].flatMap((seen) =>
    membersFor(evidence, 'execution.execution_id', seen?.exchange.json, (json) =>
      identifierCandidates(json, 'execution').filter(isOwn),
    ).slice(0, 1),
  )
  const id = String(other?.value ?? '')
  return id.length >= 12 && id === String(one?.value) ? other : undefined
}

export const executionChecks: readonly Check[] = [
  stepSucceeds('execute-workflow.method-and-path', executed),
  showsAsSent('execution.document-id', 'document_id'),
  showsAsSent('execution.submitter-email', 'submitter_email'),
  showsAsSent('execution.mode-standard', 'execution_mode'),
  showsAsSent('execution.priority-high', 'priority'),
  {
    id: 'flow.document-id-refers-to-upload',
    judge(evidence) {
      const [first, second] = [execution(evidence, 1), execution(evidence, 2)]
      return first.documentId === second.documentId
        ? fail(`Two uploads have the same document_id, ${show(first.documentId)}.`, documentFinding(first), {
            exchange: confirmed(evidence, 2),
            shown: second.documentId,
          })
        : pass('Each upload has its own document_id.')
    },
  },
  {
    id: 'execute-workflow.chooses-approvers',
    judge(evidence) {
      const shown = assignments(evidence)
      // A step may show others as well, such as who decides next, or the approver whom a substitute stands in for.
      const other = shown.find(({ named, approvers }) => !named.some((one) => approvers.has(one)))
      if (other)
        return fail(
          `${other.finding.place} shows ${show(other.chosen[0])}, who is no approver of the step.`,
          other.finding,
          { exchange: other.exchange, sent: [...other.approvers], shown: other.chosen },
        )
      const missing = unassigned(evidence)
      if (missing) {
        const { finding, exchange } = missing
        const { steps } = workflow(evidence, 1).sent
        if (!isAtWork(evidence, steps)) {
          const message = `${describeAnswer(exchange)} with the execution, but no step of it is at work, and ${finding.place} is empty for each. If it starts later, set settleSeconds in the profile`
          throw new Broken('execute-workflow.starts-execution', 'fail', message, finding, { exchange })
        }
        return fail(`${finding.place} is empty for each step, so no approver was chosen.`, finding, {
          exchange,
          sent: steps.map(({ approvers }) => approvers.map(({ email }) => email)),
          shown: finding.value,
        })
      }
      return shown.length > 0
        ? pass('The approvers that are shown as chosen approve their steps.')
        : accepted('The execution was accepted, and the approvers that routing chose are not shown.')
    },
  },
  {
    id: 'execute-workflow.starts-execution',
    judge(evidence) {
      const [counted] = counters(evidence).filter(({ strength }) => strength === 'proven')
      if (counted) return pass(`The details count the execution at ${counted.place}.`)
      const { shown, after } = executedDetails(evidence, 1)
      switch (shown) {
        case 'yes':
          return pass('The details show the execution.')
        case 'no':
          return fail(`${notStarted}.`, ...still(evidence, after))
        case 'undecided':
          return inconclusive(
            'The details count executions, but do not show this one. Perhaps they count only ended executions. If they count later, set settleSeconds in the profile.',
          )
        default:
          return accepted('The execution was accepted, but the details show no executions.')
      }
    },
  },
  {
    id: 'execution.for-one-document',
    judge(evidence) {
      const seen = executions(evidence)
      for (const one of seen) {
        const { exchange, before, after } = one
        const documents = membersOf(exchange.json).filter(({ name }) => /^documentids?$/.test(normalizeName(name)))
        const other = documents.find(({ value }) => value === null || (Array.isArray(value) && value.length !== 1))
        if (other) {
          const about = { json: exchange.json, execution: one }
          const finding = shownFinding(evidence, 'execution.document_id', 'executed', other, about)
          return fail(
            `The document of the execution is shown as ${show(other.value)} instead of one identifier.`,
            finding,
            { exchange, sent: sentBody<SentExecution>(exchange).document_id, shown: other.value },
          )
        }
        const counted = executionCounters(before.json)
        const grown = [...executionCounters(after.json)].map(([pointer, value]) => ({
          pointer,
          by: value - (counted.get(pointer) ?? 0),
        }))
        const doubled = grown.find(({ pointer, by }) => by > 1 && countsExecutions(pointer))
        if (doubled) {
          const message = `One execution was started, but ${doubled.pointer} increased by ${doubled.by}.`
          return fail(message, counterAt(evidence, doubled.pointer), {
            exchange: after,
            shown: valueAt(after.json, doubled.pointer),
          })
        }
      }
      const shared = sharedId(evidence, seen)
      const second = seen[1]
      if (!shared || !second) return pass('One execution was started, and no answer shows more.')
      const about = { json: second.exchange.json, execution: second }
      return fail(
        `${describeAnswer(second.exchange)} with the execution_id of another execution, ${show(shared.value)}.`,
        shownFinding(evidence, 'execution.execution_id', 'executed', shared, about),
        { exchange: second.exchange, shown: shared.value },
      )
    },
  },
]

/** Returns true if the details distinguish the steps of the first execution, other than by what was sent. */
function isAtWork(evidence: Evidence, steps: object): boolean {
  const { sequential } = stepHistories(evidence, 'details')
  return showsWork(sequential, new Set(leavesOf(steps).map(({ value }) => JSON.stringify(value))))
}

/** The place of the document identifier that the execution accepted. */
function documentFinding({ place, documentId: value }: StartedExecution): Finding {
  return { what: 'document_id', value, place, rule: 'executing with it was accepted', strength: 'proven', rejected: [] }
}
