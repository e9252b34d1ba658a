import { Redactor } from '../../conformance/wire/redact.ts'
import { UsageError } from './exit.ts'

/** Returns a secret if a header can carry it. Throws a `UsageError` that never repeats it; `name` starts the message. */
export function requireSendable(name: string, secret: string): string {
  if (/^[\x21-\x7e]+$/.test(secret)) return secret
  if (/^(bearer|basic|apikey|token) /i.test(secret)) {
    throw new UsageError(
      `${name} begins with a scheme, but keys are sent without one (section 5). Set it to the key alone.`,
    )
  }
  const why = secret === '' ? 'is empty' : 'has a space, a line break or a character outside ASCII'
  throw new UsageError(`${name} ${why}. Set it to the value alone, or leave it out.`)
}

/** Redacts an error message: the secrets of the environment, which may be in it by mistake, and passwords in URLs. */
export function redactSecrets(text: string): string {
  const { COUNTERSIGN_API_KEY, COUNTERSIGN_API_KEY_2, COUNTERSIGN_ADMIN_TOKEN } = process.env
  const { COUNTERSIGN_API_KEY_B, COUNTERSIGN_API_KEY_B_2 } = process.env
  const { AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env
  const keys = [COUNTERSIGN_API_KEY, COUNTERSIGN_API_KEY_2, COUNTERSIGN_API_KEY_B, COUNTERSIGN_API_KEY_B_2]
  const secrets = [...keys, COUNTERSIGN_ADMIN_TOKEN, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN]
  const redacted = new Redactor(secrets.flatMap((secret) => secret ?? [])).text(text)
  return redacted.replaceAll(/\/\/[^\s/@]*@/g, '//***@')
}
