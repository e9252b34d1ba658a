/** Learns a deployment that can be called: finds its places, sends a lesson, and measures the result with another one. */

import { activeHeadersIn, type Lesson } from '../../conformance/learning/learn.ts'
import {
  beginLesson,
  type LessonExchange,
  plans,
  type TakenLesson,
  takeLesson,
} from '../../conformance/learning/lesson.ts'
import type { Likeness } from '../../conformance/learning/likeness.ts'
import { followIdentifiers, Places } from '../../conformance/learning/roles.ts'
import { type LearnedRow, learnedTable, questionsIn } from '../../conformance/learning/table.ts'
import type { RunResult } from '../../conformance/report/result.ts'
import { type RunOptions, run } from '../../conformance/run/runner.ts'
import { bounded } from '../../conformance/session/bounds.ts'
import type { TimedExchange } from '../../conformance/session/calls.ts'
import type { Exchange } from '../../conformance/wire/exchange.ts'
import { noServiceIn } from '../../conformance/wire/no-service.ts'
import { historyOf } from '../../conformance/wire/record.ts'
import { Redactor } from '../../conformance/wire/redact.ts'
import { Secrets } from '../../conformance/wire/secrets.ts'
import { Target } from '../../conformance/wire/target.ts'
import { defaultMaxMs, defaultMaxRequests } from '../../conformance/wire/transport.ts'
import type { LocatorName, Profile } from '../profile/profile.ts'
import { harOf } from '../session/har.ts'
import { version } from '../version.gen.ts'
import { placesOf } from './check.ts'
import { learnFrom, measure } from './learn.ts'
import { credentialHeadersOf, withoutSecrets } from './without-secrets.ts'

export interface LearnOptions extends RunOptions {
  /** A session of the same deployment that was recorded elsewhere, to learn from as well. */
  readonly recorded?: readonly TimedExchange[]
  /** Called when another part begins. */
  readonly onStage: (stage: string, sent: number) => void
}

/** The results of learning a deployment, without secrets. */
export interface LearnedDeployment {
  readonly lesson: Pick<Lesson, 'seen' | 'guesses'>
  /** The session as HAR 1.2; absent if it was recorded elsewhere. */
  readonly session?: object
  readonly profile: Profile
  readonly table: readonly LearnedRow[]
  /** Absent if there was no session to measure with, or none of its calls was answered. */
  readonly likeness?: Likeness
  /** Why calls got no usable answer, once for each. */
  readonly missed: readonly string[]
  readonly requests: number
  /** The names of headers that make browsers act, and are not learned. */
  readonly leftOut: readonly string[]
  readonly leftBehind: readonly string[]
  /** The headers of answers that the profile leaves out, since they are credentials. */
  readonly leftOutHeaders: readonly string[]
}

/** Throws an `Undecided` if nothing answers, and an error that says why, and what to do, if no call is accepted. */
export async function learnDeployment(given: LearnOptions): Promise<LearnedDeployment> {
  const { onStage, recorded = [], ...options } = given
  onStage('finding identifiers and places', 0)
  const target = patientTarget(options)
  const places = new Places()
  const lessonOptions = { target, places, settleMs: (options.profile?.settleSeconds ?? 10) * 1000 }
  const prefix = `learn-${crypto.randomUUID().slice(0, 8)}`
  // Before the suite creates many workflows: lists may show only the oldest, or the newest.
  const goOn = await beginLesson({ ...plans.learning, prefix: `${prefix}-a1` }, lessonOptions)
  const result = await run({
    ...options,
    tries: 1,
    onProgress: ({ sent }) => onStage('finding identifiers and places', target.transport.sent + sent),
  })
  const secrets = new Secrets(options, target.transport)
  const answered = answeredIn(result, target, secrets)
  const probes = withTimes(answered)
  followIdentifiers(probes, places)
  const apiKey = secrets.keys.text(options.apiKey)
  const sentBefore = result.requests.sent
  const stage = (name: string) => onStage(name, sentBefore + target.transport.sent)
  const clean = ({ exchanges }: TakenLesson) => {
    for (const { headers } of exchanges) secrets.keys.addIssued(headers)
    return exchanges.map((exchange): LessonExchange => withoutSecrets(exchange, secrets.keys))
  }
  stage('sampling every answer')
  const lesson = await goOn()
  stage('sampling other data, to measure with')
  const other = await takeLesson({ ...plans.measuring, prefix: `${prefix}-b2` }, lessonOptions)
  const measuring = clean(other)
  const hints = { ...hintsOf(options.profile ?? {}, result, places), ...delaysOf(lesson) }
  const older = recorded.map((exchange) => withoutSecrets(exchange, secrets.keys))
  const learnNow = async () => {
    const learning = clean(lesson)
    const learnOptions = { apiKey, hints, places, probes, preflights: lesson.preflights }
    return { learned: await learnFrom([...older, ...learning], learnOptions), learning }
  }
  // While executions may go on, there is time to learn from what was seen so far.
  const soFar = await learnNow()
  await lesson.readAtEnd()
  stage('comparing')
  const isSame = soFar.learning.length === lesson.exchanges.length
  const { learned, learning } = isSame ? soFar : await learnNow()
  const profile = secrets.keys.deep(learned.profile)
  const likeness = await measure(profile, measuring, { places, prefix: `${prefix}-b2`, others: [probes, learning] })
  const table = learnedTable(result.gaps, learned.lesson, profile)
  return {
    profile: withFindings(profile, table, placesOf(likeness.differences, measuring)),
    table,
    ...(likeness.places > 0 && { likeness: secrets.redactor.deep(likeness) }),
    missed: secrets.redactor.deep([...lesson.missed, ...other.missed]),
    requests: sentBefore + target.transport.sent,
    leftOut: activeHeadersIn([...answered, ...recorded, ...lesson.exchanges]),
    lesson: lessonOf(learned.lesson),
    session: harOf([...learning, ...measuring], { redact: (text) => secrets.redactor.text(text), creator }),
    leftBehind: [...result.leftBehind, ...secrets.redactor.deep([...target.leftBehind])],
    leftOutHeaders: credentialHeadersOf([...lesson.exchanges, ...recorded]),
  }
}

