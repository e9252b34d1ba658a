/** The steps of a workflow and their approvers: interface.md section 2. */
import type { Body } from '../../src/contract/operations.ts'
import type { RequirementId } from '../catalogue/catalogue.ts'
import { type Evidence, ifCameAbout } from '../evidence/evidence.ts'
import { executedDetails } from '../evidence/executions.ts'
import { show } from '../evidence/show.ts'
import { type ShownPlace, type StepsSeen, stepsShown } from '../evidence/shown.ts'
import { type MadeWorkflow, sideWorkflow, workflow } from '../evidence/workflows.ts'
import { type ShownStep, shownOf } from '../reading/by-value.ts'
import type { Finding } from '../reading/finding.ts'
import { at, isMasked } from '../reading/locate.ts'
import { isSameLeaf, leavesOf, numberOf, textsIn } from '../reading/places.ts'
import { succeeded } from '../wire/exchange.ts'
import { accepted, type Check, fail, type Observation, verified } from './check.ts'
import { requireConclusive } from './shared.ts'

type Step = Body<'createWorkflow'>['steps'][number]
type StepField = 'step_id' | 'name' | 'order' | 'type' | 'estimated_duration'

/** A list of steps that is shown, with which workflow it is of. */
const listsOf = (evidence: Evidence, { sent, created, details }: MadeWorkflow): StepsSeen[] => [
  ...stepsShown(evidence, 'created', created.json, sent),
  ...stepsShown(evidence, 'details', details.json, sent),
]

/** Every list of steps that the deployment shows of workflow 1, which is sequential. */
const shownInOrder = (evidence: Evidence) => listsOf(evidence, workflow(evidence, 1))

/** The same of both workflows; where the second does not come about, another check says why. */
function shownOfBoth(evidence: Evidence): StepsSeen[] {
  const first = shownInOrder(evidence)
  const second = ifCameAbout(() => workflow(evidence, 2))
  return second ? [...first, ...listsOf(evidence, second)] : first
}

/** The same, and what the details of workflow 1 show after its execution, if they showed all steps before. */
function shownAfterwards(evidence: Evidence): StepsSeen[] {
  const { sent, details } = workflow(evidence, 1)
  const executed = ifCameAbout(() => executedDetails(evidence, 1))
  const [before] = stepsShown(evidence, 'details', details.json, sent)
  const isWhole = before?.pairs.length === sent.steps.length && before.list.strength !== 'likely'
  const after = isWhole && executed ? stepsShown(evidence, 'details', executed.after.json, sent) : []
  return [...shownOfBoth(evidence), ...after]
}

/** What is wrong with a step that is shown, and the finding that says so. */
interface Flaw {
  readonly message: string
  readonly finding: Finding
}

/** Compares something of each step that is shown with what was sent. */
function keeps(
  id: RequirementId,
  what: string,
  look: (pair: ShownStep, seen: StepsSeen) => Flaw | undefined,
  lists = shownOfBoth,
): Check {
  return {
    id,
    judge(evidence) {
      const found: Finding[] = []
      for (const seen of lists(evidence)) {
        for (const pair of seen.pairs) {
          found.push(...placesOf(what, pair, seen).map(({ finding }) => finding))
          const flaw = look(pair, seen)
          if (flaw) return fail(`Step ${show(pair.step.step_id)} ${flaw.message}.`, flaw.finding)
        }
      }
      return found.length > 0 ? verified(found) : accepted('It was accepted, and is not shown.')
    },
  }
}

/** What an item shows at each place of something. */
function placesOf(what: string, { item }: Pick<ShownStep, 'item'>, { places, list }: StepsSeen): ShownPlace[] {
  return places
    .filter((finding) => finding.what === what)
    .flatMap((finding) => shownOf(item, finding, list).map((value) => ({ finding, value })))
}

/** Looks at a field of each step, which is shown as it was sent. A text may stand in another member of the step as well. */
function differs(field: StepField, same: (shown: unknown, sent: unknown) => boolean) {
  return (pair: ShownStep, seen: StepsSeen): Flaw | undefined => {
    const sent = pair.step[field]
    const all = placesOf(`step.${field}`, pair, seen)
    const [shown] = all
    const isText = typeof sent === 'string'
    if (!shown || all.some(({ value }) => same(value, sent))) return undefined
    if (isText && leavesOf(pair.item).some(({ value }) => same(value, sent))) return undefined
    return {
      message: `has ${field} ${show(sent)}, and is shown with ${show(shown.value)}`,
      finding: shown.finding,
    }
  }
}

const exactly = (shown: unknown, sent: unknown) => isSameLeaf(shown, sent) || String(shown) === String(sent)
const inAnyCase = (shown: unknown, sent: unknown) => String(shown).toLowerCase() === String(sent).toLowerCase()

/** Orders of the workflow whose steps were sent in their order. */
const inOrder = keeps('step.order', 'step.order', differs('order', exactly), shownInOrder)

