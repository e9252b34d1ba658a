/** Says whether a deployment still answers as its profile does. */
import { plans, takeLesson } from '../../conformance/learning/lesson.ts'
import type { Difference } from '../../conformance/learning/likeness.ts'
import { parentOf } from '../../conformance/reading/locate.ts'
import { discoverPlaces } from '../../conformance/replay/deployment.ts'
import { groupsOf } from '../../conformance/replay/rows.ts'
import type { RunOptions } from '../../conformance/run/runner.ts'
import { callOfExchange } from '../../conformance/session/calls.ts'
import { Secrets } from '../../conformance/wire/secrets.ts'
import { Target } from '../../conformance/wire/target.ts'
import { operations } from '../contract/operations.gen.ts'
import { partAt } from '../profile/places.ts'
import type { Profile } from '../profile/profile.ts'
import { measure } from './learn.ts'
import { withoutSecrets } from './without-secrets.ts'

/** A place at which a deployment no longer answers as its profile does. */
export interface Drift {
  /** The call and the place, such as `getWorkflow /body/metrics/rate`. */
  readonly place: string
  /** What the profile shows there: the pointer to a fact, such as `/answer/execution_metrics/success_rate`. */
  readonly shows?: string
  readonly difference: Difference
  /** The number of answers in which it differs. */
  readonly count: number
}

export interface CheckOptions extends RunOptions {
  readonly profile: Profile
}

/** The result of a check. */
export interface Checked {
  readonly drifts: readonly Drift[]
  /** The number of places that were compared. */
  readonly places: number
  readonly requests: number
  readonly leftBehind: readonly string[]
  readonly missed: readonly string[]
}

/** The most sessions that are sent: what differs in all of them is no chance. */
const mostSessions = 2

/**
 * Sends the session that a profile is measured with, and compares the answers with those of a mock that answers like the profile. What
 * differs is looked at in a second session. Places at which they differed when the profile was learned are left out. Throws `Undecided`
 * if nothing answers.
 */
export async function checkProfile({ profile, ...options }: CheckOptions): Promise<Checked> {
  const found = await discoverPlaces({ ...options, profile })
  const target = new Target(options)
  const secrets = new Secrets(options, target.transport)
  const settleMs = (profile.settleSeconds ?? 10) * 1000
  const known = new Set(profile.learned?.differs)
  const missed: string[] = []
  let [drifts, places]: [Drift[], number] = [[], 0]
  for (let session = 1; session <= mostSessions; session += 1) {
    const prefix = `learn-${crypto.randomUUID().slice(0, 8)}-c${session}`
    const lesson = await takeLesson({ ...plans.measuring, prefix }, { target, places: found.places, settleMs })
    const exchanges = lesson.exchanges.map((exchange) => withoutSecrets(exchange, secrets.keys))
    missed.push(...lesson.missed, ...neverAccepted(profile, exchanges))
    const likeness = await measure(profile, exchanges, { places: found.places, prefix })
    places = likeness.places
    const now = [...byPlace(likeness.differences, exchanges)].flatMap(([place, [first, ...others]]): Drift[] => {
      if (!first || known.has(place)) return []
      const shows = factShownAt(profile, place)
      return [{ place, ...(shows !== undefined && { shows }), difference: first, count: others.length + 1 }]
    })
    drifts = session === 1 ? now : now.filter(({ place }) => drifts.some((one) => one.place === place))
    if (drifts.length === 0) break
  }
  return {
    drifts: secrets.redactor.deep(drifts),
    places,
    requests: found.sent + target.transport.sent,
    leftBehind: secrets.redactor.deep([...found.leftBehind, ...target.leftBehind]),
    missed: secrets.redactor.deep(missed),
  }
}

/** Names the calls of the contract that the profile has answers for, and that the session made in vain: a locator may be wrong. */
function neverAccepted({ answers = {} }: Profile, exchanges: readonly Sent[]): string[] {
  const accepted = exchanges.filter(({ status }) => status < 400).map(callOfExchange)
  return Object.keys(answers)
    .filter((call) => call in operations && !accepted.some((one) => one === call))
    .map((call) => `${call} was never accepted; check the locators of the profile`)
}

type Sent = Parameters<typeof withoutSecrets>[0]

/** Names the places at which a deployment and a mock differ, so that they are the same for other data. */
export const placesOf = (...found: Parameters<typeof byPlace>) => [...byPlace(...found).keys()].toSorted()

function byPlace(
  differences: readonly Difference[],
  exchanges: readonly (Sent & { readonly name: string })[],
): ReadonlyMap<string, readonly Difference[]> {
  const byName = new Map(exchanges.map((exchange) => [exchange.name, exchange]))
  const named = differences.map((one) => ({ one, place: placeOf(one, byName.get(one.call)) }))
  const groups = groupsOf(named, ({ place }) => place)
  return new Map(groups.map((same) => [same[0]?.place ?? '', same.map(({ one }) => one)]))
}

function placeOf({ call, pointer }: Difference, exchange: Sent | undefined): string {
  const name = exchange && callOfExchange(exchange)
  const refused = exchange && exchange.status >= 400 ? ' refused' : ''
  // What has digits is an index, or the name of a thing.
  return `${name ?? call.replaceAll(/\d+/g, '*')}${refused} ${pointer.replaceAll(/\/[^/]*\d[^/]*/g, '/*')}`
}

/** Returns the pointer to the fact that a profile shows at a place, or a part of the fact that it shows around that place. */
function factShownAt({ answers = {} }: Profile, place: string): string | undefined {
  const [call = '', pointer = ''] = place.split(' ')
  const template = Object.entries(answers).find(([name]) => name === call)?.[1]
  if (template === undefined) return undefined
  for (let at = pointer; at !== ''; at = parentOf(at)) {
    const part = partAt(template, at)
    if (part === undefined || part === null || typeof part !== 'object') continue
    const [, fact] = Object.entries(part).find(([name]) => name === '$' || name === '$time' || name === '$each') ?? []
    return typeof fact === 'string' ? fact + pointer.slice(at.length) : undefined
  }
  return undefined
}
