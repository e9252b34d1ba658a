/** Times of the steps of executions that have ended, as a deployment with slow approvers shows them. */
import { decides } from './decisions.ts'
import { mapMembers } from './json.ts'
import { bodyOf, changeAnswers, compose, isCall, jsonOf, type Members, type Wrapper, wrap } from './wrapper.ts'

/** The seconds that each of the first steps takes, by its order. */
const lengths = [40, 55, 70]

/** The start and the end of a step, in seconds since the start of the execution. `place` is that of its order. */
export type StepTimes = (place: number, isSequential: boolean) => readonly [start: number, end: number]

const lengthOf = (place: number) => lengths[place] ?? 40
const startInTurn = (place: number) =>
  Array.from({ length: place }, (_, one) => lengthOf(one)).reduce((a, b) => a + b, 0)

/** Steps of sequential workflows begin at the end of the one before, all others at once. */
export const stepsInTurn: StepTimes = (place, isSequential) => {
  const start = isSequential ? startInTurn(place) : 0
  return [start, start + lengthOf(place)]
}

/** Starts that are those of the execution, since a step waits in a queue until it is its turn. */
export const queued: StepTimes = (place, isSequential) => [0, stepsInTurn(place, isSequential)[1]]

/** The same, rounded down to minutes. */
export const inMinutes: StepTimes = (place, isSequential) => {
  const [start, end] = stepsInTurn(place, isSequential).map((seconds) => 60 * Math.floor(seconds / 60))
  return [start ?? 0, end ?? 0]
}

/** Shows times of approved steps, and approves all steps after each read. */
export const showsTimes = (times: StepTimes): Wrapper => compose(decides('all at once'), changeTimes(times))

/** Shows times of steps as seconds since the start of the execution, or of the step. */
export const countsFrom = (start: 'execution' | 'step'): Wrapper =>
  changeAnswers(['executeWorkflow', 'getWorkflow'], (body) =>
    mapMembers(body, (name, value) => [
      name,
      name === 'steps' && Array.isArray(value) ? value.map((step) => inSeconds(step, start)) : value,
    ]),
  )

function inSeconds({ assigned_at, decided_at, ...step }: Members, start: 'execution' | 'step'): Members {
  if (typeof assigned_at !== 'string' || typeof decided_at !== 'string') return step
  const zero = start === 'step' ? Date.parse(assigned_at) : begun
  const since = (time: string) => (Date.parse(time) - zero) / 1000
  return { ...step, begin_seconds: since(assigned_at), end_seconds: since(decided_at) }
}

/** The start of all executions. */
const begun = Date.parse('2026-03-01T09:00:00Z')

function changeTimes(times: StepTimes): Wrapper {
  const sequential = new Map<string, boolean>()
  const learn = wrap(async (request, inner) => {
    const { isSequential = true } = isCall(request, 'createWorkflow') ? ((await bodyOf(request)) ?? {}) : {}
    const response = await inner(request)
    if (isCall(request, 'createWorkflow') && response.ok) {
      sequential.set(String((await jsonOf(response))?.workflow_id), isSequential === true)
    }
    return response
  })
  const show = changeAnswers(['executeWorkflow', 'getWorkflow'], (body) => {
    const isSequential = sequential.get(String(body.workflow_id)) ?? true
    return mapMembers(body, (name, value) => [
      name,
      name === 'steps' && Array.isArray(value) ? value.map((step) => timed(step, value, times, isSequential)) : value,
    ])
  })
  return compose(learn, show)
}

function timed(step: Members, all: readonly Members[], times: StepTimes, isSequential: boolean): Members {
  if (typeof step.decided_at !== 'string' || typeof step.assigned_at !== 'string') return step
  const place = all.filter(({ order }) => Number(order) < Number(step.order)).length
  const [start, end] = times(place, isSequential)
  const at = (seconds: number) => new Date(begun + seconds * 1000).toISOString()
  return { ...step, assigned_at: at(start), decided_at: at(end) }
}
