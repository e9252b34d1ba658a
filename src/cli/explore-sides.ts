import { join } from 'node:path'
import { curlCommands } from '../../conformance/explore/curl.ts'
import { type Exploration, explore, type FoundDifference } from '../../conformance/explore/explore.ts'
import { differenceAsHar } from '../../conformance/explore/explored-har.ts'
import type { SideOptions } from '../../conformance/explore/side.ts'
import type { ReportRow, SessionReport } from '../../conformance/replay/session-report.ts'
import { count } from '../../conformance/report/tally.ts'
import { isNearby } from '../../conformance/wire/addresses.ts'
import { showHidden } from '../../conformance/wire/inert.ts'
import { recordOf } from '../../conformance/wire/record.ts'
import type { Redactor } from '../../conformance/wire/redact.ts'
import { version } from '../version.gen.ts'
import { UsageError } from './exit.ts'

/** The flags of an exploration. */
export interface ExploreFlags {
  /** The most requests to both sides together. */
  readonly explore: number
  readonly seed: number
  readonly yes?: boolean
}

/** A side that can be explored, with its name in reports. */
export interface NamedSide extends SideOptions {
  readonly name: string
}

/** Throws a `UsageError` if a side is on another machine, and `--yes` does not accept what an exploration leaves there. */
export function requireConsent(urls: readonly string[], { explore: most, yes = false }: ExploreFlags): void {
  const remote = urls.find((url) => !isNearby(new URL(url).hostname))
  if (remote === undefined || yes) return
  throw new UsageError(
    `--explore sends up to ${most} requests, and leaves many workflows and documents at ${remote}, which cannot be deleted. Add --yes if that is fine.`,
  )
}

interface Explored {
  readonly report: SessionReport
  /** The commands that show the difference. */
  readonly commands: readonly string[]
  /** The session that shows the difference, as HAR. */
  readonly har?: string
}

/** Explores two sides, and describes the result. */
export async function exploreSides(
  [a, b]: readonly [NamedSide, NamedSide],
  { explore: most, seed }: ExploreFlags,
  { draw, signal, reportDir }: { readonly draw: string; readonly signal: AbortSignal; readonly reportDir: string },
): Promise<Explored> {
  const { drawSessions } = (await import(draw)) as typeof import('./draw-sessions.ts')
  const startedAt = new Date()
  const result = await explore({
    sides: [a, b],
    sessions: drawSessions(seed, most, { hasTenants: a.secondKey !== undefined && b.secondKey !== undefined }),
    most,
    settleMs: (a.profile?.settleSeconds ?? 1) * 1000,
    signal,
  })
  const redact = (text: string) => result.redactors.reduce((clean, redactor) => redactor.text(clean), text)
  const { found } = result
  const commands = found
    ? curlCommands(
        found.exchanges.map(([one]) => one),
        { url: a.url, names: found.names, ...(a.secondKey !== undefined && { secondKey: a.secondKey }) },
      ).map((command) => redact(command))
    : []
  const creator = { name: 'countersign', version }
  const har =
    found &&
    differenceAsHar(found, { redact, keys: [a.apiKey, ...(a.secondKey === undefined ? [] : [a.secondKey])], creator })
  const { sessions, sent, noise, leftBehind, answered, failedAlone, noService } = result
  return {
    report: {
      command: 'compare',
      subject: `A ${a.name} and B ${b.name}`,
      verdict: verdictOf(result, signal),
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      rows: found ? [rowOf(found, result.redactors)] : [],
      notes: [
        `Explored with seed ${seed}: ${count(sessions, 'session')}, ${count(answered, 'call')} that both sides have answered, ${count(sent, 'request')}. Repeat it with --seed ${seed}.`,
        ...noService.flatMap((one, side) => (one ? [`${'AB'[side]}: ${redact(one.why)}.`] : [])),
        ...(noise > 0 ? [`${count(noise, 'difference')} did not show again, which is noise and no difference.`] : []),
        ...failedAlone.flatMap((calls, side) =>
          calls > 0
            ? [
                `${'AB'[side]} answered ${count(calls, 'call')} with a server error (5xx), and ${'BA'[side]} did not. Look at the log of ${'AB'[side]}.`,
              ]
            : [],
        ),
        ...result.notes.map((note) => redact(note)),
        ...(har === undefined ? [] : [`The session is in ${join(reportDir, explored)}.`]),
        `${count(leftBehind.length, 'item')} left behind, named conformance-….`,
      ],
      details: {
        ...{ a: a.name, b: b.name, seed, sessions, requests: sent, noise },
        ...{ leftBehind: leftBehind.map(redact), session: found?.session, commands },
        differences: found ? [rowOf(found, result.redactors)] : [],
      },
    },
    commands: commands.map((command) => showHidden(command)),
    ...(har !== undefined && { har }),
  }
}

/** The file with the session that shows the difference. */
export const explored = 'explored.har'

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
