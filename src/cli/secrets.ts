import { Redactor } from '../../conformance/wire/redact.ts'
import { UsageError } from './exit.ts'

/** A secret that a header can carry. Throws a `UsageError` that never repeats it; `name` says where it comes from. */
export function sendable(name: string, secret: string): string {
  if (/^[\x21-\x7e]+$/.test(secret)) return secret
  const why = secret === '' ? 'is empty' : 'has a space, a line break or a character outside ASCII'
  throw new UsageError(`Failed to start: because ${name} ${why}. Set it to the value alone, or leave it out.`)
}

/** An error's text without the secrets of the environment, which may have come into it by mistake, and without passwords of addresses. */
export function discreet(text: string): string {
  const { COUNTERSIGN_API_KEY, COUNTERSIGN_API_KEY_2, COUNTERSIGN_ADMIN_TOKEN } = process.env
  const secrets = [COUNTERSIGN_API_KEY, COUNTERSIGN_API_KEY_2, COUNTERSIGN_ADMIN_TOKEN]
  const masked = new Redactor(secrets.flatMap((secret) => secret ?? [])).text(text)
  return masked.replaceAll(/\/\/[^\s/@]*@/g, '//***@')
}
