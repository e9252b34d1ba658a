import { equalInConstantTime } from '../../world/equal.ts'
import type { Incoming } from '../wire/exchange.ts'
import { Problem } from '../wire/problem.ts'

export interface AdminGuardOptions {
  /** Whoever reaches the mock may steer it, where nobody but its owner can. @default false */
  readonly trusting?: boolean
  /** Wanted in `X-Admin-Token` with every call, where it is set; the address of the mock is then no secret. */
  readonly token?: string
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/**
 * Keeps strangers from steering the mock: a page on another origin (`Origin`, `Sec-Fetch-Site`), a name that was rebound
 * to this machine (`Host`), and another machine without the token.
 */
export function guard(incoming: Incoming, { token, trusting = false }: AdminGuardOptions): void {
  if (trusting) return
  // A call without one came over no network: from the program that made the mock, or from an old client of this machine.
  const host = incoming.header('host')
  const origin = incoming.header('origin')
  if (origin !== undefined && origin.replace(/^https?:\/\//, '') !== (host ?? new URL(incoming.origin).host)) {
    throw refused('the page that asks is on another origin', "Ask from a script or from the mock's own pages")
  }
  if (incoming.header('sec-fetch-site') === 'cross-site') {
    throw refused('the page that asks is on another site', "Ask from a script or from the mock's own pages")
  }
  if (token !== undefined) {
    // An empty token, as a variable that nobody has set may leave behind, lets nobody in.
    if (token !== '' && equalInConstantTime(incoming.header('x-admin-token') ?? '', token)) return
    throw refused('the header X-Admin-Token has not the token', 'Send the token that the mock was started with')
  }
  if (host !== undefined && !loopback.test(host)) {
    throw refused(
      `'${host.slice(0, 100)}' is not a name of this machine's own`,
      'Call the mock at localhost or 127.0.0.1',
    )
  }
}

function refused(why: string, what: string): Problem {
  return new Problem('admin-forbidden', `Failed to steer the mock: because ${why}. ${what}.`)
}
