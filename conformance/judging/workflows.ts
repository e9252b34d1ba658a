/** Creating and reading workflows: interface.md sections 2, 4.1 and 4.3. */
import { requested } from '../evidence/documents.ts'
import { type Evidence, ifCameAbout } from '../evidence/evidence.ts'
import { executedDetails, execution, executions, shownIn } from '../evidence/executions.ts'
import { Broken } from '../evidence/failures.ts'
import { show } from '../evidence/show.ts'
import {
  type MadeWorkflow,
  madeWorkflow,
  mixUp,
  mustShow,
  nameOfAnother,
  reach,
  shownName,
  sideWorkflow,
  workflow,
} from '../evidence/workflows.ts'
import { countsExecutions, executionCounters, isNamedForExecutions } from '../reading/counters.ts'
import { echoOf, fieldOf, sentField, textsIn } from '../reading/echo.ts'
import { at, bare, isIdentifier, membersOf } from '../reading/locate.ts'
import { type Exchange, label, succeeded } from '../wire/exchange.ts'
import { accepted, type Check, fail, pass } from './check.ts'
import { notStarted, requireConclusive, stepSucceeds } from './shared.ts'
import { accentedName, nameLimit, refusal } from './workflow-name.ts'

const created = (evidence: Evidence) => workflow(evidence, 1).created
const read = (evidence: Evidence) => workflow(evidence, 1).details

/** Where an answer shows a field that was sent. An envelope may have a description of its own, but hardly a flag. */
function placeIn({ json }: Exchange, field: string, sent: object) {
  return field === 'isSequential' ? fieldOf(echoOf(json), field) : sentField(echoOf(json), field, sent)
}

/** What is shown of a workflow's field, in the answer to creating it or in its details; the later counts. */
function shown(evidence: Evidence, which: 1 | 2, field: string) {
  const { created, details, sent } = workflow(evidence, which)
  return placeIn(details, field, sent) ?? placeIn(created, field, sent)
}

/** What is shown of a field of both workflows, and of the first after its execution too, where it was shown before. */
function shownEverywhere(evidence: Evidence, field: 'description' | 'isSequential') {
  const { sent, details } = workflow(evidence, 1)
  const first = shown(evidence, 1, field)
  // Where these do not come about, other checks say why.
  const second = ifCameAbout(() => workflow(evidence, 2))
  const executed = ifCameAbout(() => executedDetails(evidence, 1))
  const place = placeIn(details, field, sent)
  const after = place && executed ? at(executed.after.json, place.pointer) : undefined
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
      return pass('Service calls are found below /api/v1.')
    },
  },
  stepSucceeds('create-workflow.method-and-path', created),
  {
    id: 'workflow.defines-approval-steps',
    judge(evidence) {
      const { created, details } = workflow(evidence, 1)
      const lost = [created, details].find(({ json }) => echoOf(json).steps?.length === 0)
      return lost ? fail(`${label(lost)} with a workflow of no steps.`) : pass(`${label(created)}.`)
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
        [first, first.details],
        [first, after],
        [second, second.details],
      ] as const) {
        const other = nameOfAnother(evidence, sent.name, answer)
        if (other !== undefined) {
          return fail(`${label(answer)} with the name of ${show(other)}, and not with ${show(sent.name)}.`)
        }
        const name = shownName(evidence, answer)
        if (name !== undefined && name !== sent.name) {
          return fail(`${label(answer)} with the details of ${show(name)}, not of ${show(sent.name)}.`)
        }
      }
      twins(evidence)
      return pass(`${label(after)}.`)
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
      // The details count, where they show a name; the answer to creating may but repeat what was sent.
      const read = fieldOf(echoOf(details.json), 'name')
      const isLost = read && isValue(read.value) && !textsOf(details.json).includes(sent.name)
      if (!isLost && textsOf([created.json, details.json]).includes(sent.name)) {
        const accented = accentedName(evidence)
        return accented ?? pass('The name is shown as it was sent.')
      }
      const name = read ?? fieldOf(echoOf(created.json), 'name')
      return name && isValue(name.value)
        ? fail(`The workflow was named ${show(sent.name)}, and is shown as ${show(name.value)}.`)
        : accepted('The name was accepted, and is not shown.')
    },
  },
  {
    id: 'workflow.description',
    judge(evidence) {
      const descriptions = shownEverywhere(evidence, 'description')
      if (descriptions.length === 0) return accepted('The description was accepted, and is not shown.')
      // It may be shown in several renderings.
      const isSame = (value: unknown, sent: string) =>
        typeof value === 'string' ? value === sent : textsIn(value).has(sent.toLowerCase())
      const other = descriptions.find(({ value, sent }) => !isSame(value, sent.description))
      return other === undefined
        ? pass('The description is shown as it was sent.')
        : fail(`The description was sent as ${show(other.sent.description)}, and is shown as ${show(other.value)}.`)
    },
  },
  {
    id: 'workflow.is-sequential',
    judge(evidence) {
      // If the second workflow is refused for it, that shows here.
      workflow(evidence, 2)
      const flags = shownEverywhere(evidence, 'isSequential')
      if (flags.length === 0) return accepted('true and false were accepted, and are not shown.')
      const other = flags.find(({ value, sent }) => asBoolean(value) !== sent.isSequential)
      return other === undefined
        ? pass('It is shown as it was sent.')
        : fail(`isSequential was sent as ${other.sent.isSequential}, and is shown as ${show(other.value)}.`)
    },
  },
  {
    id: 'workflow.is-sequential-default-true',
    judge(evidence) {
      workflow(evidence, 1)
      const answer = evidence.last('create by default')
      if (!succeeded(answer)) return refusal(evidence, answer, 'a workflow without isSequential')
      const { details } = sideWorkflow(evidence, 'create by default', 'read by default')
      const member = fieldOf(echoOf(details.json), 'isSequential') ?? fieldOf(echoOf(answer.json), 'isSequential')
      if (!member) return accepted('The workflow was accepted, and isSequential is not shown.')
      return asBoolean(member.value) === true
        ? pass('It is shown as true.')
        : fail(`It is shown as ${show(member.value)}.`)
    },
  },
  { id: 'workflow.name-at-most-100', judge: nameLimit },
  {
    id: 'workflow.ids-differ',
    judge(evidence) {
      const [first, second] = [workflow(evidence, 1), workflow(evidence, 2)]
      if (String(second.id.value) === String(first.id.value)) {
        return fail(`Two workflows are identified by ${show(first.id.value)}.`)
      }
      const { answers, made } = twins(evidence)
      answers.map(requireConclusive)
      const [one, other] = made
      return one && other && String(one.id.value) === String(other.id.value)
        ? fail(`Two workflows that are created at the same time are identified by ${show(one.id.value)}.`)
        : pass('Two workflows have two identifiers.')
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
          return fail(`The details of ${show(mine.id.value)} are those of ${show(other.id.value)}.`)
        }
      }
      executedDetails(evidence, 1)
      const { json } = evidence.last('read workflow 2 beside')
      const counted = executionCounters(second.details.json)
      const grown = [...executionCounters(json)].find(
        ([pointer, value]) => isNamedForExecutions(pointer) && value > (counted.get(pointer) ?? 0),
      )
      if (grown) return fail(`Another workflow was executed, and ${grown[0]} of this one has grown.`)
      execution(evidence, 2)
      const again = requireConclusive(evidence.last('read workflow 1 afterwards'))
      if (!succeeded(again)) return fail(`${label(again)} after another workflow was executed.`)
      const mixedUp = mixUp(evidence, first.sent.name, again, first)
      if (mixedUp) return fail(`${mixedUp}.`)
      const before = executionCounters(first.details.json)
      // Its own execution may be counted late.
      const moved = [...executionCounters(again.json)].find(
        ([pointer, value]) =>
          countsExecutions(pointer) && isNamedForExecutions(pointer) && value > (before.get(pointer) ?? 0) + 1,
      )
      if (moved) return fail(`Another workflow was executed, and ${moved[0]} of the first has grown.`)
      const misled = shownElsewhere(evidence)
      if (misled) return fail(misled)
      return pass('Each identifier reads and executes its own workflow.')
    },
  },
]

