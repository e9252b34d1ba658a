import type { Incoming } from './exchange.ts'
import { Problem } from './problem.ts'

/** `test_…`, or a prefix and `_test_…`, in printable ASCII (gap.test-key-prefix). */
const testKey = /^([A-Za-z0-9]{1,16}_)?test_[\x21-\x7e]{1,200}$/
const otherHeaders = ['X-API-Key', 'Api-Key', 'X-Auth-Token', 'Proxy-Authorization']
const advice = 'Send the API key alone in Authorization, without a scheme such as Bearer.'

/**
 * Returns the API key of a service call (interface.md section 5). Throws a 401 that never repeats the key. With `known`, all
 * other keys are refused. Some deployments take `Bearer` before the key.
 */
export function apiKeyOf(incoming: Incoming, known?: ReadonlySet<string>, takesBearer = false): string {
  const header = incoming.header('authorization')
  const value = takesBearer ? header?.replace(/^Bearer /i, '') : header
  if (!value) {
    const other = otherHeaders.find((name) => incoming.header(name.toLowerCase()) !== undefined)
    if (other) throw new Problem('misplaced-key', `The key is in the header ${other}. ${advice}`)
    throw new Problem('missing-key', `The request has no Authorization header. ${advice}`)
  }
  if (isTestKey(value)) {
    if (known?.has(value) === false) throw unknownKey
    return value
  }
  if (/^[A-Za-z][\w-]*\s/.test(value)) {
    // Only known schemes are repeated: any other word may be a part of the secret.
    const [scheme] = value.match(/^(Bearer|Basic|Digest|Token|ApiKey|API-Key)(?=\s)/i) ?? []
    const word = scheme === undefined ? 'a word' : `the scheme '${scheme}'`
    throw new Problem('key-with-scheme', `Authorization has ${word} before the key. ${advice}`)
  }
  throw notATestKey
}

const unknownKey = new Problem(
  'not-a-test-key',
  'The mock was started for other keys. Send one of them, or start it without keys.',
)

/** Returns a key that is not in a header. Throws a 401 that never repeats the key. */
export function requireTestKey(key: string): string {
  if (isTestKey(key)) return key
  throw notATestKey
}

/** Returns true for a key that the mock may accept. */
export function isTestKey(key: string): boolean {
  return testKey.test(key)
}

const notATestKey = new Problem(
  'not-a-test-key',
  'The key is not a test key, which is test_ or sk_test_ and up to 200 printable characters. Use a key such as test_demo or sk_test_demo.',
)
