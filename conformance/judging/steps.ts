/** The steps of a workflow and their approvers: interface.md section 2. */
import type { Body } from '../../src/contract/operations.ts'
import type { RequirementId } from '../catalogue/catalogue.ts'
import { namedOtherwise } from '../evidence/assignments.ts'
import { type WorkflowReads, workflowsRead } from '../evidence/details-read.ts'
import { type Evidence, resultIfSucceeded } from '../evidence/evidence.ts'
import type { Compared } from '../evidence/particulars.ts'
import { show } from '../evidence/show.ts'
import { comparedAt, type ShownPlace, type StepsSeen, stepsShown } from '../evidence/shown.ts'
import { type MadeWorkflow, sideWorkflow, workflow } from '../evidence/workflows.ts'
import { type ShownStep, shownOf } from '../reading/by-value.ts'
import type { Finding } from '../reading/finding.ts'
import { isMasked, valueAt } from '../reading/locate.ts'
import { isSameLeaf, leavesOf, numberOf, textsIn, valuesAt } from '../reading/places.ts'
import { foreignStepId, type StepIdPlace, stepIdPlaces } from '../reading/step-progress.ts'
import { termsOf } from '../reading/vocabulary.ts'
import { succeeded } from '../wire/exchange.ts'
import { accepted, type Check, fail, type Observation, verified } from './check.ts'
import { requireConclusive } from './shared.ts'

type Step = Body<'createWorkflow'>['steps'][number]
type StepField = 'step_id' | 'name' | 'order' | 'type' | 'estimated_duration'

/** A list of steps in an answer, with its workflow. */
const listsOf = (evidence: Evidence, { sent, created, details }: MadeWorkflow): StepsSeen[] => [
  ...stepsShown(evidence, 'created', created, sent),
  ...stepsShown(evidence, 'details', details, sent),
]

/** Returns the lists of steps in the answers about workflow 1, which is sequential. */
const shownInOrder = (evidence: Evidence) => listsOf(evidence, workflow(evidence, 1))

/** Returns the lists of both workflows. Omits the second if it failed, which another check reports. */
function shownOfBoth(evidence: Evidence): StepsSeen[] {
  const first = shownInOrder(evidence)
  const second = resultIfSucceeded(() => workflow(evidence, 2))
  return second ? [...first, ...listsOf(evidence, second)] : first
}

/** The same, and what each later read of a workflow shows, if the first showed all steps. */
function shownAfterwards(evidence: Evidence): StepsSeen[] {
  const later = (resultIfSucceeded(() => workflowsRead(evidence)) ?? []).flatMap(({ made: { sent }, reads, again }) => {
    const [first = [], ...others] = [...reads, ...again].map((read) => stepsShown(evidence, 'details', read, sent))
    const isWhole = first[0]?.pairs.length === sent.steps.length && first[0].list.strength !== 'likely'
    return isWhole ? others.flat() : []
  })
  return [...shownOfBoth(evidence), ...later]
}

/** A difference between a shown step and the sent one, with its finding. */
interface Flaw {
  readonly message: string
  readonly finding: Finding
  readonly compared: Compared
}

/** Returns a check that compares a property of each shown step with what was sent. */
function showsAsSent(
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
          if (flaw) return fail(`Step ${show(pair.step.step_id)} ${flaw.message}.`, flaw.finding, flaw.compared)
        }
      }
      return found.length > 0 ? verified(found) : accepted('It was accepted, but no answer shows it.')
    },
  }
}

/** Returns the values in an item at the places of a property. */
function placesOf(what: string, { item }: Pick<ShownStep, 'item'>, seen: StepsSeen): ShownPlace[] {
  const { exchange } = seen
  return seen.places
    .filter((finding) => finding.what === what)
    .flatMap((finding) =>
      shownOf(item, finding, seen.list).map(({ pointer, value }) => {
        return { finding, exchange, pointer: pointerTo(item, seen) + pointer, value }
      }),
    )
}

/** Returns the JSON Pointer to a step's item in the answer. */
function pointerTo(item: unknown, { exchange, list }: StepsSeen): string {
  const start = list.place.slice(0, -'/*'.length)
  const items = Object.entries(valueAt(exchange.json, start) ?? {})
  return `${start}/${items.find(([, one]) => one === item)?.[0] ?? '*'}`
}

