import type { Likeness } from '../conformance/learning/likeness.ts'
import type { LearnedRow } from '../conformance/learning/table.ts'
import { count } from '../conformance/report/tally.ts'
import { prepareFolder, writeFiles } from '../conformance/report/write.ts'
import type { HarSession } from '../conformance/session/read-har.ts'
import { showHidden, truncate } from '../conformance/wire/inert.ts'
import { defaultMaxMs } from '../conformance/wire/transport.ts'
import type { Checked, Drift } from '../src/learn/check.ts'
import { learnedContract, readContract, toYaml } from '../src/learn/contract.ts'
import { type LearnedDeployment, learnRecording } from '../src/learn/learn-deployment.ts'
import type { Profile } from '../src/profile/profile.ts'
import { exit, UsageError } from './exit.ts'
import { hintsOf, profileFile, readAs, readJsonFile, valueIn } from './input.ts'
import type { Flags } from './options.ts'
import { type RunFlags, runPlan } from './plan.ts'
import { output, profileText, reviewLearned } from './review.ts'
import { sessionFile } from './session.ts'
import { jsonShown } from './shown.ts'
import { inThread, type StartThread } from './thread.ts'

/** Learns a deployment or a recording, writes the files, prints what was learned, and returns the exit code. */
export async function learnFiles(flags: Flags<'learn'>, _: readonly string[], start: StartThread): Promise<number> {
  const { out, from, verbose = false, review = false, check } = flags
  if (check !== undefined) return checkLearned(check, flags, start)
  const url = flags.url ?? process.env.COUNTERSIGN_URL
  if (review && !url) {
    if (from === undefined) return reviewLearned(out)
    throw new UsageError('A recording is not reviewed. Learn the deployment too with --url, or leave out --review.')
  }
  const recorded = from === undefined ? undefined : await readRecording(from, url)
  // Before the work, so that none is lost.
  await prepareFolder(out, output)
  const learned =
    recorded && !url
      ? await learnRecording(recorded.exchanges, { apiKey: recorded.apiKey, hints: await hintsOf(flags) })
      : await learnLive(flags, recorded?.har, start)
  const files = await writeFiles(out, await filesOf(learned), output)
  if (recorded) process.stdout.write(`${leftOutText(recorded)}\n`)
  process.stdout.write(`${learnedText(learned, files, verbose)}\n`)
  if (review) await reviewLearned(out)
  return isWhole(learned) ? exit.ok : exit.undecided
}

/** Reads a recording as a session, and as the JSON that a thread can be given. */
async function readRecording(path: string, url: string | undefined): Promise<HarSession & { readonly har: unknown }> {
  const kind = sessionFile({ keepsLists: true, ...(url && { url }) })
  const har = await readJsonFile(path, kind)
  return { ...valueIn(har, path, kind), har }
}

function leftOutText({ base, exchanges, leftOut }: HarSession): string {
  const { otherOrigins, otherCalls, unreadable } = leftOut
  return `Read ${exchanges.length} calls of ${base}. Left out: ${otherOrigins} to other origins, ${otherCalls} that the contract does not have, ${unreadable} that could not be read.`
}

async function learnLive(flags: RunFlags, recording: unknown, start: StartThread): Promise<LearnedDeployment> {
  const plan = await runPlan(flags)
  const given = { plan, ...(recording !== undefined && { recording }) }
  const stopAfterMs = 3 * (plan.maxMs ?? defaultMaxMs)
  return inThread({ kind: 'learn', given } as const, { start, stopAfterMs, stoppingMs: 7000 })
}

/** The least likeness of a deployment that was learned, and the least share of calls with a usable answer. */
const [leastLikeness, leastAnswered] = [0.95, 0.95]

/** Returns true if every call was seen to succeed, nearly all were answered, and the mock answers alike at nearly all places. */
function isWhole({ profile, missed, likeness, requests }: LearnedDeployment): boolean {
  const isLike = likeness ? likeness.agreeing >= leastLikeness * likeness.places : requests === 0
  return isLike && missingIn(profile).length === 0 && missed.length <= (1 - leastAnswered) * requests
}

/** Returns the files of what was learned, the profile last. */
async function filesOf({ profile, lesson, session }: LearnedDeployment): Promise<[name: string, text: string][]> {
  const { overlay, contract } = learnedContract(await readContract(), profile, lesson)
  return [
    ['overlay.yaml', await toYaml(overlay)],
    ['openapi.yaml', await toYaml(contract)],
    ...(session ? [['session.har', `${JSON.stringify(session, null, 1)}\n`] as [string, string]] : []),
    ['profile.json', profileText(profile)],
  ]
}

/** The calls of the contract that never succeeded, and what would show them. */
const callsToLearn = {
  createWorkflow: 'create a workflow (POST /api/v1/workflows)',
  getWorkflow: 'read one (GET /api/v1/workflows/{workflow_id})',
  requestUpload: 'request an upload (POST /api/v1/upload/)',
  putObject: 'put the file to its upload_url',
  confirmUpload: 'confirm the upload (POST /api/v1/upload/confirm)',
  executeWorkflow: 'execute a workflow for the document (POST /api/v1/workflows/{workflow_id}/execute)',
} as const

const missingIn = ({ answers = {} }: Profile) =>
  (Object.keys(callsToLearn) as (keyof typeof callsToLearn)[]).filter((operation) => !Object.hasOwn(answers, operation))

