/** Executing a workflow: interface.md section 4.2. */
import type { Body } from '../../src/contract/operations.ts'
import type { RequirementId } from '../catalogue/catalogue.ts'
import { assignments, unassigned, unassignedLast } from '../evidence/assignments.ts'
import { workflowsRead } from '../evidence/details-read.ts'
import { confirmed, isCalledDocument } from '../evidence/documents.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { resultIfSucceeded, sentBody } from '../evidence/evidence.ts'
import {
  executedAgain,
  executedDetails,
  execution,
  executionShownIn,
  executions,
  lastSegment,
  listOfExecutions,
  oddDocument,
  recordMembers,
  type SeenExecution,
  type SentExecution,
  type StartedExecution,
} from '../evidence/executions.ts'
import { Broken } from '../evidence/failures.ts'
import { isExecutionId, workflowInPath } from '../evidence/identifiers.ts'
import { show } from '../evidence/show.ts'
import { counterAt, counters, membersFor, repeatedFinding, still } from '../evidence/shown.ts'
import { overlappingExecutions, stepHistories } from '../evidence/step-histories.ts'
import { workflow } from '../evidence/workflows.ts'
import { moreThanStarted } from '../reading/contradictions.ts'
import { countsExecutions, executionCounters } from '../reading/counters.ts'
import type { Finding } from '../reading/finding.ts'
import {
  identifierCandidates,
  isMasked,
  type Located,
  membersOf,
  namedIdentifiers,
  normalizeName,
  unwrapTagged,
  valueAt,
} from '../reading/locate.ts'
import { isSameLeaf, leavesOf } from '../reading/places.ts'
import { showsWork } from '../reading/step-progress.ts'
import { hasRole, isNamed, isWrapping, mentionsRole, type Role, termsOf } from '../reading/vocabulary.ts'
import { describeAnswer, type Exchange } from '../wire/exchange.ts'
import type { Recorded } from '../wire/record.ts'
import { accepted, type Check, fail, inconclusive, type Observation, pass } from './check.ts'
import { notStarted, stepSucceeds, textOfAnother } from './shared.ts'
import { comparedIn, neverBegun } from './step-order.ts'

const executed = (evidence: Evidence) => execution(evidence, 1).exchange

/** Checks that a field was accepted, and that answers which show it have the sent value. */
function showsAsSent(id: RequirementId, name: Field): Check {
  return {
    id,
    judge(evidence) {
      executedDetails(evidence, 1)
      let isSeen = false
      const synonyms = synonymsOf(evidence, name)
      const found = executedAgain(evidence)
      // Other executions may have the same document, so only its identifier tells what is about it.
      const again = found && { ...found, documentId: String(found.ids[0]) }
      const [first] = executions(evidence)
      // Another execution must not change what is shown of the first.
      // The only item of a list may be the other one by then.
      const later = again && first ? [{ ...first, before: again.after, after: again.after }] : []
      const both = resultIfSucceeded(() => overlappingExecutions(evidence))
      const beside = both ? [both.first, both.second] : []
      for (const seen of [...executions(evidence), ...later, ...(again ? [again] : []), ...beside]) {
        const sent = sentBody<SentExecution>(seen.exchange)[name]
        // If the identifier was only guessed, the answers may show the document under its true identifier.
        const { documentId } = execution(evidence, seen.which)
        if (
          name === 'document_id' &&
          !isCalledDocument(evidence, seen.which, documentId) &&
          !showsDocuments(evidence)
        ) {
          return accepted(
            'document_id was accepted, but no answer names a document identifier that it can be compared with.',
          )
        }
        // The answer may be right and the details still wrong.
        for (const [answer, exchange, shown] of [
          ['executed', seen.exchange, ownMembers(evidence, seen.exchange, name, synonyms)],
          // Without an identifier, the details may show the previous execution.
          ['details', seen.after, seen === again && again.ids.length === 0 ? [] : shownIn(seen, name, synonyms)],
        ] as const) {
          const [member] = shown
          isSeen ||= member !== undefined || (isUnique(name, sent) && leavesOf(exchange.json).some(equals(sent)))
          if (!member || shown.some(({ value }) => standsFor(value, sent, name))) continue
          const message = `${name} was sent as ${show(sent)}, but is shown as ${show(member.value)}.`
          const about = { json: exchange.json, execution: seen }
          const finding = shownFinding(evidence, `execution.${name}`, answer, member, about)
          return fail(message, finding, { exchange, sent, shown: member.value })
        }
      }
      const looks = [...executions(evidence), ...(again ? [again] : [])].map(({ exchange }) => ({
        exchange,
        sent: sentBody<SentExecution>(exchange)[name],
      }))
      const isTheSent = (shown: string, sent: string) => standsFor(shown, sent, name)
      const other = looks.every(({ sent }) => isUnique(name, sent))
        ? textOfAnother({ what: `execution.${name}`, answer: 'executed' }, looks, isTheSent)
        : undefined
      if (other) return other
      return isSeen
        ? pass(`${name} is shown as it was sent.`)
        : accepted(`${name} was accepted, but no answer shows it.`)
    },
  }
}

