/** The work of a thread that sends sessions, and what it tells. */
import type { CompareFlags } from './compare-sides.ts'
import type { ReplayFlags, Surroundings } from './replay-session.ts'

/** The work of `countersign replay` and `countersign compare`, as it is passed to a thread. */
export type SessionTask =
  | { readonly kind: 'replay'; readonly file: string; readonly flags: ReplayFlags }
  | { readonly kind: 'compare'; readonly a: string; readonly b: string; readonly flags: CompareFlags }

/** A message from the thread of a task. */
export type SessionMessage =
  | { readonly kind: 'alive' }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'ended'; readonly code: number }
  | { readonly kind: 'failed'; readonly isUsage: boolean; readonly message: string }

/** The time between two signs of life of a thread, in milliseconds. */
export const aliveMs = 1000
/** Carries out a task in this thread. */
export async function playTask(task: SessionTask, surroundings: Surroundings): Promise<number> {
  if (task.kind === 'replay') {
    const { replaySession } = await import('./replay-session.ts')
    return replaySession(task.file, task.flags, surroundings)
  }
  const { compareDeployments } = await import('./compare-sides.ts')
  return compareDeployments(task.a, task.b, task.flags, surroundings)
}
