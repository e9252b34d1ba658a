import type { Incoming } from './exchange.ts'
import { challenge, Problem } from './problem.ts'

/** `test_…`, or a prefix and `_test_…`, in printable ASCII (gap.test-key-prefix). */
const testKey = /^([A-Za-z0-9]{1,16}_)?test_[\x21-\x7e]{1,200}$/
const otherHeaders = ['X-API-Key', 'Api-Key', 'X-Auth-Token', 'Proxy-Authorization']
const advice = 'Send the API key as the value of Authorization, with no scheme word in front.'

/** The API key of a service call (interface.md section 5). Throws a 401 that says how to send it; never repeats it. */
export function apiKeyOf(incoming: Incoming): string {
  const value = incoming.header('authorization')
  if (!value) {
    const other = otherHeaders.find((name) => incoming.header(name.toLowerCase()) !== undefined)
    if (other) throw refused('misplaced-key', `the key is in the header ${other}`, advice)
    throw refused('missing-key', 'the request has no Authorization header', advice)
  }
  if (testKey.test(value)) return value
  if (/^[A-Za-z][\w-]*\s/.test(value)) {
    // Any other word may be a part of the secret.
    const [scheme] = value.match(/^(Bearer|Basic|Digest|Token|ApiKey|API-Key)(?=\s)/i) ?? []
    const word = scheme === undefined ? 'a word' : `the scheme word '${scheme}'`
    throw refused('key-with-scheme', `${word} stands in front of the key`, advice)
  }
  const why = 'the key is not a test-mode prefix and up to 200 printable characters'
  throw refused('not-a-test-key', why, 'Use a key such as test_demo or sk_test_demo.')
}

function refused(code: Problem['code'], why: string, what: string): Problem {
  return new Problem(code, `Failed to authenticate: because ${why}. ${what}`, { headers: challenge })
}
