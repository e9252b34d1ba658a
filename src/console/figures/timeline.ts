import type { Answer, Schemas } from '../../contract/operations.ts'

type Step = Schemas['ExecutionStep']
type Times = Answer<'readExecution'>['body']['times'][number]

/** A part of a step's time. */
export interface Segment {
  readonly kind: 'waiting' | 'working' | 'planned'
  readonly from: number
  readonly to: number
}

/** Returns the parts of a step's time in milliseconds since 1970: waiting for its approver, being worked on, and planned. */
export function segmentsOf(step: Step, times: Times | undefined, now: number): Segment[] {
  if (step.assigned_at === null) return []
  const at = (time: string | null | undefined) => (time ? Date.parse(time) : undefined)
  const from = Date.parse(step.assigned_at)
  const decided = at(step.decided_at)
  const to = Math.max(from, decided ?? now)
  const takenUp = Math.min(Math.max(from, at(times?.taken_up_at) ?? to), to)
  const due = decided === undefined && step.status === 'assigned' ? at(times?.due_at) : undefined
  const all: Segment[] = [
    { kind: 'waiting', from, to: takenUp },
    { kind: 'working', from: takenUp, to },
    { kind: 'planned', from: to, to: due ?? to },
  ]
  return all.filter((segment) => segment.to > segment.from)
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const distances = [
  ...[1, 5, 15, 30].map((count) => count * second),
  ...[1, 5, 15, 30].map((count) => count * minute),
  ...[1, 2, 4, 8, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 28, 91, 364].map((count) => count * day),
]

/** Returns at most `most` round times since `from`, as distances from it in milliseconds. */
export function ticksOf(from: number, to: number, most = 6): number[] {
  const span = Math.max(0, to - from)
  const distance = distances.find((one) => span / one < most) ?? span
  if (distance <= 0) return [0]
  return Array.from({ length: Math.floor(span / distance) + 1 }, (_, index) => index * distance)
}
