/** Creating and reading workflows: interface.md sections 2, 4.1 and 4.3. */

import type { Flow } from '../flow/flow.ts'
import { countsExecutions, executionCounters, isNamedForExecutions } from '../reading/counters.ts'
import { echoOf, fieldOf, sentField, textsIn } from '../reading/echo.ts'
import { at, bare, identifierCandidates, isIdentifier, membersOf } from '../reading/locate.ts'
import { executionShown } from '../reading/progress.ts'
import { type Exchange, label, succeeded } from '../wire/exchange.ts'
import { Broken, type Check, fail, notShown, pass } from './check.ts'
import { comesAbout, notStarted, show, telling } from './shared.ts'
import { accentedName, nameLimit, refusal, shownName } from './workflow-name.ts'

const created = async (flow: Flow) => (await flow.workflow(1)).created
const read = async (flow: Flow) => (await flow.workflow(1)).details

/** Where an answer shows a field that was sent. An envelope may have a description of its own, but hardly a flag. */
function placeIn({ json }: Exchange, field: string, sent: object) {
  return field === 'isSequential' ? fieldOf(echoOf(json), field) : sentField(echoOf(json), field, sent)
}

/** What is shown of a workflow's field, in the answer to creating it or in its details; the later counts. */
async function shown(flow: Flow, which: 1 | 2, field: string) {
  const { created, details, sent } = await flow.workflow(which)
  return placeIn(details, field, sent) ?? placeIn(created, field, sent)
}

/** What is shown of a field of both workflows, and of the first after its execution too, where it was shown before. */
async function shownEverywhere(flow: Flow, field: 'description' | 'isSequential') {
  const { sent, details } = await flow.workflow(1)
  const first = await shown(flow, 1, field)
  // Where these do not come about, other checks say why.
  const second = await flow.workflow(2).catch(() => undefined)
  const executed = await flow.executedDetails().catch(() => undefined)
  const place = placeIn(details, field, sent)
  const after = place && executed ? at(executed.after.json, place.pointer) : undefined
  const found = [
    { sent, value: first?.value },
    { sent, value: after },
    ...(second ? [{ sent: second.sent, value: (await shown(flow, 2, field))?.value }] : []),
  ]
  return found.filter(({ value }) => value !== undefined)
}

