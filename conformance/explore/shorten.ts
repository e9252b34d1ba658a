import { dropCalls, keepCalls, needsNoDocument, type PlannedCall, relatedCalls } from './plan.ts'

type Session = readonly PlannedCall[]

/** Sends a session, and returns the part up to the difference; undefined without one. */
export type Shows = (session: Session) => Promise<Session | undefined>

/**
 * Returns parts of a session that may show what its last call shows, shorter ones first: what that call uses, all calls about the same
 * things, and the last calls with what they use.
 */
export function partsOf(session: Session): Session[] {
  const last = session.length - 1
  const related = relatedCalls(session, last)
  const latest = (count: number) => [...session.keys()].slice(-count)
  const only = (wanted: (call: PlannedCall) => boolean) =>
    [...session.keys()].filter((at) => at === last || wanted(session[at] as PlannedCall))
  const parts = [
    [last],
    latest(4),
    related,
    [...related, ...latest(4)],
    [...related, ...latest(8)],
    [...only((call) => call.call.startsWith('create')), ...latest(2)].toSorted((a, b) => a - b).slice(-10),
    latest(16),
    latest(32),
  ].map((wanted) => keepCalls(session, wanted))
  const texts = [...parts, session].map((part) => JSON.stringify(part))
  return [...parts, session].filter((_, at) => texts.indexOf(texts[at] ?? '') === at)
}

/** Shortens a session whose last call shows a difference: leaves out things, then calls, and at last makes odd calls sound. */
export async function shortenSession(session: Session, shows: Shows): Promise<Session> {
  let best = session
  const attempt = async (shorter: Session) => {
    if (shorter.length === 0 || shorter.length > best.length) return false
    const shown = await shows(shorter)
    if (shown) best = shown
    return shown !== undefined
  }
  /** Tries sessions without some calls and those that use them. */
  const leaveOut = async (size: number) => {
    for (let end = best.length - 1; end > 0; ) {
      const from = Math.max(0, end - size)
      const unwanted = [...best.keys()].slice(from, end)
      const without = [
        dropCalls(best, unwanted),
        keepCalls(
          best,
          [...best.keys()].filter((at) => at < from || at >= end),
        ),
      ]
      end = from
      for (const [at, rest] of without.entries()) {
        const isTried = at > 0 && rest.length === without[0]?.length
        if (isTried || rest.length >= best.length || rest.at(-1)?.call !== best.at(-1)?.call) continue
        if (await attempt(rest)) {
          end = Math.min(end, best.length - 1)
          break
        }
      }
    }
  }
  for (let size = Math.ceil(best.length / 2); size > 1; size = Math.ceil(size / 2)) await leaveOut(size)
  await leaveOut(1)
  for (let at = 0; at < best.length; at += 1) {
    const { manner } = best[at] ?? {}
    if (manner === undefined || manner === 'sound' || needsNoDocument(manner)) continue
    const isSimpler = await attempt(best.map((one, index) => (index === at ? soundly(one) : one)))
    // A sound call may serve in the place of another.
    if (isSimpler) await leaveOut(1)
  }
  return best
}

function soundly({ other: _, ...call }: PlannedCall): PlannedCall {
  return { ...call, manner: 'sound' }
}
