import type { HeaderList } from './exchange.ts'

/** Replaces a secret. */
const redacted = '…'

/** The headers whose whole value is a secret, in lower case. */
const secretHeaders = new Set([
  ...['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-admin-token'],
  ...['x-api-key', 'api-key', 'x-auth-token'],
])

/** The signature of an upload URL, with the token of temporary credentials, and what stands for it in a deployment's style. */
const signatures = [
  /(X-Amz-Signature=)[0-9a-f]+/gi,
  /(X-Amz-Security-Token=)[\w%.~-]+/gi,
  /(\bcs1)[\w-]{40,}/g,
] as const

/** Shorter texts are no keys, and would be found in many words. */
const shortestSecret = 6

/** Removes signatures, and the secrets of one request in every spelling. */
export class Redaction {
  readonly #secrets: readonly string[]

  /** Takes the secrets from the headers of a request. */
  constructor(headers: HeaderList) {
    const values = headers.filter(([name]) => secretHeaders.has(name.toLowerCase())).map(([, value]) => value)
    // A key may follow a scheme word.
    const words = values.flatMap((value) => [value, value.split(' ').at(-1) ?? ''])
    const spellings = new Set(words.filter((word) => word.length >= shortestSecret).flatMap(spellingsOf))
    // The longest first: one may contain another.
    this.#secrets = [...spellings].sort((one, other) => other.length - one.length)
  }

  text(text: string): string {
    const clean = withoutSignatures(text)
    return this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, redacted), clean)
  }

  headers(headers: HeaderList): Readonly<Record<string, string>> {
    const all: [string, string][] = headers.map(([name, value]) => [
      name.toLowerCase(),
      secretHeaders.has(name.toLowerCase()) ? redacted : this.text(value),
    ])
    // A header named __proto__ becomes an ordinary member.
    return Object.fromEntries(all)
  }
}

/** Removes the signatures of upload URLs from a text. */
export function withoutSignatures(text: string): string {
  return signatures.reduce((rest, signature) => rest.replaceAll(signature, `$1${redacted}`), text)
}

/** Returns a secret as it is, and as JSON, an URL, a form and base64 write it. */
function spellingsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret)
  const base64 = btoa(String.fromCharCode(...bytes)).replaceAll('=', '')
  const inUrl = encodeURIComponent(secret.toWellFormed())
  return [secret, JSON.stringify(secret).slice(1, -1), inUrl, inUrl.replaceAll('%20', '+'), base64]
}