/** Returns a function that describes how a field of a step differs from what was sent. Texts may be in another member of the step. */
function describeDifference(field: StepField, same: (shown: unknown, sent: unknown) => boolean) {
  return (pair: ShownStep, seen: StepsSeen): Flaw | undefined => {
    const sent = pair.step[field]
    const all = placesOf(`step.${field}`, pair, seen)
    const [shown] = all
    const isText = typeof sent === 'string'
    if (!shown || all.some(({ value }) => same(value, sent))) return undefined
    if (isText && leavesOf(pair.item).some(({ value }) => same(value, sent))) return undefined
    return {
      message: `was sent with ${field} ${show(sent)}, but is shown with ${show(shown.value)}`,
      finding: shown.finding,
      compared: comparedAt(shown, sent),
    }
  }
}

const exactly = (shown: unknown, sent: unknown) => isSameLeaf(shown, sent) || String(shown) === String(sent)

/** Returns true if a type is shown in any case, also beside the words for its kind: `STEP_TYPE_APPROVAL`, as enums of Protocol Buffers are. */
function isType(shown: unknown, sent: unknown): boolean {
  if (String(shown).toLowerCase() === String(sent).toLowerCase()) return true
  const words = termsOf(String(shown)).map(({ word }) => word)
  return words.filter((word) => !kindWords.has(word)).join(' ') === String(sent).toLowerCase()
}

const kindWords = new Set(['workflow', 'step', 'type', 'kind'])

/** The check of orders for the workflow whose steps were sent in their order. */
const inOrder = showsAsSent('step.order', 'step.order', describeDifference('order', exactly), shownInOrder)

/** The check of names where the workflows themselves are shown. */
const ownNames = showsAsSent(
  'approver.name',
  'approver.name',
  (pair, seen) => describeMissingApprover('name', pair, seen),
  shownAfterwards,
)

/** The check of identifiers where the workflows themselves are shown. */
const ownStepIds = showsAsSent('step.step-id', 'step.step_id', describeDifference('step_id', exactly), (evidence) => [
  ...shownAfterwards(evidence),
  ...(resultIfSucceeded(() => listsOf(evidence, sideWorkflow(evidence, 'create shuffled', 'read shuffled'))) ?? []),
])

/** Fails if a place that shows the identifiers of all steps of workflows 1 and 2 shows other ones for a workflow beside the flow. */
function changedElsewhere(evidence: Evidence): Observation | undefined {
  const [first, second, ...others] = resultIfSucceeded(() => workflowsRead(evidence)) ?? []
  const placesIn = ({ made: { sent }, reads }: WorkflowReads) =>
    reads.flatMap(({ json }) => stepIdPlaces(json, sent.steps))
  const isIn = (all: readonly StepIdPlace[], { list, member }: StepIdPlace) =>
    all.some((one) => one.list === list && one.member === member)
  const ofSecond = second ? placesIn(second) : []
  for (const place of first ? placesIn(first).filter((one) => isIn(ofSecond, one)) : []) {
    for (const { made, reads } of others) {
      for (const details of reads) {
        const foreign = foreignStepId(details.json, place, made.sent.steps)
        if (!foreign) continue
        const { pointer, value: shown } = foreign
        const sent = made.sent.steps.map(({ step_id }) => step_id)
        const rule = 'shows the identifiers of all steps of the other workflows'
        const own = { what: 'step.step_id', answer: 'details', value: shown, place: `${place.list}/*${place.member}` }
        const message = `The steps were sent with step_id ${sent.map(show).join(', ')}, but ${pointer} shows ${show(shown)}.`
        return fail(
          message,
          { ...own, rule, strength: 'proven', rejected: [] },
          { exchange: details, pointer, sent, shown },
        )
      }
    }
  }
  return undefined
}

