/** Creating and reading workflows: interface.md sections 2, 4.1 and 4.3. */
import { requested } from '../evidence/documents.ts'
import { type Evidence, resultIfSucceeded } from '../evidence/evidence.ts'
import { executedDetails, execution, shownIn } from '../evidence/executions.ts'
import { Broken } from '../evidence/failures.ts'
import { show } from '../evidence/show.ts'
import {
  type MadeWorkflow,
  madeWorkflow,
  mixUp,
  mustShow,
  reach,
  shownName,
  sideWorkflow,
  workflow,
} from '../evidence/workflows.ts'
import { countsExecutions, executionCounters, isNamedForExecutions } from '../reading/counters.ts'
import { echoOf, fieldOf, sentField, textsIn } from '../reading/echo.ts'
import { bare, isIdentifier, membersOf, valueAt } from '../reading/locate.ts'
import { describeAnswer, type Exchange, succeeded } from '../wire/exchange.ts'
import { accepted, type Check, fail, pass } from './check.ts'
import { notStarted, requireConclusive, stepSucceeds } from './shared.ts'
import { accentedName, judgeRefusal, nameLimit } from './workflow-name.ts'

const created = (evidence: Evidence) => workflow(evidence, 1).created
const read = (evidence: Evidence) => workflow(evidence, 1).details

/** Finds a sent field in an answer. An envelope may have its own description, but hardly its own flag. */
function placeIn({ json }: Exchange, field: string, sent: object) {
  return field === 'isSequential' ? fieldOf(echoOf(json), field) : sentField(echoOf(json), field, sent)
}

/** Finds a workflow's field in its details, or else in the answer to creating it. */
function shown(evidence: Evidence, which: 1 | 2, field: string) {
  const { created, details, sent } = workflow(evidence, which)
  return placeIn(details, field, sent) ?? placeIn(created, field, sent)
}

/** Returns the shown values of a field: of both workflows, and of the first after its execution, at the same place. */
function shownEverywhere(evidence: Evidence, field: 'description' | 'isSequential') {
  const { sent, details } = workflow(evidence, 1)
  const first = shown(evidence, 1, field)
  // If these steps failed, other checks report it.
  const second = resultIfSucceeded(() => workflow(evidence, 2))
  const executed = resultIfSucceeded(() => executedDetails(evidence, 1))
  const place = placeIn(details, field, sent)
  const after = place && executed ? valueAt(executed.after.json, place.pointer) : undefined
  const found = [
    { sent, value: first?.value },
    { sent, value: after },
    ...(second ? [{ sent: second.sent, value: shown(evidence, 2, field)?.value }] : []),
  ]
  return found.filter(({ value }) => value !== undefined)
}

