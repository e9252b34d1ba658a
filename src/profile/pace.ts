import type { Profile } from './profile.ts'

/** Returns the pace of a profile. That of an older one has the same duration of executions. */
export function paceOf({ pace, executionMs }: Profile): Profile['pace'] {
  return pace ?? (executionMs === undefined ? undefined : { pickUpMs: executionMs, stepMs: 0 })
}