export const stepChecks: readonly Check[] = [
  {
    id: 'workflow.steps',
    judge(evidence) {
      const lists = shownAfterwards(evidence)
      const other = lists.find(({ sent, items }) => items.length !== sent.steps.length)
      if (other) {
        return fail(`${other.sent.steps.length} steps were sent, but ${other.items.length} are shown.`, other.list, {
          exchange: other.exchange,
          pointer: other.list.place.slice(0, -2),
          sent: other.sent.steps.length,
          shown: other.items.length,
        })
      }
      return lists.length > 0
        ? verified(
            lists.map(({ list }) => list),
            'All steps are shown.',
          )
        : accepted('The steps were accepted, but no answer shows them.')
    },
  },
  {
    id: 'step.step-id',
    judge(evidence) {
      const own = ownStepIds.judge(evidence)
      return own.verdict === 'fail' ? own : (changedElsewhere(evidence) ?? own)
    },
  },
  showsAsSent('step.name', 'step.name', describeDifference('name', exactly), shownAfterwards),
  {
    id: 'step.order',
    judge(evidence) {
      const inSequence = inOrder.judge(evidence)
      return inSequence.verdict !== 'fail' ? (judgeShuffledOrders(evidence) ?? inSequence) : inSequence
    },
  },
  showsAsSent(
    'step.order-starts-at-1',
    'step.order',
    (pair, seen) => (pair.step.order === 1 ? describeDifference('order', exactly)(pair, seen) : undefined),
    shownInOrder,
  ),
  showsAsSent('step.type-approval', 'step.type', describeDifference('type', isType), shownAfterwards),
  {
    id: 'step.estimated-duration',
    judge(evidence) {
      const found: Finding[] = []
      /** The names that show the sent numbers in the answer to creating. */
      const asSent = new Set<string>()
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
          return fail(message, lost.finding, comparedAt(lost, lost.step.estimated_duration))
        }
        // The unit is not documented, so other numbers may be the same durations. Then all must have the same factor, but for rounding.
        const numbers = shown.flatMap(({ value, step }) => {
          const number = numberOf(value)
          return number === undefined ? [] : [{ number, sent: step.estimated_duration }]
        })
        const factors = numbers.map(({ number, sent }) => number / sent)
        const unchanged = new Set(numbers.flatMap(({ number, sent }) => (number === sent ? [sent] : [])))
        const isChanged = unchanged.size > 1 && factors.some((factor) => factor !== 1)
        const { answer, place } = first.finding
        const name = place.slice(place.lastIndexOf('/') + 1)
        if (answer === 'created' && factors.length > 1 && factors.every((factor) => factor === 1)) asSent.add(name)
        // One name has one unit.
        const isConverted = answer === 'details' && asSent.has(name) && factors.some((factor) => factor !== 1)
        if (isChanged || isConverted || Math.max(...factors) > Math.min(...factors) * 1.5) {
          return fail(
            `The estimated durations were sent as ${show(shown.map(({ step }) => step.estimated_duration))}, but are shown as ${show(shown.map(({ value }) => value))}.`,
            first.finding,
            {
              exchange: seen.exchange,
              sent: shown.map(({ step }) => step.estimated_duration),
              shown: shown.map(({ value }) => value),
            },
          )
        }
      }
      return found.length > 0 ? verified(found) : accepted('It was accepted, but no answer shows it.')
    },
  },
  showsAsSent(
    'step.approvers',
    'step.approvers',
    ({ step, item }, seen) => {
      const finding = approversIn(seen)
      const list = finding && approverListOf(item, finding, seen)
      if (!finding || list?.value === undefined) return undefined
      const compared = comparedAt(list, step.approvers)
      if (!Array.isArray(list.value)) return { message: 'is shown without its approvers', finding, compared }
      const message = `was sent with ${step.approvers.length} approvers, but is shown with ${list.value.length}`
      return list.value.length === step.approvers.length ? undefined : { message, finding, compared }
    },
    shownAfterwards,
  ),
  showsAsSent(
    'approver.email',
    'approver.email',
    (pair, seen) => describeMissingApprover('email', pair, seen),
    shownAfterwards,
  ),
  {
    id: 'approver.name',
    judge(evidence) {
      const own = ownNames.judge(evidence)
      const other = own.verdict === 'fail' ? undefined : resultIfSucceeded(() => namedOtherwise(evidence))
      if (!other) return own
      const { finding, exchange, email, sent } = other
      const message = `The approver ${email} was sent with the name ${show(sent)}, but is shown with ${show(finding.value)}.`
      return fail(message, finding, { exchange, pointer: finding.place, sent, shown: finding.value })
    },
  },
]

