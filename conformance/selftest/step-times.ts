/** Times of the steps of executions that have ended, as a deployment with slow approvers shows them. */
import type { Schemas } from '../../src/contract/operations.ts'
import { decides } from './decisions.ts'
import { changeNamed } from './json.ts'
import { changeByPast, changeExecutions, compose, createdAs, type Wrapper } from './wrapper.ts'

type Step = Schemas['ExecutionStep']

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
  const [start, end] = stepsInTurn(place, isSequential)
  return [60 * Math.floor(start / 60), 60 * Math.floor(end / 60)]
}

/** The start of all executions. */
const begun = Date.parse('2026-03-01T09:00:00Z')

/** Shows times of steps as seconds since the start of the execution, or of the step. */
export const countsFrom = (start: 'execution' | 'step'): Wrapper =>
  changeExecutions(
    changeNamed('steps', (steps: readonly Step[]) =>
      steps.map(({ assigned_at, decided_at, ...step }) => {
        if (!assigned_at || !decided_at) return step
        const zero = start === 'step' ? Date.parse(assigned_at) : begun
        const since = (time: string) => (Date.parse(time) - zero) / 1000
        return { ...step, begin_seconds: since(assigned_at), end_seconds: since(decided_at) }
      }),
    ),
  )

/** Shows times of approved steps, and approves all steps after each read. */
export const showsTimes = (times: StepTimes): Wrapper =>
  compose(
    decides('all at once'),
    changeByPast(['executeWorkflow', 'getWorkflow'], (body, past) => {
      const { isSequential = true } = createdAs(body, past) ?? {}
      const timed = (step: Step, _: number, all: readonly Step[]) => {
        const place = all.filter(({ order }) => order < step.order).length
        const [start, end] = times(place, isSequential === true)
        const at = (seconds: number) => new Date(begun + seconds * 1000).toISOString()
        return step.assigned_at && step.decided_at ? { ...step, assigned_at: at(start), decided_at: at(end) } : step
      }
      return changeNamed('steps', (steps: readonly Step[]) => steps.map(timed))(body)
    }),
  )