/** Returns true if the answers to executing show each document as it was sent, which proves its identifier. */
const showsDocuments = (evidence: Evidence) =>
  executions(evidence).filter(({ exchange }) =>
    leavesOf(exchange.json).some(equals(sentBody<SentExecution>(exchange).document_id)),
  ).length > 1

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
  const finding = repeatedFinding(evidence, what, answer, member, { json, known: [...known, ...Object.values(sent)] })
  const isTranslated = normalizeName(member.name) !== normalizeName(what.slice('execution.'.length))
  if (!isTranslated || finding.strength !== 'named') return finding
  return { ...finding, rule: 'means the same as the name of the contract, and stands beside proven places' }
}

/**
 * Returns an execution's own members of a name in the answer to executing: behind a name that wraps it, or beside something
 * else that was sent. Behind any other name, they may be those of something else.
 */
function ownMembers(
  evidence: Evidence,
  exchange: Exchange,
  name: Field,
  synonyms: ReadonlySet<string>,
): readonly Located[] {
  const { json } = exchange
  const sent = sentBody<SentExecution>(exchange)
  const isBeside = ({ pointer }: Located) =>
    siblingsOf(json, pointer).some((other) =>
      fields.some((field) => field !== name && isShown(other, field, sent[field]) && isSame(other.value, sent[field])),
    )
  return membersFor(evidence, `execution.${name}`, json, () =>
    plainMembersOf(json).filter(
      (member) => isShown(member, name, sent[name], synonyms) && (isWrapped(member) || isBeside(member)),
    ),
  )
}

/**
 * Returns the names that mean a field by other words, and that show the sent value in some answer: `mode` may also be that of the key,
 * and `urgency` that of a step.
 */
function synonymsOf(evidence: Evidence, field: Field): ReadonlySet<string> {
  const called = executions(evidence).flatMap(({ exchange, after }) => {
    const sent = sentBody<SentExecution>(exchange)
    return [exchange, after].flatMap(({ json }) =>
      plainMembersOf(json)
        .filter(({ name, value }) => !isContainer(value) && isCalled(name, field))
        .map((member) => ({ ...member, json, sent })),
    )
  })
  const asSent = called.filter(({ value, sent }) => isSame(value, sent[field]))
  // A priority that was changed everywhere stands beside the mode.
  const changed = field === 'priority' ? called.filter(isOtherPriority) : []
  return new Set((asSent.length > 0 ? asSent : changed).map(({ name }) => normalizeName(name)))
}

/** Returns true if a member is another priority than the sent one, in an object that shows the mode as it was sent. */
function isOtherPriority({
  json,
  sent,
  pointer,
  value,
}: Located & { readonly json: unknown; readonly sent: SentExecution }) {
  const showsMode = siblingsOf(json, pointer).some(
    (other) => isCalled(other.name, 'execution_mode') && isSame(other.value, sent.execution_mode),
  )
  return showsMode && typeof value === 'string' && isNamed(value, 'otherPriority')
}

/** Returns the members of an answer, without the wrappers of their values. */
const plainMembersOf = (json: unknown) => membersOf(json).map(withoutWrapper)

const withoutWrapper = (member: Located): Located => ({ ...member, value: unwrapTagged(member.value) })

/** Returns true if only names that wrap the execution are around a member. */
const isWrapped = ({ pointer }: Located) =>
  pointer
    .split('/')
    .slice(1, -1)
    .every((step) => isWrapping(step) || isNamed(step, 'execution'))

/** Returns the members of the object that a member is in. */
function siblingsOf(json: unknown, pointer: string): Located[] {
  const owner = valueAt(json, pointer.slice(0, pointer.lastIndexOf('/')))
  return Array.isArray(owner)
    ? []
    : Object.entries(owner ?? {}).map(([name, value]) => withoutWrapper({ pointer: name, name, value }))
}

