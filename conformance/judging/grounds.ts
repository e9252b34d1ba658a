/** Decides which grounds suffice for a failure. Checks only state the ground. */
import { locatorFor } from '../evidence/locators.ts'
import { type Ground, type GroundName, groundName } from '../reading/finding.ts'
import type { Observation } from './check.ts'

/** True if a failure on a ground counts. Otherwise the check is undecided. */
export const mayAccuse: Readonly<Record<GroundName, boolean>> = {
  /** A place whose value follows the sent one in samples that differ, or works when it is used. */
  proven: true,
  /** A place with the contract's own name, beside proven places of the same object. */
  named: true,
  /** A call was carried out or refused, unlike its control. */
  outcome: true,
  /** The answer does not contain the value: every part of it is explained as something else. */
  absent: true,
  /** A place that is recognized only by vocabulary, position or shape. */
  likely: false,
}

/** Turns a failure into an inconclusive observation if its ground does not suffice. Returns all others unchanged. */
export function applyGround<Seen extends Pick<Observation, 'verdict' | 'message' | 'ground'>>(observation: Seen): Seen {
  const { verdict, message, ground } = observation
  if (verdict !== 'fail' || ground === undefined || mayAccuse[groundName(ground)]) return observation
  return { ...observation, verdict: 'inconclusive', message: `${message} ${describeDoubt(ground)}` }
}

function describeDoubt(ground: Ground): string {
  if (typeof ground === 'string') return 'This ground does not suffice for a failure.'
  const { what, answer, place, rule } = ground
  const where = answer === undefined ? place : `${place} of ${answer}`
  const locator = locatorFor(what)
  const advice = locator === undefined ? '' : `; set locators.${locator} in a profile`
  return `That ${where} is ${what} is only likely (${rule})${advice}.`
}
