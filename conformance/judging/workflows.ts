/** Creating and reading workflows: interface.md sections 2, 4.1 and 4.3. */

import { executionIds, provenCounts, workflowsRead } from '../evidence/details-read.ts'
import { requested } from '../evidence/documents.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { executedDetails, execution, executionShownIn, executions, type SeenExecution } from '../evidence/executions.ts'
import { Broken } from '../evidence/failures.ts'
import { repeatedIdentifier } from '../evidence/repeats.ts'
import { findingAt, show } from '../evidence/show.ts'
import { counterAt, still } from '../evidence/shown.ts'
import {
  identifierFinding,
  identifiersOf,
  madeWorkflow,
  mustShow,
  nameOfAnother,
  reach,
  workflow,
} from '../evidence/workflows.ts'
import { rules } from '../model/findings.ts'
import { knownWorkflows, runsIn } from '../model/samples.ts'
import { mixedIn, moreThanStarted } from '../reading/contradictions/counts.ts'
import { countersIn, countIn, countsExecutions } from '../reading/counts.ts'
import { membersOf } from '../reading/locate.ts'
import { leavesOf } from '../reading/places.ts'
import { mentionsRole, termsOf } from '../reading/vocabulary.ts'
import { describeAnswer, type Exchange, succeeded } from '../wire/exchange.ts'
import { type Checks, fail, type Observation, pass } from './check.ts'
import { judgeList } from './field.ts'
import { notStarted, requireConclusive, stepSucceeds } from './shared.ts'
import { nameLimit } from './workflow-name.ts'

const created = (evidence: Evidence) => workflow(evidence, 1).created
const read = (evidence: Evidence) => workflow(evidence, 1).details