/** Returns the members of a name in the objects of the details that are about the execution. */
function shownIn(execution: SeenExecution, name: Field, synonyms: ReadonlySet<string>): Located[] {
  const sent = sentBody<SentExecution>(execution.exchange)[name]
  return recordMembers(execution)
    .map(withoutWrapper)
    .filter((member) => isShown(member, name, sent, synonyms))
}

type Field = keyof Body<'executeWorkflow'>

const fields = ['document_id', 'submitter_email', 'execution_mode', 'priority'] as const satisfies readonly Field[]

/** Returns true if a member shows a field: by its name, a shorter one, or other words that show the sent value elsewhere. */
function isShown({ name, value }: Located, field: Field, sent: string, synonyms?: ReadonlySet<string>): boolean {
  if (isContainer(value)) return false
  const own = normalizeName(name)
  return (
    own === normalizeName(field) ||
    ((synonyms?.has(own) || own === shorterNames[field]) && isOfKind(value, field, sent))
  )
}

const shorterNames: Readonly<Partial<Record<Field, string>>> = { document_id: 'document', submitter_email: 'submitter' }

/** The words for each field, beside those for an address, an identifier or the execution. */
const roles = {
  document_id: 'document',
  submitter_email: 'submitter',
  execution_mode: 'mode',
  priority: 'priority',
} as const satisfies Readonly<Record<Field, Role>>

/** Returns true if a name means a field: `submitter`, `urgency`, `documentNumber`. */
function isCalled(name: string, field: Field): boolean {
  const terms = termsOf(name)
  const role = roles[field]
  return (
    mentionsRole(terms, role) &&
    terms.every((term) => hasRole(term, role, 'address', 'identifier', 'execution', 'linking'))
  )
}

/** Returns true if a value can be compared with the sent one: `document` may be a title as well, and `submitter` a person's name. */
function isOfKind(value: unknown, field: Field, sent: string): boolean {
  if (field === 'execution_mode' || field === 'priority') return true
  if (field === 'submitter_email') return value === null || String(value).includes('@')
  const form = formOf(lastSegment(value))
  return isSame(value, sent) || (form !== undefined && form === formOf(lastSegment(sent)))
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
  if (name === 'document_id' && isSame(lastSegment(value), lastSegment(sent))) return true
  if (name === 'document_id' || value === null || text === '') return false
  return typeof value !== 'string' || /^\d+$/.test(text) || text.includes(sent.toLowerCase()) || isMasked(text)
}

/** Returns true if a value is an object or a list. */
function isContainer(value: unknown): boolean {
  return value !== null && typeof value === 'object'
}

