import type { Mutant } from '../mutant.ts'
import type { Wrapper } from '../wrapper.ts'

/** A server that is poor but breaks no sentence of interface.md: no documented check may be red. */
export type InheritedRow = [id: string, breaks: string, inherited: string, create: () => Wrapper]

/** Why what the document leaves out cannot be held against a server. */
export const undocumented = (what: string) => `The document does not show ${what}.`

/** Mutants of such rows. */
export function inheritedOf(rows: readonly InheritedRow[]): Mutant[] {
  return rows.map(([id, breaks, inherited, create]) => ({
    id,
    breaks,
    kills: [],
    mayKill: [],
    inherited,
    create,
    appliesTo: () => true,
  }))
}
