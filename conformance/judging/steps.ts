/** The steps of a workflow and their approvers: interface.md section 2. */
import type { Body } from '../../src/contract/operations.ts'
import type { RequirementId } from '../catalogue/catalogue.ts'
import { type Evidence, ifCameAbout } from '../evidence/evidence.ts'
import { executedDetails } from '../evidence/executions.ts'
import { show } from '../evidence/show.ts'
import { type MadeWorkflow, sideWorkflow, workflow } from '../evidence/workflows.ts'
import { echoOf, isListOfObjects, stepMember, textsIn } from '../reading/echo.ts'
import { at, isMasked, membersOf } from '../reading/locate.ts'
import { succeeded } from '../wire/exchange.ts'
import { accepted, type Check, fail, type Observation, pass } from './check.ts'
import { requireConclusive } from './shared.ts'

type Step = Body<'createWorkflow'>['steps'][number]

/** A step as it was sent and as it is shown. */
interface Pair {
  readonly sent: Step
  readonly shown: object
}

interface ShownSteps {
  readonly sent: readonly Step[]
  readonly shown: readonly object[]
  /** Steps that can be told to be the same, by identifier, by name or else by place. */
  readonly pairs: readonly Pair[]
}

/** Every list of steps that the deployment shows of a workflow. */
function listsOf({ sent, created, details }: MadeWorkflow): ShownSteps[] {
  return [created, details].flatMap(({ json }) => compared(sent.steps, echoOf(json).steps))
}

/** Those of workflow 1, which is sequential. */
const shownInOrder = (evidence: Evidence) => listsOf(workflow(evidence, 1))

/** The same of both workflows; where the second does not come about, another check says why. */
function shownSteps(evidence: Evidence): ShownSteps[] {
  const first = shownInOrder(evidence)
  const second = ifCameAbout(() => workflow(evidence, 2))
  return second ? [...first, ...listsOf(second)] : first
}

/**
 * The same, and what the details of workflow 1 show after its execution, where they showed all steps before: the list of
 * another place may be of something else, and routing may choose among the approvers.
 */
function shownAfterwards(evidence: Evidence): ShownSteps[] {
  const { sent, details } = workflow(evidence, 1)
  const { steps } = echoOf(details.json)
  const place = membersOf(details.json).find(({ value }) => value === steps)?.pointer
  const [before] = compared(sent.steps, steps)
  const executed = ifCameAbout(() => executedDetails(evidence, 1))
  const isWhole = before?.pairs.length === sent.steps.length
  const after = isWhole && executed && place !== undefined ? at(executed.after.json, place) : undefined
  return [...shownSteps(evidence), ...compared(sent.steps, isListOfObjects(after) ? after : undefined)]
}

/** A list that is shown beside what was sent; a list whose items show neither names nor identifiers is of something else. */
function compared(sent: readonly Step[], shown: readonly object[] | undefined): ShownSteps[] {
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

/** Compares a member of each step that is shown with what was sent. */
function keeps(
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
      return isSeen ? pass('It is shown as it was sent.') : accepted('It was accepted, and is not shown.')
    },
  }
}

/** Whether a step shows a member of its own. */
const has = (name: keyof Step) => (step: object) => stepMember(step, name) !== undefined

/** Whether a step shows something of its approvers. */
const hasApprovers = (step: object) => Array.isArray(stepMember(step, 'approvers'))

/** What is wrong with a member of a step, if it is shown. A text may stand in another member of the step as well. */
function differs(name: keyof Step, { sent, shown }: Pair, same: (a: string, b: string) => boolean): string | undefined {
  const value = stepMember(shown, name)
  if (value === undefined) return undefined
  const isSame = (one: unknown) => !isContainer(one) && same(String(one), String(sent[name]))
  const isText = typeof sent[name] === 'string'
  return isSame(value) || (isText && membersOf(shown).some((member) => isSame(member.value)))
    ? undefined
    : `has ${name} ${show(sent[name])}, and is shown with ${show(value)}`
}

const isContainer = (value: unknown): value is object => value !== null && typeof value === 'object'
const exactly = (a: string, b: string) => a === b
const inAnyCase = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** Orders of the workflow whose steps were sent in their order. */
const inOrder = keeps('step.order', (one) => differs('order', one, exactly), has('order'), shownInOrder)