export const workflowChecks: readonly Check[] = [
  comesAbout('api.paths-relative-to-base', created),
  {
    id: 'api.under-api-v1',
    async run(flow) {
      await flow.reach()
      return pass('Service calls are found below /api/v1.')
    },
  },
  comesAbout('create-workflow.method-and-path', created),
  {
    id: 'workflow.defines-approval-steps',
    async run(flow) {
      const { created, details } = await flow.workflow(1)
      const lost = [created, details].find(({ json }) => echoOf(json).steps?.length === 0)
      return lost ? fail(`${label(lost)} with a workflow of no steps.`) : pass(`${label(created)}.`)
    },
  },
  comesAbout('api.request-bodies-are-json', created),
  comesAbout('api.json-content-type', async (flow) => {
    await created(flow)
    await flow.document(1).requested()
    return (await flow.execution(1)).exchange
  }),
  {
    id: 'get-workflow.method-and-path',
    async run(flow) {
      const [first, second] = [await flow.workflow(1), await flow.workflow(2)]
      await flow.execution(1)
      const { after } = await flow.executedDetails()
      for (const [{ sent }, answer] of [
        [first, after],
        [second, second.details],
      ] as const) {
        const name = await shownName(flow, answer)
        if (name !== undefined && name !== sent.name) {
          return fail(`${label(answer)} with the details of ${show(name)}, not of ${show(sent.name)}.`)
        }
      }
      await twins(flow)
      return pass(`${label(after)}.`)
    },
  },
  comesAbout('get-workflow.no-request-body', read),
  {
    id: 'workflow.name',
    async run(flow) {
      await flow.workflow(2)
      const { sent, details, created } = await flow.workflow(1)
      const textsOf = (json: unknown) => membersOf(json).map(({ value }) => value)
      const isValue = (value: unknown) => value === null || typeof value !== 'object'
      // The details count, where they show a name; the answer to creating may but repeat what was sent.
      const read = fieldOf(echoOf(details.json), 'name')
      const isLost = read && isValue(read.value) && !textsOf(details.json).includes(sent.name)
      if (!isLost && textsOf([created.json, details.json]).includes(sent.name)) {
        const accented = await accentedName(flow)
        return accented ?? pass('The name is shown as it was sent.')
      }
      const name = read ?? fieldOf(echoOf(created.json), 'name')
      return name && isValue(name.value)
        ? fail(`The workflow was named ${show(sent.name)}, and is shown as ${show(name.value)}.`)
        : pass('The name was accepted; it is not shown again.')
    },
  },
  {
    id: 'workflow.description',
    async run(flow) {
      const descriptions = await shownEverywhere(flow, 'description')
      if (descriptions.length === 0) return pass('The description was accepted; it is not shown again.')
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
    async run(flow) {
      // Where the second workflow is refused for it, that shows here.
      await flow.workflow(2)
      const other = (await shownEverywhere(flow, 'isSequential')).find(
        ({ value, sent }) => asBoolean(value) !== sent.isSequential,
      )
      return other === undefined
        ? pass('true and false were accepted, and nothing else is shown.')
        : fail(`isSequential was sent as ${other.sent.isSequential}, and is shown as ${show(other.value)}.`)
    },
  },
  {
    id: 'workflow.is-sequential-default-true',
    async run(flow) {
      await flow.workflow(1)
      const { isSequential, ...body } = flow.samples.workflow()
      const answer = await flow.create(body)
      if (!succeeded(answer)) return refusal(flow, answer, 'a workflow without isSequential')
      const { details } = await flow.read(answer, body)
      const member = fieldOf(echoOf(details.json), 'isSequential') ?? fieldOf(echoOf(answer.json), 'isSequential')
      if (!member) return notShown('The deployment does not show isSequential.')
      return asBoolean(member.value) === true
        ? pass('It is shown as true.')
        : fail(`It is shown as ${show(member.value)}.`)
    },
  },
  { id: 'workflow.name-at-most-100', run: nameLimit },
  {
    id: 'workflow.ids-differ',
    async run(flow) {
      const [first, second] = [await flow.workflow(1), await flow.workflow(2)]
      if (String(second.id.value) === String(first.id.value)) {
        return fail(`Two workflows are identified by ${show(first.id.value)}.`)
      }
      const { answers, made } = await twins(flow)
      answers.map(telling)
      const [one, other] = made
      return one && other && String(one.id.value) === String(other.id.value)
        ? fail(`Two workflows that are created at the same time are identified by ${show(one.id.value)}.`)
        : pass('Two workflows have two identifiers.')
    },
  },
  {
    id: 'execute-workflow.identifies-created-workflow',
    async run(flow) {
      const [first, second] = [await flow.workflow(1), await flow.workflow(2)]
      for (const [mine, other] of [
        [first, second],
        [second, first],
      ] as const) {
        const texts = membersOf(mine.details.json).map(({ value }) => value)
        if (texts.includes(other.sent.name) && !texts.includes(mine.sent.name)) {
          return fail(`The details of ${show(mine.id.value)} are those of ${show(other.id.value)}.`)
        }
      }
      const { json } = await flow.bystander()
      const counted = executionCounters(second.details.json)
      const grown = [...executionCounters(json)].find(
        ([pointer, value]) => isNamedForExecutions(pointer) && value > (counted.get(pointer) ?? 0),
      )
      if (grown) return fail(`Another workflow was executed, and ${grown[0]} of this one has grown.`)
      await flow.execution(2)
      const readAgain = () => flow.target.getWorkflow(String(first.id.value))
      const again = telling(await flow.settling.until(readAgain, succeeded))
      if (!succeeded(again)) return fail(`${label(again)} after another workflow was executed.`)
      const mixUp = flow.mixUp(first.sent.name, again, first)
      if (mixUp) return fail(`${mixUp}.`)
      const before = executionCounters(first.details.json)
      // Its own execution may be counted late.
      const moved = [...executionCounters(again.json)].find(
        ([pointer, value]) =>
          countsExecutions(pointer) && isNamedForExecutions(pointer) && value > (before.get(pointer) ?? 0) + 1,
      )
      if (moved) return fail(`Another workflow was executed, and ${moved[0]} of the first has grown.`)
      const misled = await shownElsewhere(flow)
      if (misled) return fail(misled)
      return pass('Each identifier reads and executes its own workflow.')
    },
  },
]

/** Two workflows that are created at the same time, as each can be read, if both are accepted. */
const twins = (flow: Flow) =>
  flow.once('twins', async () => {
    const sent = [flow.samples.workflow(), flow.samples.workflow()]
    const answers = await Promise.all(sent.map((body) => flow.create(body)))
    const made = answers.every(succeeded)
      ? await Promise.all(answers.map((answer, index) => flow.read(answer, sent[index] ?? {})))
      : []
    const first = await flow.workflow(1)
    const [one, other] = made.map(({ id }) => String(id.value))
    // What has one identifier cannot show two names.
    for (const [index, { details }] of made.entries()) {
      if (one !== other) flow.mustShow(sent[index]?.name ?? '', details, first)
    }
    return { answers, made }
  })

/** What shows that an execution was started for another workflow than the one it was asked of. */
async function shownElsewhere(flow: Flow): Promise<string | undefined> {
  const second = await flow.workflow(2)
  const { exchange, documentId } = await flow.execution(2)
  const named = membersOf(exchange.json).find(({ name }) => bare(name) === 'workflowid')
  const isComparable = bare(second.id.name) === 'workflowid' && isIdentifier(named?.value)
  const own = String(second.id.value)
  // The workflow's identifier may be part of that of its run.
  const isOwn = String(named?.value) === own || (own.length > 5 && String(named?.value).includes(own))
  if (isComparable && !isOwn) {
    return `${label(exchange)} with ${named.name} ${show(named.value)}.`
  }
  const { shown: firstShown } = await flow.executedDetails()
  if (firstShown === 'no') throw new Broken('execute-workflow.starts-execution', 'fail', notStarted)
  if (firstShown !== 'yes') return undefined
  const executionId = identifierCandidates(exchange.json, 'execution')[0]?.value
  const ids = [executionId, documentId].filter((one) => one !== undefined)
  const isShown = (json: unknown) => executionShown(second.details.json, json, ids) !== 'no'
  const read = () => flow.target.getWorkflow(String(second.id.value))
  const { json } = await flow.settling.until(read, (answer) => isShown(answer.json))
  return isShown(json)
    ? undefined
    : 'The execution of the second workflow does not show in its details; that of the first does.'
}

/** A boolean, or what stands for one where a database has none. */
function asBoolean(value: unknown): boolean | undefined {
  const text = typeof value === 'object' ? undefined : String(value).toLowerCase()
  if (text === undefined) return undefined
  if (['true', '1', 'y', 'yes'].includes(text)) return true
  return ['false', '0', 'n', 'no'].includes(text) ? false : undefined
}
