import { type Incoming, publicUrlOf } from '../../wire/exchange.ts'
import { Problem } from '../../wire/problem.ts'
import { equalInConstantTime } from '../../world/equal.ts'

/** Which callers the admin API trusts. */
export interface AdminGuardOptions {
  /**
   * Accepts every call. For a mock that only its owner can reach.
   *
   * @default false
   * @example `{ trusting: true }`
   */
  readonly trusting?: boolean
  /**
   * Token that each call has to send as `X-Admin-Token`. With a token, calls from other machines are accepted.
   *
   * @default none; only calls to a loopback name of this machine are accepted
   * @example `{ token: 'a-long-random-text' }`
   */
  readonly token?: string
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/**
 * Throws a `Problem` unless the caller may use the admin API. Refuses a page on another origin (`Origin`,
 * `Sec-Fetch-Site`), DNS rebinding to this machine (`Host`), and another machine without the token.
 */
export function guard(incoming: Incoming, trusted: AdminGuardOptions): void {
  if (trusted.trusting) return
  requireOwnPage(incoming, trusted, false)
  const { token } = trusted
  // An empty token, perhaps from an unset variable, matches no call.
  if (token === undefined || (token !== '' && equalInConstantTime(incoming.header('x-admin-token') ?? '', token)))
    return
  throw forbidden(
    'The admin token in X-Admin-Token is missing or wrong. Send the token that the mock was started with.',
  )
}

/**
 * Throws a `Problem` unless the caller may load the console. It has no data, so that a browser can load it without the token and
 * by a link on another site.
 */
export function guardConsole(incoming: Incoming, trusted: AdminGuardOptions): void {
  if (trusted.trusting) return
  const isLink = incoming.header('sec-fetch-mode') === 'navigate' && incoming.header('sec-fetch-dest') === 'document'
  requireOwnPage(incoming, trusted, isLink)
}

/** Refuses calls by pages elsewhere, except for a link, and calls to another name of this machine if there is no token. */
function requireOwnPage(incoming: Incoming, { token }: AdminGuardOptions, isLink: boolean): void {
  const host = incoming.header('host')
  const page = incoming.header('origin')?.replace(/^https?:\/\//, '')
  // A call without Host did not come over a network: from the program that created the mock, or an HTTP/1.0 client here.
  const called = host ?? new URL(incoming.origin).host
  // A proxy may pass on another host than that of the page.
  if (page !== undefined && page !== called && page !== new URL(publicUrlOf(incoming)).host) {
    throw forbidden(`The page is on another origin. ${useOwnPages}`)
  }
  if (incoming.header('sec-fetch-site') === 'cross-site' && !isLink) {
    throw forbidden(`The page is on another site. ${useOwnPages}`)
  }
  if (token === undefined && host !== undefined && !loopback.test(host)) {
    throw forbidden(`'${host.slice(0, 100)}' is not a loopback host. Call the mock at localhost or 127.0.0.1.`)
  }
}

const useOwnPages = "Call the admin API from a script or from the mock's own pages."

function forbidden(detail: string): Problem {
  return new Problem('admin-forbidden', detail)
}