export const workflowChecks: readonly Check[] = [
  stepSucceeds('api.paths-relative-to-base', created),
  {
    id: 'api.under-api-v1',
    judge(evidence) {
      reach(evidence)
      return pass('The deployment answers service calls under /api/v1.')
    },
  },
  stepSucceeds('create-workflow.method-and-path', created),
  {
    id: 'workflow.defines-approval-steps',
    judge(evidence) {
      const { created, details } = workflow(evidence, 1)
      const lost = [created, details].find(({ json }) => echoOf(json).steps?.length === 0)
      return lost ? fail(`${describeAnswer(lost)} with a workflow without steps.`) : pass(`${describeAnswer(created)}.`)
    },
  },
  stepSucceeds('api.request-bodies-are-json', created),
  stepSucceeds('api.json-content-type', (evidence) => {
    created(evidence)
    requested(evidence, 1)
    return execution(evidence, 1).exchange
  }),
  {
    id: 'get-workflow.method-and-path',
    judge(evidence) {
      const [first, second] = [workflow(evidence, 1), workflow(evidence, 2)]
      execution(evidence, 1)
      const { after } = executedDetails(evidence, 1)
      for (const [{ sent }, answer] of [
        [first, after],
        [second, second.details],
      ] as const) {
        const name = shownName(evidence, answer)
        if (name !== undefined && name !== sent.name) {
          return fail(`${describeAnswer(answer)} with the details of ${show(name)} instead of ${show(sent.name)}.`)
        }
      }
      twinWorkflows(evidence)
      return pass(`${describeAnswer(after)}.`)
    },
  },
  stepSucceeds('get-workflow.no-request-body', read),
  {
    id: 'workflow.name',
    judge(evidence) {
      workflow(evidence, 2)
      const { sent, details, created } = workflow(evidence, 1)
      const textsOf = (json: unknown) => membersOf(json).map(({ value }) => value)
      const isValue = (value: unknown) => value === null || typeof value !== 'object'
      // The details count if they show a name. The answer to creating the workflow may only repeat the request.
      const read = fieldOf(echoOf(details.json), 'name')
      const isLost = read && isValue(read.value) && !textsOf(details.json).includes(sent.name)
      if (!isLost && textsOf([created.json, details.json]).includes(sent.name)) {
        const accented = accentedName(evidence)
        return accented ?? pass('The name is shown as it was sent.')
      }
      const name = read ?? fieldOf(echoOf(created.json), 'name')
      return name && isValue(name.value)
        ? fail(`The name was sent as ${show(sent.name)}, but is shown as ${show(name.value)}.`)
        : accepted('The name was accepted, but no answer shows it.')
    },
  },
  {
    id: 'workflow.description',
    judge(evidence) {
      const descriptions = shownEverywhere(evidence, 'description')
      if (descriptions.length === 0) return accepted('The description was accepted, but no answer shows it.')
      // Answers may show it in several renderings.
      const isSame = (value: unknown, sent: string) =>
        typeof value === 'string' ? value === sent : textsIn(value).has(sent.toLowerCase())
      const other = descriptions.find(({ value, sent }) => !isSame(value, sent.description))
      return other === undefined
        ? pass('The description is shown as it was sent.')
        : fail(`The description was sent as ${show(other.sent.description)}, but is shown as ${show(other.value)}.`)
    },
  },
  {
    id: 'workflow.is-sequential',
    judge(evidence) {
      // Throws if workflow 2 was refused, which differs in isSequential.
      workflow(evidence, 2)
      const flags = shownEverywhere(evidence, 'isSequential')
      if (flags.length === 0) return accepted('isSequential was accepted as true and as false, but no answer shows it.')
      const other = flags.find(({ value, sent }) => asBoolean(value) !== sent.isSequential)
      return other === undefined
        ? pass('isSequential is shown as it was sent.')
        : fail(`isSequential was sent as ${other.sent.isSequential}, but is shown as ${show(other.value)}.`)
    },
  },
  {
    id: 'workflow.is-sequential-default-true',
    judge(evidence) {
      workflow(evidence, 1)
      const answer = evidence.last('create by default')
      if (!succeeded(answer)) return judgeRefusal(evidence, answer, 'a workflow without isSequential')
      const { details } = sideWorkflow(evidence, 'create by default', 'read by default')
      const member = fieldOf(echoOf(details.json), 'isSequential') ?? fieldOf(echoOf(answer.json), 'isSequential')
      if (!member) return accepted('The workflow was accepted, but no answer shows isSequential.')
      return asBoolean(member.value) === true
        ? pass('isSequential was omitted, and is shown as true.')
        : fail(`isSequential was omitted, but is shown as ${show(member.value)}.`)
    },
  },
  { id: 'workflow.name-at-most-100', judge: nameLimit },
  {
    id: 'workflow.ids-differ',
    judge(evidence) {
      const [first, second] = [workflow(evidence, 1), workflow(evidence, 2)]
      if (String(second.id.value) === String(first.id.value)) {
        return fail(`Two workflows have the same identifier, ${show(first.id.value)}.`)
      }
      const { answers, made } = twinWorkflows(evidence)
      answers.map(requireConclusive)
      const [one, other] = made
      return one && other && String(one.id.value) === String(other.id.value)
        ? fail(`Two workflows that were created at the same time have the same identifier, ${show(one.id.value)}.`)
        : pass('Each workflow has its own identifier.')
    },
  },
  {
    id: 'execute-workflow.identifies-created-workflow',
    judge(evidence) {
      const [first, second] = [workflow(evidence, 1), workflow(evidence, 2)]
      for (const [mine, other] of [
        [first, second],
        [second, first],
      ] as const) {
        const texts = membersOf(mine.details.json).map(({ value }) => value)
        if (texts.includes(other.sent.name) && !texts.includes(mine.sent.name)) {
          return fail(`The details of workflow ${show(mine.id.value)} are those of workflow ${show(other.id.value)}.`)
        }
      }
      executedDetails(evidence, 1)
      const { json } = evidence.last('read workflow 2 beside')
      const counted = executionCounters(second.details.json)
      const grown = [...executionCounters(json)].find(
        ([pointer, value]) => isNamedForExecutions(pointer) && value > (counted.get(pointer) ?? 0),
      )
      if (grown) return fail(`Another workflow was executed, but ${grown[0]} in the details of this one increased.`)
      execution(evidence, 2)
      const again = requireConclusive(evidence.last('read workflow 1 afterwards'))
      if (!succeeded(again)) return fail(`${describeAnswer(again)} after another workflow was executed.`)
      const mixedUp = mixUp(evidence, first.sent.name, again, first)
      if (mixedUp) return fail(`${mixedUp}.`)
      const before = executionCounters(first.details.json)
      // Its own execution may be counted late, which adds 1.
      const moved = [...executionCounters(again.json)].find(
        ([pointer, value]) =>
          countsExecutions(pointer) && isNamedForExecutions(pointer) && value > (before.get(pointer) ?? 0) + 1,
      )
      if (moved)
        return fail(`Another workflow was executed, but ${moved[0]} in the details of the first one increased.`)
      const misled = shownElsewhere(evidence)
      if (misled) return fail(misled)
      return pass('Each identifier reads and executes its own workflow.')
    },
  },
]