export const workflowChecks: Checks = {
  'api.paths-relative-to-base': stepSucceeds(created),
  'api.under-api-v1'(evidence) {
    reach(evidence)
    return pass('The deployment answers service calls under /api/v1.')
  },
  'create-workflow.method-and-path': stepSucceeds(created),
  'workflow.defines-approval-steps'(evidence) {
    const { created } = workflow(evidence, 1)
    const { verdict, ground, compared } = judgeList(evidence, ['created', 'details'], 'steps')
    if (verdict !== 'fail' || !ground || compared?.shown !== 0) return pass(`${describeAnswer(created)}.`)
    return fail(`${describeAnswer(compared.exchange)} with a workflow without steps.`, ground, compared)
  },
  'api.request-bodies-are-json': stepSucceeds(created),
  'api.json-content-type': stepSucceeds((evidence) => {
    created(evidence)
    requested(evidence, 1)
    return execution(evidence, 1).exchange
  }),
  'get-workflow.method-and-path'(evidence) {
    const [first, second] = [workflow(evidence, 1), workflow(evidence, 2)]
    execution(evidence, 1)
    const { after } = executedDetails(evidence, 1)
    for (const [{ sent }, answer] of [
      [first, first.details],
      [first, after],
      [second, second.details],
    ] as const) {
      const other = nameOfAnother(evidence, sent.name, answer)
      if (other) {
        const message = `${describeAnswer(answer)} with the name of ${show(other.value)}, and not with ${show(sent.name)}.`
        return fail(message, other, { exchange: answer, sent: sent.name })
      }
    }
    twinWorkflows(evidence)
    return pass(`${describeAnswer(after)}.`)
  },
  'get-workflow.no-request-body': stepSucceeds(read),
  'workflow.name-at-most-100': nameLimit,
  'workflow.ids-differ'(evidence) {
    const first = workflow(evidence, 1)
    const repeated = repeatedIdentifier(
      evidence,
      'create',
      (answer) => identifiersOf(evidence, answer).find(({ pointer }) => pointer === first.id.pointer)?.value,
    )
    if (repeated) {
      const message = `Two workflows have the same identifier, ${show(repeated.value)}.`
      return fail(message, identifierFinding(first), { exchange: repeated.exchange })
    }
    workflow(evidence, 2)
    twinWorkflows(evidence).map(requireConclusive)
    return pass('Each workflow has its own identifier.')
  },
  'execute-workflow.identifies-created-workflow'(evidence) {
    const [first, second] = [workflow(evidence, 1), workflow(evidence, 2)]
    for (const [mine, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const texts = membersOf(mine.details.json)
      const theirs = texts.find(({ value }) => value === other.sent.name)
      if (theirs && !texts.some(({ value }) => value === mine.sent.name)) {
        const message = `The details of workflow ${show(mine.id.value)} are those of workflow ${show(other.id.value)}.`
        const { details: exchange, sent } = mine
        const finding = nameOfAnother(evidence, sent.name, exchange) ?? identifierFinding(other)
        return fail(message, finding, { exchange, sent: sent.name, pointer: theirs.pointer, shown: theirs.value })
      }
    }
    executedDetails(evidence, 1)
    const beside = evidence.last('read workflow 2 beside')
    const counted = countersIn(second.details.json)
    const grown = countersIn(beside.json).find((one) => one.isNamedForExecutions && one.value > countIn(counted, one))
    if (grown) {
      const message = `Another workflow was executed, but ${grown.place} in the details of this one increased.`
      return fail(message, counterAt(evidence, grown.place), { exchange: beside, shown: grown.value })
    }
    execution(evidence, 2)
    const again = requireConclusive(evidence.last('read workflow 1 afterwards'))
    if (!succeeded(again))
      return fail(`${describeAnswer(again)} after another workflow was executed.`, 'outcome', {
        exchange: again,
      })
    const before = countersIn(first.details.json)
    const own = countersIn(executedDetails(evidence, 1).after.json)
    // Its own execution may be counted late, which adds 1.
    const moved = countersIn(again.json).find(
      (one) =>
        countsExecutions(one) &&
        one.isNamedForExecutions &&
        one.value > Math.max(countIn(before, one) + 1, countIn(own, one)),
    )
    if (moved) {
      const message = `Another workflow was executed, but ${moved.place} in the details of the first one increased.`
      return fail(message, counterAt(evidence, moved.place), { exchange: again, shown: moved.value })
    }
    return shownElsewhere(evidence) ?? mixedUp(evidence) ?? pass('Each identifier reads and executes its own workflow.')
  },
}

/** Returns the answers to creating two workflows at the same time. If both were accepted, their details must show their own names. */
function twinWorkflows(evidence: Evidence): readonly Exchange[] {
  const answers = [evidence.last('create twin 1'), evidence.last('create twin 2')]
  const made = answers.every(succeeded)
    ? [madeWorkflow(evidence, 'create twin 1', 'read twin 1'), madeWorkflow(evidence, 'create twin 2', 'read twin 2')]
    : []
  const [one, other] = made.map(({ id }) => String(id.value))
  // With one identifier, the two names cannot be compared.
  for (const { sent, details } of one === other ? [] : made) mustShow(evidence, sent.name, details)
  return answers
}

/** Describes the sign that an execution was started for another workflow. Returns undefined if there is none. */
function shownElsewhere(evidence: Evidence): Observation | undefined {
  const second = workflow(evidence, 2)
  const started = execution(evidence, 2)
  const another = executedAnother(evidence)
  if (another) return another
  const { shown: firstShown, after } = executedDetails(evidence, 1)
  if (firstShown === 'no') {
    throw new Broken('execute-workflow.starts-execution', 'fail', notStarted, ...still(evidence, after))
  }
  const listed = listedElsewhere(evidence)
  if (listed || firstShown !== 'yes') return listed
  const settled = evidence.last('settle workflow 2')
  return executionShownIn(evidence, second, started, settled) === 'no'
    ? fail(
        'The details of the first workflow show its execution, but those of the second do not.',
        ...still(evidence, settled),
      )
    : undefined
}

/** Fails if the answer to an execution shows the identifier of another workflow, and not that of its own. */
function executedAnother(evidence: Evidence): Observation | undefined {
  const ids = knownWorkflows(evidence).map(({ facts }) => String(facts.workflow_id))
  for (const { exchange, facts } of runsIn(evidence)) {
    const own = String(facts.workflow_id)
    // The workflow's identifier may be part of the execution's, and a short one may be another number.
    const others = ids.filter((id) => id !== own && id.length > 5)
    const shown = leavesOf(exchange.json)
    const theirs = shown.find(({ value }) => others.includes(String(value)))
    if (!theirs || shown.some(({ value }) => String(value).includes(own))) continue
    const message = `${describeAnswer(exchange)} with ${theirs.pointer} ${show(theirs.value)} instead of ${show(own)}.`
    const finding = findingAt('execution.workflow_id', 'executed', theirs.pointer, theirs.value, rules.proven, 'proven')
    return fail(message, finding, { exchange, sent: own, shown: theirs.value })
  }
  return undefined
}

/** Fails if details list the execution of another workflow beside their own, or count more executions than were started. */
function mixedUp(evidence: Evidence): Observation | undefined {
  const { before, after } = executedDetails(evidence, 1)
  const counted = countersIn(before.json)
  // If one execution is counted twice, its own check reports it.
  const isDoubled = countersIn(after.json).some((one) => one.value > countIn(counted, one) + 1)
  for (const [index, { reads, startedBefore }] of workflowsRead(evidence).entries()) {
    for (const details of reads) {
      const { json } = details
      const found =
        (isDoubled ? undefined : moreThanStarted(json, startedBefore(details))) ??
        (index < 2
          ? mixedIn(
              json,
              executionIds(evidence, index === 0 ? 1 : 2),
              executionIds(evidence, index === 0 ? 2 : 1),
              provenCounts(evidence, json),
            )
          : undefined)
      if (found) return fail(`${describeAnswer(details)}: ${found.message}.`, found.finding, { exchange: details })
    }
  }
  return undefined
}

/** Fails if details show the identifier of the other workflow's execution, and not that of their own, or the other workflow's do not. */
function listedElsewhere(evidence: Evidence): Observation | undefined {
  const seen = executions(evidence)
  // What is shown of the tenant is not the workflow's own.
  const shownIn = ({ after }: SeenExecution, { ids }: SeenExecution) =>
    membersOf(after.json).find(
      ({ value, pointer }) =>
        String(value).length > 5 &&
        ids.map(String).includes(String(value)) &&
        !mentionsRole(pointer.split('/').flatMap(termsOf), 'other'),
    )
  for (const one of seen) {
    const { after } = one
    const other = seen.find(({ which }) => which !== one.which)
    const theirs = other && shownIn(one, other)
    const isOwnShown = shownIn(one, one) !== undefined
    if (!theirs || (isOwnShown && shownIn(other, other))) continue
    const lacking = isOwnShown ? 'which does not show it' : 'and not with its own'
    const message = `${describeAnswer(after)} with the execution ${show(theirs.value)} of another workflow, ${lacking}.`
    const rule = 'is the identifier that another execution introduced'
    const finding = findingAt('execution.execution_id', 'details', theirs.pointer, theirs.value, rule, 'proven')
    return fail(message, finding, { exchange: after, shown: theirs.value })
  }
  return undefined
}
