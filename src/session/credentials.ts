/** Finds what is secret in a request and its answer: the values of credential headers, and the signatures in URLs. */
import { unescaped, viewsOf } from './decoding.ts'

/** The shortest signature, in characters. */
export const shortestSignature = 16
/** The longest text that is searched for URLs, in characters. */
const longestSearched = 300_000

/** The ends of the names of headers whose values are secret, without their separators. */
const secretNames =
  /(authorization|cookie|token|secret|signature|credentials?|password|session(id)?|jwt|(api|access|auth|functions|subscription)key(id)?|^xauth)$/

/** Returns true if a header has a name like a credential, such as `Set-Cookie`, `X-Auth-Token` and `api-key`. */
export function isCredentialHeader(name: string): boolean {
  const lower = name.toLowerCase()
  return !lower.startsWith('access-control-') && secretNames.test(lower.replaceAll(/[-_]/g, ''))
}

/** Headers, such as a `Headers` object or the entries of a list. */
export type HeaderPairs = Iterable<readonly [name: string, value: string]>

/** Returns the credentials in headers: keys without the scheme in front of them, passwords, and the values of cookies. */
export function credentialsIn(headers: HeaderPairs): string[] {
  return [...headers].flatMap(([name, value]) => (isCredentialHeader(name) ? valuesIn(name.toLowerCase(), value) : []))
}

function valuesIn(name: string, value: string): string[] {
  if (name.includes('cookie')) {
    const pairs = name === 'set-cookie' ? value.split(';').slice(0, 1) : value.split(';')
    return pairs.map((pair) => pair.slice(pair.indexOf('=') + 1).trim()).filter(({ length }) => length >= 8)
  }
  const key = /^[\w-]+ +(\S+)$/.exec(value)?.[1] ?? value
  const isBasic = /^basic /i.test(value) && /^[\w+/-]+=*$/.test(key)
  const password = isBasic ? [...viewsOf(key)].flatMap(({ text }) => /^[^:]*:([ -~]{8,})$/.exec(text)?.[1] ?? []) : []
  // A recording has placeholders.
  return [key, ...password].filter((found) => !found.includes('***'))
}

/** A signature in a URL, decoded and as the URL has it. */
export interface FoundSignature {
  readonly value: string
  readonly raw: string
}

/** Returns the signatures in a URL, or in a text with URLs: credentials in queries, and the mock's own in the style of a deployment. */
export function signaturesIn(text: string): FoundSignature[] {
  if (text.length > longestSearched) return []
  const own = [...text.matchAll(/\bcs1[\w-]{40,400}/g)].map(([token]) => ({ value: token, raw: token }))
  const parameters = [...text.matchAll(/[?&;]([\w.%~+-]{1,100})=([^&#\s"'<>\\]{16,})/g)]
  const signed = parameters.flatMap(([, name = '', raw = '']) => {
    const value = unescaped(raw)
    return isSignature(unescaped(name), value) ? [{ value, raw }] : []
  })
  return [...own, ...signed]
}

/** Returns true if a value is an identifier of a session or an object, which answers show too and the checks need. */
function isIdentifying(value: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) || value.startsWith('tenants/')
}

/** Returns true if a query parameter is a credential. Others, such as the list of signed headers, are not secret. */
function isSignature(name: string, value: string): boolean {
  return (
    value.length >= shortestSignature &&
    !isIdentifying(value) &&
    (/signature|token|credential|secret|policy|(^|[-_])sig$/i.test(name) || /^[\w+/=-]{32,}$/.test(value))
  )
}

/** Returns the credentials in the headers of an answer that its body may repeat. A cookie is meant for the browser alone. */
export function issuedIn(headers: HeaderPairs): string[] {
  const others = [...headers].filter(([name]) => name.toLowerCase() !== 'set-cookie')
  return credentialsIn(others).filter((value) => value.length >= shortestSignature && !isIdentifying(value))
}