/** Two workflows that are created at the same time, as each can be read, if both are accepted. */
function twins(evidence: Evidence): { readonly answers: readonly Exchange[]; readonly made: readonly MadeWorkflow[] } {
  return evidence.once('twins', () => {
    const answers = [evidence.last('create twin 1'), evidence.last('create twin 2')]
    const made = answers.every(succeeded)
      ? [madeWorkflow(evidence, 'create twin 1', 'read twin 1'), madeWorkflow(evidence, 'create twin 2', 'read twin 2')]
      : []
    const first = workflow(evidence, 1)
    const [one, other] = made.map(({ id }) => String(id.value))
    // What has one identifier cannot show two names.
    for (const { sent, details } of one === other ? [] : made) mustShow(evidence, sent.name, details, first)
    return { answers, made }
  })
}

/** Says what shows that an execution was started for another workflow than the one it was asked of. */
function shownElsewhere(evidence: Evidence): string | undefined {
  const second = workflow(evidence, 2)
  const started = execution(evidence, 2)
  const { exchange } = started
  const named = membersOf(exchange.json).find(({ name }) => bare(name) === 'workflowid')
  const isComparable = bare(second.id.name) === 'workflowid' && isIdentifier(named?.value)
  const own = String(second.id.value)
  // The workflow's identifier may be part of that of its run.
  const isOwn = String(named?.value) === own || (own.length > 5 && String(named?.value).includes(own))
  if (isComparable && !isOwn) return `${label(exchange)} with ${named.name} ${show(named.value)}.`
  const { shown: firstShown } = executedDetails(evidence, 1)
  if (firstShown === 'no') throw new Broken('execute-workflow.starts-execution', 'fail', notStarted)
  if (firstShown !== 'yes') return undefined
  const listed = listedElsewhere(evidence)
  if (listed) return listed
  return shownIn(second, started, evidence.last('settle workflow 2')) === 'no'
    ? 'The execution of the second workflow does not show in its details; that of the first does.'
    : undefined
}

/** Says which details name the other workflow's execution, and not their own. */
function listedElsewhere(evidence: Evidence): string | undefined {
  const seen = executions(evidence)
  for (const { which, ids, after } of seen) {
    const texts = new Set(membersOf(after.json).map(({ value }) => String(value)))
    const names = (one: readonly (string | number)[]) =>
      one.find((id) => String(id).length > 5 && texts.has(String(id)))
    const theirs = names(seen.flatMap((other) => (other.which === which ? [] : other.ids)))
    if (theirs !== undefined && names(ids) === undefined) {
      return `${label(after)} with the execution ${show(theirs)} of another workflow, and not with its own.`
    }
  }
  return undefined
}

/** A boolean, or what stands for one where a database has none. */
function asBoolean(value: unknown): boolean | undefined {
  const text = typeof value === 'object' ? undefined : String(value).toLowerCase()
  if (text === undefined) return undefined
  if (['true', '1', 'y', 'yes'].includes(text)) return true
  return ['false', '0', 'n', 'no'].includes(text) ? false : undefined
}
