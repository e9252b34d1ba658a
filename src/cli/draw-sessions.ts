/** Draws sessions for `compare --explore`. The build bundles this file with fast-check, which is not installed with the package. */
import { type Arbitrary, boolean, constant, constantFrom, nat, oneof, record, sample } from 'fast-check'
import { Coverage } from '../../conformance/explore/coverage.ts'
import {
  type DrawnCall,
  type ExploredCall,
  type MannerOf,
  manners,
  type PlannedCall,
} from '../../conformance/explore/plan.ts'

/** The calls of a session, and the drawn ones that each is chosen from. */
const [length, choices] = [24, 16]

/** Calls that use something are drawn more often than those that make it. */
const calls: readonly ExploredCall[] = [
  ...(['createWorkflow', 'requestUpload'] as const).flatMap((call) => [call, call]),
  ...(['getWorkflow', 'putObject', 'confirmUpload', 'executeWorkflow'] as const).flatMap((call) => [call, call, call]),
]

/** Draws a member of the body first, so that those with many boundaries do not crowd out the others. */
function drawValue(values: readonly MannerOf[]): Arbitrary<MannerOf> {
  const members = new Map<string, MannerOf[]>()
  for (const value of values) {
    const [member = ''] = value.name.split(/[.:]/)
    members.set(member, [...(members.get(member) ?? []), value])
  }
  return oneof(...[...members.values()].map((group) => constantFrom(...group)))
}

/** Draws how a call is sent: most often soundly. */
function drawManner(call: ExploredCall): Arbitrary<MannerOf> {
  const { relations, values } = manners[call]
  const [sound, ...others] = relations
  const weighted = [
    { weight: 10, arbitrary: constantFrom(...[sound].filter((one) => one !== undefined)) },
    { weight: 4, arbitrary: constantFrom(...others) },
  ]
  if (values.length > 0) {
    weighted.push({ weight: 3, arbitrary: drawValue(values.filter(({ isSound }) => isSound)) })
    weighted.push({ weight: 2, arbitrary: drawValue(values.filter(({ isSound }) => !isSound)) })
  }
  return oneof(...weighted)
}

const drawnCall: Arbitrary<DrawnCall> = oneof(
  ...calls.map((call) =>
    record({
      call: constant(call),
      manner: drawManner(call),
      back: oneof({ weight: 2, arbitrary: constant(0) }, { weight: 3, arbitrary: nat(5) }),
      isEarly: boolean(),
    }),
  ),
)

/** Returns enough sessions for a number of requests to two sides. The same seed returns the same sessions. */
export function drawSessions(seed: number, requests: number): PlannedCall[][] {
  const sessions = Math.ceil(requests / (2 * length)) + 1
  const drawn = sample(drawnCall, { seed, numRuns: sessions * length * choices })
  const coverage = new Coverage()
  return Array.from({ length: sessions }, (_, at) =>
    coverage.planSession(drawn.slice(at * length * choices, (at + 1) * length * choices), choices),
  )
}
