import { publicRunsIn, wellKnown } from '../../src/session/public-words.ts'
import { redacted, SecretRedactor } from '../../src/session/redact.ts'
import { gapIds, requirement, requirementIds } from '../catalogue/catalogue.ts'

export { redacted }

let known: ((run: string) => boolean) | undefined

/** Returns true if a run of characters is part of a word that is in every report, and so cannot be the secret part of a key. */
function isPublic(run: string): boolean {
  known ??= publicRunsIn(
    [wellKnown, ...requirementIds, ...requirementIds.map((id) => requirement(id).fact), ...gapIds].join('\n'),
  )
  return known(run)
}

/** A redactor that leaves the suite's own words readable too, such as the ids of requirements. */
export class Redactor extends SecretRedactor {
  constructor(
    apiKeys: readonly string[],
    options: { readonly host?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(apiKeys, { ...options, isPublic })
  }
}
