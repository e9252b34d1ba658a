import type { Mutant } from '../mutant.ts'
import type { Wrapper } from '../wrapper.ts'

/** Poor behaviour that breaks no sentence of interface.md, so that no documented check may fail. */
export type InheritedRow = [id: string, breaks: string, inherited: string, create: () => Wrapper]

/** States that the document does not define a behaviour. */
export const undocumented = (what: string) => `The document does not show ${what}.`

/** Creates the mutants of the rows. */
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