/** Returns two workflows that were created at the same time, if both were accepted. */
function twinWorkflows(evidence: Evidence): {
  readonly answers: readonly Exchange[]
  readonly made: readonly MadeWorkflow[]
} {
  return evidence.once('twins', () => {
    const answers = [evidence.last('create twin 1'), evidence.last('create twin 2')]
    const made = answers.every(succeeded)
      ? [madeWorkflow(evidence, 'create twin 1', 'read twin 1'), madeWorkflow(evidence, 'create twin 2', 'read twin 2')]
      : []
    const first = workflow(evidence, 1)
    const [one, other] = made.map(({ id }) => String(id.value))
    // With one identifier, the two names cannot be compared.
    for (const { sent, details } of one === other ? [] : made) mustShow(evidence, sent.name, details, first)
    return { answers, made }
  })
}

/** Describes the sign that an execution was started for another workflow. Returns undefined if there is none. */
function shownElsewhere(evidence: Evidence): string | undefined {
  const second = workflow(evidence, 2)
  const started = execution(evidence, 2)
  const { exchange } = started
  const named = membersOf(exchange.json).find(({ name }) => bare(name) === 'workflowid')
  const isComparable = bare(second.id.name) === 'workflowid' && isIdentifier(named?.value)
  const own = String(second.id.value)
  // The workflow's identifier may be part of the execution's.
  const isOwn = String(named?.value) === own || (own.length > 5 && String(named?.value).includes(own))
  if (isComparable && !isOwn)
    return `${describeAnswer(exchange)} with ${named.name} ${show(named.value)} instead of ${show(own)}.`
  const { shown: firstShown } = executedDetails(evidence, 1)
  if (firstShown === 'no') throw new Broken('execute-workflow.starts-execution', 'fail', notStarted)
  if (firstShown !== 'yes') return undefined
  return shownIn(second, started, evidence.last('settle workflow 2')) === 'no'
    ? 'The details of the first workflow show its execution, but those of the second do not.'
    : undefined
}

/** Converts a value to a boolean, including numbers and letters that some databases use. */
function asBoolean(value: unknown): boolean | undefined {
  const text = typeof value === 'object' ? undefined : String(value).toLowerCase()
  if (text === undefined) return undefined
  if (['true', '1', 'y', 'yes'].includes(text)) return true
  return ['false', '0', 'n', 'no'].includes(text) ? false : undefined
}
