import { redacted, SecretRedactor } from '../../src/session/redact.ts'
import { isPublic } from './public-words.ts'

export { redacted }

/** A redactor that leaves the suite's own words readable too, such as the ids of requirements. */
export class Redactor extends SecretRedactor {
  constructor(
    apiKeys: readonly string[],
    options: { readonly host?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(apiKeys, { ...options, isPublic })
  }
}