/** The most places that are listed. */
const mostListed = 20

/** Returns what is printed at the end: the table, what could not be learned, and the likeness. */
function learnedText(learned: LearnedDeployment, files: readonly string[], verbose: boolean): string {
  const { table, likeness, lesson, requests, leftOut, leftOutHeaders, leftBehind, profile, missed } = learned
  const sent =
    requests === 0
      ? []
      : [
          `${requests} requests were sent; ${leftBehind.length} things were left behind, named conformance-… and learn-….`,
        ]
  const file = files.find((path) => path.endsWith('profile.json'))
  return [
    ...rowsText(table),
    '',
    ...missingIn(profile).map(
      (operation) =>
        `Not learned: ${operation}. The mock answers it as the contract says. To learn it, ${callsToLearn[operation]}.`,
    ),
    ...leftOutHeaders.map((name) => `Left out: the header ${name} of the answers, which is a credential.`),
    ...lesson.guesses.map(({ answer, pointer, why }) => `Guessed: ${pointer} of ${answer}: ${why}.`),
    ...(leftOut.length > 0
      ? [`Left out: the headers ${leftOut.join(', ')}, with which a deployment could act on the mock's own pages.`]
      : []),
    ...missedText(missed),
    ...(likeness
      ? likenessText(likeness, verbose)
      : requests > 0
        ? ['The likeness was not measured: no call of the session to measure with was answered. Learn again.']
        : [
            'The likeness was not measured: all calls were learned from. With --url, another session is sent to measure with.',
          ]),
    ...sent,
    `Wrote ${files.join(', ')}.`,
    `Try it: countersign mock --like ${file}`,
  ].join('\n')
}

/** Says why calls got no usable answer, and how often. */
function missedText(missed: readonly string[]): string[] {
  const reasons = [...new Set(missed)].map((reason) => {
    const times = missed.filter((one) => one === reason).length
    return `${truncate(showHidden(reason), 200)} (${count(times, 'call')})`
  })
  if (reasons.length === 0) return []
  const isThrottled = missed.some((reason) => reason.includes('429'))
  const cure = isThrottled ? 'Learn again with a lower --rate-limit.' : 'Look at these answers, and learn again.'
  return [
    `Nothing was learned from ${count(missed.length, 'call')} without a usable answer: ${reasons.join('; ')}. ${cure}`,
  ]
}

function likenessText({ places, agreeing, differences }: Likeness, verbose: boolean): string[] {
  // Rounded down, so that 1.00 means that all agree.
  const share = (Math.floor((100 * agreeing) / places) / 100).toFixed(2)
  const shown = differences.slice(0, verbose ? differences.length : mostListed)
  return [
    `Likeness ${share}: ${agreeing} of ${places} places agree in a session with other data.`,
    ...shown.map(
      ({ call, pointer, one, other }) =>
        `  ${call}, ${pointer}: ${jsonShown(one, 60)} there, ${jsonShown(other, 60)} here`,
    ),
    ...(shown.length < differences.length
      ? [`  and ${differences.length - shown.length} more; --verbose lists all`]
      : []),
  ]
}

function rowsText(table: readonly LearnedRow[]): string[] {
  const learned = table.filter(({ seen }) => seen > 0)
  const assumed = table.filter(({ seen }) => seen === 0)
  const width = Math.max(0, ...learned.map(({ id }) => id.length))
  return [
    ...learned.map(
      ({ id, answer = '', certainty, seen }) =>
        `${id.padEnd(width)}  ${certainty.padEnd(9)}  ${String(seen).padStart(3)} x  ${truncate(showHidden(answer), 110)}`,
    ),
    ...(assumed.length > 0
      ? [`Stays assumed, since nothing was seen: ${assumed.map(({ id }) => id.slice('gap.'.length)).join(', ')}.`]
      : []),
  ]
}

/** Checks a deployment against its profile, prints what changed, and returns the exit code. */
async function checkLearned(file: string, flags: RunFlags, start: StartThread): Promise<number> {
  const profile = await readAs(file, profileFile('--check'))
  const plan = await runPlan({ ...flags, profile: file })
  if (plan.isReference) throw new UsageError('A check needs the deployment. Name it with --url.')
  const checked = await inThread({ kind: 'check', given: { plan, profile } } as const, { start })
  const { drifts, places, requests, missed } = checked
  for (const drift of drifts) process.stdout.write(`${driftText(drift)}\n`)
  for (const reason of new Set(missed)) process.stdout.write(`missed   ${showHidden(reason)}.\n`)
  const verdict = drifts.length > 0 ? 'different' : isUndecided(checked) ? 'undecided' : 'same'
  process.stdout.write(
    `${plan.url}: ${verdict}. ${drifts.length} of ${places} places no longer answer as in ${file} (${requests} requests).\n`,
  )
  return { different: exit.nonconforming, undecided: exit.undecided, same: exit.ok }[verdict]
}

/** Without answers, nothing can be said. */
const isUndecided = ({ places, missed }: Checked) => places === 0 || missed.length > 0

function driftText({ place, shows, difference: { call, one, other }, count }: Drift): string {
  const meaning = shows === undefined ? '' : `, which showed ${shows}`
  const more = count > 1 ? `, and so in ${count} answers` : ''
  return `changed  ${showHidden(place)}${meaning}: ${jsonShown(one, 80)} now, ${jsonShown(other, 80)} as learned (${call}${more}).`
}