/** Returns a target for the lessons, which wait while the suite runs, and longer beside a rate limit. */
function patientTarget(options: RunOptions): Target {
  const { maxMs = defaultMaxMs, maxRequests = defaultMaxRequests } = options
  return new Target({ ...options, maxMs: 2 * maxMs, maxRequests: 2 * maxRequests })
}

/** Returns the answers of a run. Throws an error that says why if no service has answered. */
function answeredIn(result: RunResult, { url, transport }: Target, { redactor }: Secrets): Exchange[] {
  const answered = historyOf(result).log.filter((entry) => 'status' in entry)
  const noService = noServiceIn([...transport.log, ...answered])
  if (noService) throw new Error(redactor.text(`${url}: ${noService.why}. Nothing was written.`))
  return answered
}

/** Adds to a profile what is known of the open questions, and the places that differed when it was measured. */
function withFindings(profile: Profile, table: readonly LearnedRow[], differs: readonly string[] = []): Profile {
  if (!profile.learned) return profile
  const learned = { ...profile.learned, ...(differs.length > 0 && { differs }), questions: questionsIn(table) }
  return { ...profile, learned }
}

/** Returns the delays that a lesson has measured, as a profile has them. */
function delaysOf({ executionDelayMs, figuresDelayMs }: TakenLesson): Partial<Profile> {
  return {
    ...(executionDelayMs > 0 && { executionDelayMs }),
    ...(figuresDelayMs !== executionDelayMs && { figuresDelayMs }),
  }
}

/** Adds to exchanges the time that the deployment's `Date` headers say, which has whole seconds only. */
function withTimes(exchanges: readonly Exchange[]): TimedExchange[] {
  let at = 0
  return exchanges.map((exchange) => {
    const date = Date.parse(exchange.headers.get('date') ?? '')
    if (date > at) at = date
    return bounded({ ...exchange, at })
  })
}

const creator = { name: 'countersign', version }

const lessonOf = ({ seen, guesses }: Lesson) => ({ seen, guesses })

/** Learns from a session that was recorded elsewhere, and sends nothing. */
export async function learnRecording(
  exchanges: readonly TimedExchange[],
  { apiKey, hints }: { readonly apiKey: string; readonly hints: Profile },
): Promise<LearnedDeployment> {
  const keys = new Redactor(apiKey.length < 8 ? [] : [apiKey])
  for (const { request, headers } of exchanges) {
    keys.addRequest([...request.headers].filter(([name]) => name !== 'authorization'))
    keys.addIssued(headers)
  }
  const clean = exchanges.map((exchange) => withoutSecrets(exchange, keys))
  const { profile, lesson } = await learnFrom(clean, { apiKey: keys.text(apiKey), hints })
  const table = learnedTable([], lesson, profile)
  return {
    profile: withFindings(keys.deep(profile), table),
    table,
    lesson: lessonOf(lesson),
    missed: [],
    requests: 0,
    leftOut: activeHeadersIn(exchanges),
    leftBehind: [],
    leftOutHeaders: credentialHeadersOf(exchanges),
  }
}

/** The hints of the profile, and the places that the run has found. */
function hintsOf(hints: Profile, { located }: RunResult, places: Places): Profile {
  const workflowId = places.pointerOf('workflow')
  const found = Object.entries(located).flatMap(([name, place]): [LocatorName, string][] => {
    const pointer = String(place).replace(/^(confirm|upload)(?=\/)/, '')
    return pointer.startsWith('/') && !String(place).startsWith('upload') ? [[name as LocatorName, pointer]] : []
  })
  const { workflow_id: _, ...others }: NonNullable<Profile['locators']> = Object.fromEntries(found)
  const locators = { ...(workflowId !== undefined && { workflow_id: workflowId }), ...others, ...hints.locators }
  return { ...hints, locators }
}
