/** The steps of a workflow and their approvers: interface.md section 2. */
import type { Body } from '../../src/contract/operations.ts'
import type { RequirementId } from '../catalogue/catalogue.ts'
import { type Evidence, resultIfSucceeded } from '../evidence/evidence.ts'
import { executedDetails } from '../evidence/executions.ts'
import { show } from '../evidence/show.ts'
import { type MadeWorkflow, sideWorkflow, workflow } from '../evidence/workflows.ts'
import { echoOf, isListOfObjects, stepMember, textsIn } from '../reading/echo.ts'
import { isMasked, membersOf, valueAt } from '../reading/locate.ts'
import { succeeded } from '../wire/exchange.ts'
import { accepted, type Check, fail, type Observation, pass } from './check.ts'
import { requireConclusive } from './shared.ts'

type Step = Body<'createWorkflow'>['steps'][number]

/** A sent step and the same step in an answer. */
interface Pair {
  readonly sent: Step
  readonly shown: object
}

interface ShownSteps {
  readonly sent: readonly Step[]
  readonly shown: readonly object[]
  /** Steps that were matched by identifier, by name or else by position. */
  readonly pairs: readonly Pair[]
}

/** Returns all lists of steps that the answers show of a workflow. */
function listsOf({ sent, created, details }: MadeWorkflow): ShownSteps[] {
  return [created, details].flatMap(({ json }) => pairLists(sent.steps, echoOf(json).steps))
}

/** Returns the lists of workflow 1, which is sequential. */
const shownInOrder = (evidence: Evidence) => listsOf(workflow(evidence, 1))

/** Returns the lists of both workflows. Omits the second if it failed, which another check reports. */
function shownSteps(evidence: Evidence): ShownSteps[] {
  const first = shownInOrder(evidence)
  const second = resultIfSucceeded(() => workflow(evidence, 2))
  return second ? [...first, ...listsOf(second)] : first
}

/**
 * Returns the same lists, and the one in the details of workflow 1 after its execution, if that place showed all steps before.
 * (A list at another place may be something else, and routing may select approvers.)
 */
function shownAfterwards(evidence: Evidence): ShownSteps[] {
  const { sent, details } = workflow(evidence, 1)
  const { steps } = echoOf(details.json)
  const place = membersOf(details.json).find(({ value }) => value === steps)?.pointer
  const [before] = pairLists(sent.steps, steps)
  const executed = resultIfSucceeded(() => executedDetails(evidence, 1))
  const isWhole = before?.pairs.length === sent.steps.length
  const after = isWhole && executed && place !== undefined ? valueAt(executed.after.json, place) : undefined
  return [...shownSteps(evidence), ...pairLists(sent.steps, isListOfObjects(after) ? after : undefined)]
}

/** Pairs a shown list with the sent steps. Ignores lists whose items have neither names nor identifiers. */
function pairLists(sent: readonly Step[], shown: readonly object[] | undefined): ShownSteps[] {
  if (!shown || (shown.length > 0 && shown.every((step) => identityOf(step) === undefined))) return []
  return [{ sent, shown, pairs: pair(sent, shown) }]
}

function pair(sent: readonly Step[], shown: readonly object[]): Pair[] {
  return sent.flatMap((step, index) => {
    const same = (name: 'step_id' | 'name') => shown.find((other) => stepMember(other, name) === step[name])
    const found = same('step_id') ?? same('name') ?? (shown.length === sent.length ? shown[index] : undefined)
    return found ? [{ sent: step, shown: found }] : []
  })
}

function identityOf(step: object): unknown {
  return stepMember(step, 'step_id') ?? stepMember(step, 'name') ?? stepMember(step, 'order')
}

