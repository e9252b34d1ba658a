import { keepCalls, type PlannedCall } from './plan.ts'

/**
 * Shortens a session whose last call shows a difference: first to the calls that the last one uses, then without more and more of the
 * others, and last to sound calls. `shows` sends a session and returns the part up to the difference, or undefined without one.
 */
export async function shortenSession(
  session: readonly PlannedCall[],
  shows: (session: readonly PlannedCall[]) => Promise<readonly PlannedCall[] | undefined>,
): Promise<readonly PlannedCall[]> {
  let best = session
  const attempt = async (shorter: readonly PlannedCall[]) => {
    if (shorter.length > best.length) return false
    const shown = await shows(shorter)
    if (shown) best = shown
    return shown !== undefined
  }
  const leaveOut = async (size: number) => {
    for (let end = best.length - 1; end > 0; ) {
      const from = Math.max(0, end - size)
      const rest = keepCalls(
        best,
        [...best.keys()].filter((index) => index < from || index >= end),
      )
      // Nothing is gone if other calls use what was left out.
      end = rest.length < best.length && (await attempt(rest)) ? Math.min(from, best.length - 1) : from
    }
  }
  await attempt(keepCalls(best, [best.length - 1]))
  for (let size = Math.ceil(best.length / 2); size > 1; size = Math.ceil(size / 2)) await leaveOut(size)
  await leaveOut(1)
  for (const [index, { manner }] of best.entries()) {
    const isSimpler =
      manner !== 'sound' && (await attempt(best.map((one, at) => (at === index ? { ...one, manner: 'sound' } : one))))
    // A sound call may serve in the place of another.
    if (isSimpler) await leaveOut(1)
  }
  return best
}
