/** Learns a server function, and measures how far the mock answers like it. */
import { createMock } from '../../src/index.ts'
import { learnFrom } from '../../src/learn/learn.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { type LessonPlan, plans, type TakenLesson, takeLesson } from '../learning/lesson.ts'
import { type Likeness, measureLikeness } from '../learning/likeness.ts'
import { followIdentifiers, Places } from '../learning/roles.ts'
import type { Guess } from '../learning/sample.ts'
import { historyOf } from '../wire/record.ts'
import { Target } from '../wire/target.ts'
import { runOn } from './run-on.ts'
import type { ServerFactory } from './variants/index.ts'
import { virtualTime } from './virtual-time.ts'
import { WholeRequest, wholeServer } from './whole.ts'
import { isCall, type ServerFunction } from './wrapper.ts'

/** A server function whose clock stands still but for `advance`. */
export interface Subject {
  readonly fetch: ServerFunction
  /** Moves the clock. */
  readonly advance: (ms: number) => void
}

/** The time at which the clocks of all subjects start. */
const startTime = Date.UTC(2026, 2, 1, 9)
const apiKey = 'test_selftest'
/** The calls that a lesson sends one after the other. The others are sent at the same time. */
const making = ['createWorkflow', 'executeWorkflow', 'requestUpload'] as const
/** Milliseconds; longer than the difference that a time may have from the fact that it follows. */
const pause = 7000

/** A sound server, as `build` makes it from a mock. */
export function subject(
  build: (create: ServerFactory) => ServerFunction = (create) => create(),
  options: Parameters<typeof createMock>[0] = {},
): Subject {
  let advance: Subject['advance'] = () => {}
  const fetch = build((like) => {
    const approvers = like?.approvers ?? 'manual'
    const mock = createMock({ seed: '1', startTime, clockSpeed: 0, approvers, ...(like && { like }), ...options })
    advance = (ms) => mock.advance(ms)
    return wholeServer(mock)
  })
  return { fetch, advance: (ms) => advance(ms) }
}

/** A mock that answers like a profile. It has storage on another origin if the deployment has, as `startMock` does. */
export function subjectLike(profile: Profile): Subject {
  return subject((create) => create(profile), profile.hasStorageOrigin ? { storageOrigin: 'http://storage.test' } : {})
}

/** The profile of a subject, and how far the mock answers like it. */
export interface LearnedSubject {
  readonly profile: Profile
  readonly guesses: readonly Guess[]
  readonly likeness: Likeness
  /** The identifiers that the subject made in the session, from six characters on. */
  readonly identifiers: readonly string[]
}

/** Learns a subject from one session, and measures with another one. */
export async function learnSubject({ fetch, advance }: Subject): Promise<LearnedSubject> {
  const { log } = historyOf(await runOn(fetch))
  const places = new Places()
  const answered = log.flatMap((exchange) => ('status' in exchange ? [{ ...exchange, at: startTime }] : []))
  followIdentifiers(answered, places)
  const learning = { ...plans.learning, prefix: 'learn-k3f9a2' }
  const measuring = { ...plans.measuring, prefix: 'measure-w7q4' }
  const theirs = new Session({ fetch, advance }, places)
  const { exchanges, preflights } = await theirs.take(learning)
  const heldOut = await theirs.take(measuring)
  const { profile, lesson } = await learnFrom(exchanges, { apiKey, places, probes: answered, preflights })
  const ours = await new Session(subjectLike(profile), places).take(measuring)
  const identifiers = followIdentifiers(exchanges, places).flatMap(({ roles }) => Object.values(roles))
  return {
    profile,
    guesses: lesson.guesses,
    likeness: measureLikeness(heldOut.exchanges, ours.exchanges),
    identifiers: [...new Set(identifiers)].filter((id) => id.length >= 6),
  }
}

/** Takes lessons on a subject, and moves its clock when it has made something and no call is under way. */
class Session {
  readonly #places: Places
  readonly #target: Target
  #clock = startTime
  #open = 0
  #made = 0

  constructor(one: Subject, places: Places) {
    this.#places = places
    const fetch: ServerFunction = async (request) => {
      this.#open += 1
      const response = await one.fetch(request)
      this.#open -= 1
      if (response.ok && isCall(request, ...making)) this.#made += 1
      if (this.#open === 0 && this.#made > 0) {
        one.advance(pause * this.#made)
        this.#clock += pause * this.#made
        this.#made = 0
      }
      return response
    }
    this.#target = new Target({
      url: 'http://selftest.test',
      apiKey,
      fetch,
      Request: WholeRequest,
      time: { ...virtualTime(), date: () => this.#clock },
    })
  }

  take(plan: LessonPlan): Promise<TakenLesson> {
    return takeLesson(plan, { target: this.#target, places: this.#places, settleMs: 10_000 })
  }
}