/** Creates a check that compares a member of each shown step with the sent value. */
function showsAsSent(
  id: RequirementId,
  look: (pair: Pair) => string | undefined,
  isShown: (step: object) => boolean,
  lists = shownSteps,
): Check {
  return {
    id,
    judge(evidence) {
      let isSeen = false
      for (const { pairs } of lists(evidence)) {
        for (const one of pairs) {
          isSeen ||= isShown(one.shown)
          const flaw = look(one)
          if (flaw) return fail(`Step ${show(one.sent.step_id)} ${flaw}.`)
        }
      }
      return isSeen
        ? pass('The field is shown as it was sent.')
        : accepted('The field was accepted, but no answer shows it.')
    },
  }
}

/** Returns whether a step shows a member. */
const has = (name: keyof Step) => (step: object) => stepMember(step, name) !== undefined

/** Returns whether a step shows its approvers. */
const hasApprovers = (step: object) => Array.isArray(stepMember(step, 'approvers'))

/** Describes a wrong member of a shown step; undefined if it is right or absent. A text may be in another member of the step. */
function describeDifference(
  name: keyof Step,
  { sent, shown }: Pair,
  same: (a: string, b: string) => boolean,
): string | undefined {
  const value = stepMember(shown, name)
  if (value === undefined) return undefined
  const isSame = (one: unknown) => !isContainer(one) && same(String(one), String(sent[name]))
  const isText = typeof sent[name] === 'string'
  return isSame(value) || (isText && membersOf(shown).some((member) => isSame(member.value)))
    ? undefined
    : `was sent with ${name} ${show(sent[name])}, but is shown with ${show(value)}`
}

const isContainer = (value: unknown): value is object => value !== null && typeof value === 'object'
const exactly = (a: string, b: string) => a === b
const inAnyCase = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** The check of orders for the workflow whose steps were sent in their order. */
const inOrder = showsAsSent(
  'step.order',
  (one) => describeDifference('order', one, exactly),
  has('order'),
  shownInOrder,
)

export const stepChecks: readonly Check[] = [
  {
    id: 'workflow.steps',
    judge(evidence) {
      const lists = shownAfterwards(evidence)
      const other = lists.find(({ sent, shown }) => shown.length !== sent.length)
      if (other) return fail(`${other.sent.length} steps were sent, but ${other.shown.length} are shown.`)
      return lists.length > 0
        ? pass('All steps are shown.')
        : accepted('The steps were accepted, but no answer shows them.')
    },
  },
  showsAsSent('step.step-id', (one) => describeDifference('step_id', one, exactly), has('step_id'), shownAfterwards),
  showsAsSent('step.name', (one) => describeDifference('name', one, exactly), has('name'), shownAfterwards),
  {
    id: 'step.order',
    judge(evidence) {
      const inSequence = inOrder.judge(evidence)
      return inSequence.verdict !== 'fail' ? (judgeShuffledOrders(evidence) ?? inSequence) : inSequence
    },
  },
  showsAsSent(
    'step.order-starts-at-1',
    (one) => (one.sent.order === 1 ? describeDifference('order', one, exactly) : undefined),
    has('order'),
    shownInOrder,
  ),
  showsAsSent('step.type-approval', (one) => describeDifference('type', one, inAnyCase), has('type'), shownAfterwards),
  {
    id: 'step.estimated-duration',
    judge(evidence) {
      let isSeen = false
      for (const { pairs } of shownAfterwards(evidence)) {
        isSeen ||= pairs.some((one) => has('estimated_duration')(one.shown))
        const shown = pairs.map((one) => ({ ...one, value: stepMember(one.shown, 'estimated_duration') }))
        const lost = shown.find(({ value }) => value === null || value === '' || value === 0)
        if (lost) return fail(`Step ${show(lost.sent.step_id)} is shown with estimated_duration ${show(lost.value)}.`)
        // The unit is not documented, so other numbers may be the same durations. Then all must have the same factor.
        const factors = shown.flatMap(({ value, sent }) =>
          Number.isFinite(Number(value)) && value !== undefined ? [Number(value) / sent.estimated_duration] : [],
        )
        if (Math.max(...factors) > Math.min(...factors) * 1.5) {
          return fail(
            `The estimated durations were sent as ${show(shown.map(({ sent }) => sent.estimated_duration))}, but are shown as ${show(shown.map(({ value }) => value))}.`,
          )
        }
      }
      return isSeen
        ? pass('The field is shown as it was sent.')
        : accepted('The field was accepted, but no answer shows it.')
    },
  },
  showsAsSent(
    'step.approvers',
    ({ sent, shown }) => {
      const list = stepMember(shown, 'approvers')
      if (!Array.isArray(list)) return list === null ? 'is shown without its approvers' : undefined
      return list.length === sent.approvers.length
        ? undefined
        : `was sent with ${sent.approvers.length} approvers, but is shown with ${list.length}`
    },
    hasApprovers,
  ),
  showsAsSent('approver.email', (one) => describeMissingApprover('email', one), hasApprovers),
  showsAsSent('approver.name', (one) => describeMissingApprover('name', one), hasApprovers),
]