/** Checks that steps sent in another sequence keep their orders. Returns undefined if such a workflow is refused. */
function judgeShuffledOrders(evidence: Evidence): Observation | undefined {
  const created = requireConclusive(evidence.last('create shuffled'))
  if (!succeeded(created)) return undefined
  const { sent, details } = sideWorkflow(evidence, 'create shuffled', 'read shuffled')
  for (const seen of stepsShown(evidence, 'details', details, sent)) {
    const flaws = seen.pairs.map((pair) => describeDifference('order', exactly)(pair, seen))
    const flaw = flaws.find((one) => one !== undefined)
    if (flaw) {
      const message = `A step whose position in the list differs from its order ${flaw.message}.`
      return fail(message, flaw.finding, flaw.compared)
    }
  }
  return undefined
}

/** Returns the finding of the list of approvers in each step. */
const approversIn = ({ places }: StepsSeen) => places.find(({ what }) => what === 'step.approvers')

/** Returns the list of approvers in a step's item. */
function approverListOf(item: unknown, finding: Finding, seen: StepsSeen): ShownPlace {
  const pointer = finding.place.slice(seen.list.place.length, -'/*'.length)
  const { exchange } = seen
  return { finding, exchange, pointer: pointerTo(item, seen) + pointer, value: valueAt(item, pointer) }
}

/** Describes an approver whose field is missing from a shown step. Returns undefined if none is, or if the field is not shown. */
function describeMissingApprover(
  field: 'email' | 'name',
  { step, item }: ShownStep,
  seen: StepsSeen,
): Flaw | undefined {
  const approvers = approversIn(seen)
  const [email, finding] = ['email', field].map((one) => seen.places.find(({ what }) => what === `approver.${one}`))
  if (!approvers || !finding) return undefined
  const shown = approverListOf(item, approvers, seen)
  const list = shown.value
  if (!Array.isArray(list) || list.length !== step.approvers.length) return undefined
  const fieldOf = (person: unknown, { place }: Finding) => valueAt(person, place.slice(approvers.place.length))
  const values = list.map((one) => fieldOf(one, finding))
  // If no step shows it, it is left out on purpose.
  const isShownElsewhere = seen.pairs.some(
    ({ item: other }) => valuesAt(other, finding.place.slice(seen.list.place.length)).length > 0,
  )
  if (!isShownElsewhere && values.every((value) => value === undefined)) return undefined
  // Names may be split into parts, and addresses may be masked.
  const isPlain = values.every((value) => typeof value === 'string')
  const texts = textsIn(isPlain ? values : list)
  if ([...texts].some(isWithheld)) return undefined
  const isShown = (approver: Approver) => {
    // Detect names that were swapped between approvers.
    const own =
      field === 'name' && isPlain && email
        ? list.find((one) => textIn(fieldOf(one, email)) === textIn(approver.email))
        : undefined
    const found = own === undefined ? texts : new Set([textIn(fieldOf(own, finding))])
    return found.has(textIn(approver[field])) || (field === 'name' && holdsWords(own ?? list, approver.name))
  }
  const missing = step.approvers.find((approver) => !isShown(approver))
  const message = `was sent with the approver ${field} ${show(missing?.[field])}, which is not shown`
  return missing && { message, finding, compared: comparedAt({ ...shown, value: values }, missing[field]) }
}

type Approver = Step['approvers'][number]

const textIn = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : undefined)

/** Marks of withheld texts. */
const withheldMarks = ['redact', 'hidden', '…', '...', '#']

/** Returns true if a text is a placeholder for a hidden value, such as `***`. */
function isWithheld(text: string): boolean {
  return isMasked(text) || withheldMarks.some((mark) => text.includes(mark))
}

/** Returns true if a name is shown in parts, such as a given name and a family name. */
function holdsWords(shown: unknown, name: string): boolean {
  const words = [...textsIn(shown)].filter((text) => !text.includes('@')).flatMap((text) => text.split(/[\s,]+/))
  return name
    .toLowerCase()
    .split(' ')
    .every((word) => words.includes(word))
}
