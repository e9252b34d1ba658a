import { curlCommands } from '../conformance/explore/curl.ts'
import { type Exploration, explore, type FoundDifference } from '../conformance/explore/explore.ts'
import { differenceAsHar } from '../conformance/explore/explored-har.ts'
import type { DeploymentOptions } from '../conformance/replay/deployment.ts'
import type { ReportRow, SessionReport } from '../conformance/replay/session-report.ts'
import { count } from '../conformance/report/tally.ts'
import { writeFiles } from '../conformance/report/write.ts'
import { isNearby } from '../conformance/wire/addresses.ts'
import { showHidden } from '../conformance/wire/inert.ts'
import { recordOf } from '../conformance/wire/record.ts'
import type { Redactor } from '../conformance/wire/redact.ts'
import { version } from '../src/version.gen.ts'
import { built } from './built.ts'
import { UsageError } from './exit.ts'
import type { Surroundings } from './news.ts'
import type { Flags } from './options.ts'

/** A side that can be explored, with its name in reports. */
interface NamedSide extends DeploymentOptions {
  readonly name: string
}

/** What a comparison has found. */
export type Findings = Pick<SessionReport, 'verdict' | 'rows' | 'notes' | 'details'>

/**
 * Explores two sides within a limit of requests, writes the session that shows a difference, and prints its commands. Throws a
 * `UsageError` if a side is on another machine, unless `yes` is set.
 */
export async function exploreSides(
  [a, b]: readonly [NamedSide, NamedSide],
  most: number,
  { seed = randomSeed(), yes, reportDir }: Flags<'compare'>,
  { signal, tell }: Surroundings,
): Promise<Findings> {
  const remote = [a.url, b.url].find((url) => !isNearby(new URL(url).hostname))
  if (remote !== undefined && !yes) {
    throw new UsageError(
      `--explore sends up to ${most} requests, and leaves many workflows and documents at ${remote}, which cannot be deleted. Add --yes if that is fine.`,
    )
  }
  // The build bundles this module with fast-check, which is not installed with the package.
  const { drawSessions } = (await import(built('cli/draw-sessions.js').href)) as typeof import('./draw-sessions.ts')
  const result = await explore({
    sides: [a, b],
    sessions: drawSessions(seed, most, { hasTenants: a.secondKey !== undefined && b.secondKey !== undefined }),
    most,
    settleMs: (a.profile?.settleSeconds ?? 1) * 1000,
    signal,
  })
  const redact = (text: string) => result.redactors.reduce((clean, redactor) => redactor.text(clean), text)
  const { found, sessions, sent, noise } = result
  const commands = (found ? commandsOf(found, a) : []).map(redact)
  const notes = notesOf(result, seed).map(redact)
  if (found) {
    const keys = [a.apiKey, a.secondKey].filter((key) => key !== undefined)
    const har = differenceAsHar(found, { redact, keys, creator: { name: 'countersign', version } })
    const [path] = await writeFiles(reportDir, [['explored.har', har]])
    notes.splice(-1, 0, `The session is in ${path}.`)
    tell({ kind: 'print', text: `\n${commands.map(showHidden).join('\n')}\n\n` })
  }
  const rows = found ? [rowOf(found, result.redactors)] : []
  return {
    verdict: verdictOf(result, signal),
    rows,
    notes,
    details: {
      a: a.name,
      b: b.name,
      seed,
      sessions,
      requests: sent,
      noise,
      leftBehind: result.leftBehind.map(redact),
      session: found?.session,
      commands,
      differences: rows,
    },
  }
}

const commandsOf = ({ exchanges, names }: FoundDifference, { url, secondKey }: NamedSide) =>
  curlCommands(
    exchanges.map(([one]) => one),
    { url, names, ...(secondKey !== undefined && { secondKey }) },
  )

function notesOf(exploration: Exploration, seed: number): string[] {
  const { sessions, sent, noise, leftBehind, answered, failedAlone, noService, notes } = exploration
  const failed = (calls: number, side: number) =>
    `${'AB'[side]} answered ${count(calls, 'call')} with a server error (5xx), and ${'BA'[side]} did not. Look at the log of ${'AB'[side]}.`
  return [
    `Explored with seed ${seed}: ${count(sessions, 'session')}, ${count(answered, 'call')} that both sides have answered, ${count(sent, 'request')}. Repeat it with --seed ${seed}.`,
    ...noService.flatMap((one, side) => (one ? [`${'AB'[side]}: ${one.why}.`] : [])),
    ...(noise > 0 ? [`${count(noise, 'difference')} did not show again, which is noise and no difference.`] : []),
    ...failedAlone.flatMap((calls, side) => (calls > 0 ? [failed(calls, side)] : [])),
    ...notes,
    `${count(leftBehind.length, 'item')} left behind, named conformance-….`,
  ]
}

/** Any seed of 32 bits. */
const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0

function verdictOf(
  { found, answered, failedAlone: [failedA, failedB], noService: [noA, noB] }: Exploration,
  { aborted }: AbortSignal,
): SessionReport['verdict'] {
  if (noA?.refusesKey || noB?.refusesKey) return 'undecided'
  if (found) return 'different'
  if (aborted) return 'could-not-run'
  return answered === 0 || (noA && noB) || failedA + failedB > 0 ? 'undecided' : 'same'
}

function rowOf({ session, text, exchanges }: FoundDifference, [a, b]: readonly [Redactor, Redactor]): ReportRow {
  const last = session.at(-1)
  const calls = session.map(({ call, manner }) => (manner === 'sound' ? call : `${call} (${manner})`))
  return {
    name: `${last?.call}, after ${count(session.length - 1, 'call')}`,
    outcome: 'different',
    word: 'meaning',
    text: b.text(a.text(`${text} The session: ${calls.join(', ')}.`)),
    exchanges: exchanges.flatMap(([one, other], index) => [
      { label: `A, call ${index + 1}`, record: recordOf(one, a) },
      { label: `B, call ${index + 1}`, record: recordOf(other, b) },
    ]),
  }
}