/** Returns an identifier that two executions share, if it is too long to be a counter per workflow. */
function sharedId(evidence: Evidence, [first, second]: readonly SeenExecution[]): Located | undefined {
  const [one, other] = [first, second].flatMap((seen) =>
    membersFor(evidence, 'execution.execution_id', seen?.exchange.json, (json) =>
      [...identifierCandidates(json, 'execution'), ...namedIdentifiers(json)].filter(
        (one) => isExecutionId(one.name) || (normalizeName(one.name) === 'id' && isWrapped(one)),
      ),
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
      // The other file with an unusual name has the same bytes as the third.
      const [third] = oddDocument(evidence, 'accented')
      const others = [
        { id: second.documentId, exchange: () => confirmed(evidence, 2) },
        ...(third ? [{ id: String(third.value), exchange: () => evidence.last('confirm upload accented') }] : []),
      ]
      const ids = [first.documentId, ...others.map(({ id }) => id)]
      const same = others.find(({ id }, place) => ids.indexOf(id) <= place)
      return same
        ? fail(`Two uploads have the same document_id, ${show(same.id)}.`, documentFinding(first), {
            exchange: same.exchange(),
            shown: same.id,
          })
        : pass('Each upload has its own document_id.')
    },
  },
  {
    id: 'execute-workflow.chooses-approvers',
    judge(evidence) {
      const shown = assignments(evidence)
      // A step may show others as well, such as who decides next, or the approver whom a substitute stands in for.
      const other = shown.find(
        ({ named, approvers, areNoSubstitutes }) => areNoSubstitutes || !named.some((one) => approvers.has(one)),
      )
      if (other) {
        const { finding, exchange, chosen } = other
        const message =
          chosen[0] === undefined
            ? `${finding.place} is empty, so no approver was chosen.`
            : `${finding.place} shows ${show(chosen[0])}, who is no approver of the step.`
        return fail(message, finding, { exchange, sent: [...other.approvers], shown: chosen })
      }
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
      const last = unassignedLast(evidence)
      if (last) {
        const message = `The execution was approved, but by order, ${last.finding.place} shows ${last.finding.value}, so no approver was chosen for the last step.`
        return fail(message, last.finding, { ...comparedIn(evidence, 'details', last.of), shown: last.finding.value })
      }
      return shown.length > 0
        ? pass('The approvers that are shown as chosen approve their steps.')
        : accepted('The execution was accepted, and the approvers that routing chose are not shown.')
    },
  },
  {
    id: 'execute-workflow.starts-execution',
    judge(evidence) {
      const { shown, after } = executedDetails(evidence, 1)
      // Further attempts repeat the second execution only if the first one was shown.
      const lost = shown === 'no' ? undefined : (lostAgain(evidence) ?? neverBegun(evidence))
      if (lost) return lost
      const [counted] = counters(evidence).filter(({ strength }) => strength === 'proven')
      if (counted) return pass(`The details count the execution at ${counted.place}.`)
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
      const synonyms = synonymsOf(evidence, 'document_id')
      for (const one of seen) {
        const { exchange, before, after } = one
        const documents = membersOf(exchange.json).filter(({ name }) => isDocumentId(name, synonyms))
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
        const doubled = grown.find(
          ({ pointer, by }) => by > 1 && countsExecutions(pointer) && !countsSteps(evidence, pointer, by),
        )
        if (doubled) {
          const message = `One execution was started, but ${doubled.pointer} increased by ${doubled.by}.`
          return fail(message, counterAt(evidence, doubled.pointer), {
            exchange: after,
            shown: valueAt(after.json, doubled.pointer),
          })
        }
      }
      const counted = countedTwice(evidence)
      if (counted) return counted
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

/** Fails if details that list each execution neither list nor count another one of the same workflow. */
function lostAgain(evidence: Evidence): Observation | undefined {
  const again = executedAgain(evidence)
  const list = again && resultIfSucceeded(() => listOfExecutions(evidence))
  if (!again || list === undefined || again.ids.length === 0) return undefined
  if (executionShownIn({ details: again.before }, again, again.after) !== 'no') return undefined
  const message = `${describeAnswer(again.after)}: ${list} shows the first execution of the workflow, but not the second one, which was accepted.`
  return fail(message, counterAt(evidence, list), { exchange: again.after, shown: again.ids })
}

/** Returns true if a figure seems to count the steps of executions: it increases by their number, and another one counts executions. */
function countsSteps(evidence: Evidence, pointer: string, by: number): boolean {
  const isOfSteps = by === workflow(evidence, 1).sent.steps.length && !isCalledExecutions(pointer)
  return isOfSteps && counters(evidence).some(({ place, strength }) => strength === 'proven' && place !== pointer)
}

/** Returns true if the name of a figure means executions, and no name around it means steps. */
const isCalledExecutions = (pointer: string) =>
  mentionsRole(termsOf(pointer.slice(pointer.lastIndexOf('/') + 1)), 'execution') &&
  !mentionsRole(pointer.split('/').flatMap(termsOf), 'step', 'task')

/** Fails if a total that was right counts another execution of the same workflow more than once. */
function countedTwice(evidence: Evidence): Observation | undefined {
  const [{ reads, again, startedBefore }] = workflowsRead(evidence)
  const tooMany = (details: Recorded) => moreThanStarted(details.json, startedBefore(details))
  const wrong = again.find(tooMany)
  const found = wrong && !reads.some(tooMany) ? tooMany(wrong) : undefined
  return wrong && found && fail(`${describeAnswer(wrong)}: ${found.message}.`, found.finding, { exchange: wrong })
}

const isDocumentId = (name: string, synonyms: ReadonlySet<string>) =>
  /^documentids?$/.test(normalizeName(name)) || synonyms.has(normalizeName(name))

/** Returns true if the details distinguish the steps of the first execution, other than by what was sent. */
function isAtWork(evidence: Evidence, steps: object): boolean {
  const { sequential } = stepHistories(evidence, 'details')
  return showsWork(sequential, new Set(leavesOf(steps).map(({ value }) => JSON.stringify(value))))
}

/** The place of the document identifier that the execution accepted. */
function documentFinding({ place, documentId: value }: StartedExecution): Finding {
  return { what: 'document_id', value, place, rule: 'executing with it was accepted', strength: 'proven', rejected: [] }
}