/** Checks that steps sent in another sequence keep their orders. Returns undefined if such a workflow is refused. */
function judgeShuffledOrders(evidence: Evidence): Observation | undefined {
  const created = requireConclusive(evidence.last('create shuffled'))
  if (!succeeded(created)) return undefined
  const { sent, details } = sideWorkflow(evidence, 'create shuffled', 'read shuffled')
  const { steps = [] } = echoOf(details.json)
  // Match by name, not by position.
  const named = pair(sent.steps, steps).filter((one) => textsIn(one.shown).has(one.sent.name.toLowerCase()))
  const flaw = named.map((one) => describeDifference('order', one, exactly)).find((one) => one !== undefined)
  return flaw === undefined ? undefined : fail(`A step whose position in the list differs from its order ${flaw}.`)
}

/** Describes a missing name or e-mail address among a step's approvers; undefined if all are shown, or none. */
function describeMissingApprover(name: 'email' | 'name', { sent, shown }: Pair): string | undefined {
  const list: unknown = stepMember(shown, 'approvers')
  if (!Array.isArray(list) || list.length !== sent.approvers.length) return undefined
  const values = list.map((one) => (isContainer(one) ? stepMember(one, name) : undefined))
  if (values.every((value) => value === undefined)) return undefined
  // Names may be split into parts, and addresses may be masked.
  const isPlain = values.every((value) => typeof value === 'string')
  const texts = textsIn(isPlain ? values : list)
  if ([...texts].some(isWithheld)) return undefined
  const isShown = (approver: Approver) => {
    // Detect names that were swapped between approvers.
    const own =
      name === 'name' && isPlain ? list.find((one) => textOf(one, 'email') === textIn(approver.email)) : undefined
    const found = own === undefined ? texts : new Set([textOf(own, name)])
    return found.has(textIn(approver[name])) || (name === 'name' && holdsWords(own ?? list, approver.name))
  }
  const missing = sent.approvers.find((approver) => !isShown(approver))
  return missing ? `was sent with the approver ${name} ${show(missing[name])}, which is not shown` : undefined
}

type Approver = Step['approvers'][number]

const textIn = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : undefined)
const textOf = (person: unknown, name: string) => (isContainer(person) ? textIn(stepMember(person, name)) : undefined)

/** Marks of withheld texts. */
const withheldMarks = ['redact', 'hidden', '…', '...', '#']

/** Returns whether a text replaces one that is withheld, for example for privacy. */
function isWithheld(text: string): boolean {
  return isMasked(text) || withheldMarks.some((mark) => text.includes(mark))
}

/** Returns whether a name is shown in parts, such as a given name and a family name. */
function holdsWords(shown: unknown, name: string): boolean {
  const words = [...textsIn(shown)].filter((text) => !text.includes('@')).flatMap((text) => text.split(/[\s,]+/))
  return name
    .toLowerCase()
    .split(' ')
    .every((word) => words.includes(word))
}
