import { publicRunsIn, wellKnown } from '../../src/session/public-words.ts'
import { gapIds, requirement, requirementIds } from '../catalogue/catalogue.ts'

const facts = () => requirementIds.map((id) => requirement(id).fact)
let known: ((run: string) => boolean) | undefined

/** Returns true if a run of characters is part of a word that is in every report, and so cannot be the secret part of a key. */
export function isPublic(run: string): boolean {
  known ??= publicRunsIn([wellKnown, ...requirementIds, ...facts(), ...gapIds].join('\n'))
  return known(run)
}
