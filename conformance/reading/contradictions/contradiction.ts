import type { Finding } from '../finding.ts'
import { lastName, parentOf } from '../locate.ts'
import { isWrapping } from '../vocabulary.ts'

/** A place whose value contradicts another part of an answer, or an earlier answer about the same workflow. */
export interface Contradiction {
  readonly finding: Finding
  /** What contradicts the value, as a sentence without its full stop. */
  readonly message: string
}

/** A step as it was sent. */
export interface SentStep {
  readonly step_id: string
  readonly name: string
  readonly estimated_duration: number
}

/** Describes a contradiction in the details of a workflow. */
export function contradiction(
  what: string,
  [place, value]: readonly [place: string, value: unknown],
  rule: string,
  message: string,
  strength: Finding['strength'] = 'named',
): Contradiction {
  return { finding: { what, answer: 'details', value, place, rule, strength, rejected: [] }, message }
}

/** Returns the pointer to the outermost object around a figure that is not an envelope; the figure itself may be in the envelope. */
export function sectionOf(pointer: string): string {
  const names = pointer.split('/')
  const first = names.findIndex((name, depth) => depth > 0 && !isWrapping(name))
  return names.slice(0, Math.min(first + 1, names.length - 1)).join('/')
}

/**
 * Returns the names of a figure from the object on that holds a count of executions, too: that of the count's section, or the one around
 * it. Undefined if the figure stands elsewhere, and so may be about something else.
 */
export function besideCount(place: string, counter: string): string | undefined {
  const section = sectionOf(counter)
  if (place.startsWith(`${section}/`)) return place.slice(section.length)
  return section.startsWith(`${parentOf(place)}/`) ? `/${lastName(place)}` : undefined
}