export const stepChecks: readonly Check[] = [
  {
    id: 'workflow.steps',
    judge(evidence) {
      const lists = shownAfterwards(evidence)
      const other = lists.find(({ sent, shown }) => shown.length !== sent.length)
      if (other) return fail(`${other.sent.length} steps were sent, and ${other.shown.length} are shown.`)
      return lists.length > 0 ? pass('All steps are shown.') : accepted('The steps were accepted, and are not shown.')
    },
  },
  keeps('step.step-id', (one) => differs('step_id', one, exactly), has('step_id'), shownAfterwards),
  keeps('step.name', (one) => differs('name', one, exactly), has('name'), shownAfterwards),
  {
    id: 'step.order',
    judge(evidence) {
      const inSequence = inOrder.judge(evidence)
      return inSequence.verdict !== 'fail' ? (orderOfShuffled(evidence) ?? inSequence) : inSequence
    },
  },
  keeps(
    'step.order-starts-at-1',
    (one) => (one.sent.order === 1 ? differs('order', one, exactly) : undefined),
    has('order'),
    shownInOrder,
  ),
  keeps('step.type-approval', (one) => differs('type', one, inAnyCase), has('type'), shownAfterwards),
  {
    id: 'step.estimated-duration',
    judge(evidence) {
      let isSeen = false
      for (const { pairs } of shownAfterwards(evidence)) {
        isSeen ||= pairs.some((one) => has('estimated_duration')(one.shown))
        const shown = pairs.map((one) => ({ ...one, value: stepMember(one.shown, 'estimated_duration') }))
        const lost = shown.find(({ value }) => value === null || value === '' || value === 0)
        if (lost) return fail(`Step ${show(lost.sent.step_id)} is shown with estimated_duration ${show(lost.value)}.`)
        // The unit is not shown, so other numbers may be the same durations; but then all are as many times as large.
        const factors = shown.flatMap(({ value, sent }) =>
          Number.isFinite(Number(value)) && value !== undefined ? [Number(value) / sent.estimated_duration] : [],
        )
        if (Math.max(...factors) > Math.min(...factors) * 1.5) {
          return fail(`Estimated durations are shown as ${show(shown.map(({ value }) => value))}.`)
        }
      }
      return isSeen ? pass('It is shown as it was sent.') : accepted('It was accepted, and is not shown.')
    },
  },
  keeps(
    'step.approvers',
    ({ sent, shown }) => {
      const list = stepMember(shown, 'approvers')
      if (!Array.isArray(list)) return list === null ? 'is shown without its approvers' : undefined
      return list.length === sent.approvers.length
        ? undefined
        : `has ${sent.approvers.length} approvers, and is shown with ${list.length}`
    },
    hasApprovers,
    shownAfterwards,
  ),
  keeps('approver.email', (one) => approverDiffers('email', one), hasApprovers),
  keeps('approver.name', (one) => approverDiffers('name', one), hasApprovers),
]

/** Steps that are sent in another sequence keep their orders; undefined if such a workflow is refused. */
function orderOfShuffled(evidence: Evidence): Observation | undefined {
  const created = requireConclusive(evidence.last('create shuffled'))
  if (!succeeded(created)) return undefined
  const { sent, details } = sideWorkflow(evidence, 'create shuffled', 'read shuffled')
  const { steps = [] } = echoOf(details.json)
  // Told by name, not by place.
  const named = pair(sent.steps, steps).filter((one) => textsIn(one.shown).has(one.sent.name.toLowerCase()))
  const flaw = named.map((one) => differs('order', one, exactly)).find((one) => one !== undefined)
  return flaw === undefined ? undefined : fail(`A step that was not sent in its place ${flaw}.`)
}

/** What is wrong with the approvers of a step in one member, if it is shown. */
function approverDiffers(name: 'email' | 'name', { sent, shown }: Pair): string | undefined {
  const list: unknown = stepMember(shown, 'approvers')
  if (!Array.isArray(list) || list.length !== sent.approvers.length) return undefined
  const values = list.map((one) => (isContainer(one) ? stepMember(one, name) : undefined))
  if (values.every((value) => value === undefined)) return undefined
  // Names may be shown in parts, and addresses masked.
  const isPlain = values.every((value) => typeof value === 'string')
  const texts = textsIn(isPlain ? values : list)
  if ([...texts].some(isWithheld)) return undefined
  const isShown = (approver: Approver) => {
    // Two names may stand with each other's addresses.
    const own =
      name === 'name' && isPlain ? list.find((one) => textOf(one, 'email') === textIn(approver.email)) : undefined
    const found = own === undefined ? texts : new Set([textOf(own, name)])
    return found.has(textIn(approver[name])) || (name === 'name' && holdsWords(own ?? list, approver.name))
  }
  const missing = sent.approvers.find((approver) => !isShown(approver))
  return missing ? `has an approver with ${name} ${show(missing[name])}, who is not shown` : undefined
}

type Approver = Step['approvers'][number]

const textIn = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : undefined)
const textOf = (person: unknown, name: string) => (isContainer(person) ? textIn(stepMember(person, name)) : undefined)

/** What stands in a text that is kept back. */
const withheldMarks = ['redact', 'hidden', '…', '...', '#']

/** Whether a text stands for one that is kept back, as privacy may want it. */
function isWithheld(text: string): boolean {
  return isMasked(text) || withheldMarks.some((mark) => text.includes(mark))
}

/** Whether a name is shown in parts, such as a given name and a family name. */
function holdsWords(shown: unknown, name: string): boolean {
  const words = [...textsIn(shown)].filter((text) => !text.includes('@')).flatMap((text) => text.split(/[\s,]+/))
  return name
    .toLowerCase()
    .split(' ')
    .every((word) => words.includes(word))
}
