/** Draws sessions for `compare --explore`. The build bundles this file with fast-check, which is not installed with the package. */
import { type Arbitrary, array, boolean, constant, constantFrom, nat, oneof, record, sample } from 'fast-check'
import {
  type DrawnCall,
  type ExploredCall,
  manners,
  type PlannedCall,
  planSession,
} from '../../conformance/explore/plan.ts'

/** The calls of a session. */
const lengths = { minLength: 10, maxLength: 14 }

/** Calls that use something are drawn more often than those that make it. */
const calls: readonly ExploredCall[] = [
  ...(['createWorkflow', 'requestUpload'] as const).flatMap((call) => [call, call]),
  ...(['getWorkflow', 'putObject', 'confirmUpload', 'executeWorkflow'] as const).flatMap((call) => [call, call, call]),
]

const drawnCall: Arbitrary<DrawnCall> = constantFrom(...calls).chain((call) =>
  record({
    call: constant(call),
    manner: oneof({ weight: 2, arbitrary: constant(0) }, { weight: 1, arbitrary: nat(manners[call].length - 1) }),
    back: oneof({ weight: 3, arbitrary: constant(0) }, { weight: 2, arbitrary: nat(3) }),
    isEarly: boolean(),
  }),
)

/** Returns enough sessions for a number of requests to two sides. They follow from the seed. */
export function drawSessions(seed: number, requests: number): PlannedCall[][] {
  const numRuns = Math.ceil(requests / (2 * lengths.minLength)) + 1
  return sample(array(drawnCall, { ...lengths, size: 'max' }), { seed, numRuns }).map(planSession)
}