export const stepChecks: readonly Check[] = [
  {
    id: 'workflow.steps',
    judge(evidence) {
      const lists = shownAfterwards(evidence)
      const other = lists.find(({ sent, items }) => items.length !== sent.steps.length)
      if (other) {
        return fail(`${other.sent.steps.length} steps were sent, and ${other.items.length} are shown.`, other.list)
      }
      return lists.length > 0
        ? verified(
            lists.map(({ list }) => list),
            'All steps are shown.',
          )
        : accepted('The steps were accepted, and are not shown.')
    },
  },
  keeps('step.step-id', 'step.step_id', differs('step_id', exactly), shownAfterwards),
  keeps('step.name', 'step.name', differs('name', exactly), shownAfterwards),
  {
    id: 'step.order',
    judge(evidence) {
      const inSequence = inOrder.judge(evidence)
      return inSequence.verdict !== 'fail' ? (orderOfShuffled(evidence) ?? inSequence) : inSequence
    },
  },
  keeps(
    'step.order-starts-at-1',
    'step.order',
    (pair, seen) => (pair.step.order === 1 ? differs('order', exactly)(pair, seen) : undefined),
    shownInOrder,
  ),
  keeps('step.type-approval', 'step.type', differs('type', inAnyCase), shownAfterwards),
  {
    id: 'step.estimated-duration',
    judge(evidence) {
      const found: Finding[] = []
      for (const seen of shownAfterwards(evidence)) {
        const shown = seen.pairs.flatMap((pair) =>
          placesOf('step.estimated_duration', pair, seen)
            .slice(0, 1)
            .map((place) => ({ ...place, step: pair.step })),
        )
        const [first] = shown
        if (!first) continue
        found.push(first.finding)
        const lost = shown.find(({ value }) => value === null || value === '' || numberOf(value) === 0)
        if (lost) {
          const message = `Step ${show(lost.step.step_id)} is shown with estimated_duration ${show(lost.value)}.`
          return fail(message, lost.finding)
        }
        // The unit is not shown, so other numbers may be the same durations; but then all are as many times as large.
        const factors = shown.flatMap(({ value, step }) => {
          const number = numberOf(value)
          return number === undefined ? [] : [number / step.estimated_duration]
        })
        if (Math.max(...factors) > Math.min(...factors) * 1.5) {
          return fail(`Estimated durations are shown as ${show(shown.map(({ value }) => value))}.`, first.finding)
        }
      }
      return found.length > 0 ? verified(found) : accepted('It was accepted, and is not shown.')
    },
  },
  keeps(
    'step.approvers',
    'step.approvers',
    ({ step, item }, seen) => {
      const finding = approversIn(seen)
      const list = finding && at(item, withinItem(finding, seen))
      if (!finding || list === undefined) return undefined
      if (!Array.isArray(list)) return { message: 'is shown without its approvers', finding }
      const message = `has ${step.approvers.length} approvers, and is shown with ${list.length}`
      return list.length === step.approvers.length ? undefined : { message, finding }
    },
    shownAfterwards,
  ),
  keeps('approver.email', 'approver.email', (pair, seen) => approverDiffers('email', pair, seen)),
  keeps('approver.name', 'approver.name', (pair, seen) => approverDiffers('name', pair, seen)),
]

/** Steps that are sent in another sequence keep their orders; undefined if such a workflow is refused. */
function orderOfShuffled(evidence: Evidence): Observation | undefined {
  const created = requireConclusive(evidence.last('create shuffled'))
  if (!succeeded(created)) return undefined
  const { sent, details } = sideWorkflow(evidence, 'create shuffled', 'read shuffled')
  for (const seen of stepsShown(evidence, 'details', details.json, sent)) {
    const flaws = seen.pairs.map((pair) => differs('order', exactly)(pair, seen))
    const flaw = flaws.find((one) => one !== undefined)
    if (flaw) return fail(`A step that was not sent in its place ${flaw.message}.`, flaw.finding)
  }
  return undefined
}

/** The finding of the list of approvers in each step. */
const approversIn = ({ places }: StepsSeen) => places.find(({ what }) => what === 'step.approvers')

/** The pointer to the list of approvers within a step. */
const withinItem = (approvers: Finding, { list }: StepsSeen) => approvers.place.slice(list.place.length, -'/*'.length)

/** What is wrong with the approvers of a step in one field, if it is shown. */
function approverDiffers(field: 'email' | 'name', { step, item }: ShownStep, seen: StepsSeen): Flaw | undefined {
  const approvers = approversIn(seen)
  const [email, finding] = ['email', field].map((one) => seen.places.find(({ what }) => what === `approver.${one}`))
  if (!approvers || !finding) return undefined
  const list: unknown = at(item, withinItem(approvers, seen))
  if (!Array.isArray(list) || list.length !== step.approvers.length) return undefined
  const fieldOf = (person: unknown, { place }: Finding) => at(person, place.slice(approvers.place.length))
  const values = list.map((one) => fieldOf(one, finding))
  if (values.every((value) => value === undefined)) return undefined
  // Names may be shown in parts, and addresses masked.
  const isPlain = values.every((value) => typeof value === 'string')
  const texts = textsIn(isPlain ? values : list)
  if ([...texts].some(isWithheld)) return undefined
  const isShown = (approver: Approver) => {
    // Two names may stand with each other's addresses.
    const own =
      field === 'name' && isPlain && email
        ? list.find((one) => textIn(fieldOf(one, email)) === textIn(approver.email))
        : undefined
    const found = own === undefined ? texts : new Set([textIn(fieldOf(own, finding))])
    return found.has(textIn(approver[field])) || (field === 'name' && holdsWords(own ?? list, approver.name))
  }
  const missing = step.approvers.find((approver) => !isShown(approver))
  const message = `has an approver with ${field} ${show(missing?.[field])}, who is not shown`
  return missing && { message, finding }
}

type Approver = Step['approvers'][number]

const textIn = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : undefined)

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
