import { Redactor } from '../conformance/wire/redact.ts'
import { unescaped } from '../src/session/decoding.ts'
import { UsageError } from './exit.ts'

/** Returns a secret if a header can carry it, and redacts it in all messages. Throws a `UsageError` that never repeats it; `name` starts the message. */
export function requireSendable(name: string, secret: string): string {
  noteSecret(secret)
  if (/^[\x21-\x7e]+$/.test(secret)) return secret
  if (/^(bearer|basic|apikey|token) /i.test(secret)) {
    throw new UsageError(
      `${name} begins with a scheme, but keys are sent without one (section 5). Set it to the key alone.`,
    )
  }
  const why = secret === '' ? 'is empty' : 'has a space, a line break or a character outside ASCII'
  throw new UsageError(`${name} ${why}. Set it to the value alone, or leave it out.`)
}

/** Returns the key of a deployment in a variable, which is redacted in all messages. Throws a `UsageError` if there is none. */
export function requireKey(url: string, variable: string): string {
  const key = process.env[variable]
  if (!key) throw new UsageError(`No API key is set for ${url}. Set it in ${variable}.`)
  return requireSendable(variable, key)
}

/** The names of variables of the environment that hold secrets: keys of each side and tenant, tokens, and passwords. */
const secretVariables = /(API_KEY|ACCESS_KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE)(_B)?(_2)?$/

/** The secrets of this process that are not in such a variable: of the command line, and keys that an agent has sent. */
const given = new Set<string>()

/** Redacts a secret in all messages from now on. */
export function noteSecret(secret: string): void {
  given.add(secret)
}

/** Redacts the passwords in the URLs of a command line, as `noteSecret` does. */
export function notePasswords(argv: readonly string[]): void {
  for (const argument of argv) {
    const password = URL.canParse(argument) ? new URL(argument).password : ''
    if (password !== '') noteSecret(unescaped(password))
  }
}

/** Redacts a message: the secrets of the process, which may be in it by mistake, and passwords in URLs. */
export function redactSecrets(text: string): string {
  const variables = Object.entries(process.env).filter(([name]) => secretVariables.test(name))
  const secrets = [...given, ...variables.flatMap(([, value]) => value ?? [])]
  return new Redactor(secrets).text(text).replaceAll(/\/\/[^\s/@]*@/g, '//***@')
}
