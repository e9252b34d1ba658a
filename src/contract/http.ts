/** Statuses and headers of answers (RFC 9110), and which headers the mock never takes over from another service. */

/** Returns true for a status that an answer may have: a number from 200 to 599. */
export function isStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599
}

/** Returns true for a status whose answers have no body (RFC 9110 section 6.4.1). */
export function hasNoBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}

/** Returns true for the name of a header: a token (RFC 9110 section 5.6.2). */
export function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name)
}

/** Why the mock does not send a header of another service. */
export type WithheldReason = keyof typeof withheldNames

/**
 * The headers that the mock neither learns nor sends for another service. `Link` may stay, since the policy of the sandbox stops what
 * it would load, and so may `Access-Control-*`, which CORS has its own rules for.
 */
const withheldNames = {
  /** Those of one connection, and of how a body travels on it (RFC 9110 sections 7.6.1 and 8.4). */
  connection:
    'connection content-encoding content-length keep-alive proxy-authenticate proxy-connection te trailer transfer-encoding upgrade',
  /**
   * Those with which a browser does more than read the answer: it goes elsewhere, reports, loads or runs something, or keeps something
   * for the whole origin, which is that of the console and the admin API.
   */
  active:
    'accept-ch alt-svc clear-site-data content-security-policy content-security-policy-report-only critical-ch expect-ct nel ' +
    'no-vary-search origin-agent-cluster origin-trial public-key-pins public-key-pins-report-only refresh report-to ' +
    'reporting-endpoints sec-session-registration secure-session-registration service-worker-allowed set-cookie set-cookie2 ' +
    'set-login sourcemap speculation-rules strict-transport-security use-as-dictionary x-sourcemap',
  /** Those of the sandbox that no service can be allowed to change. */
  own: 'x-content-type-options',
} as const

/** The names of withheld headers in lower case, with the reason. */
export const withheld: ReadonlyMap<string, WithheldReason> = new Map(
  (Object.keys(withheldNames) as WithheldReason[]).flatMap((why) =>
    withheldNames[why].split(' ').map((name) => [name, why] as const),
  ),
)

/** The headers of each answer that is not the mock's own, and of each file: a browser runs and loads nothing in it. */
export const sandbox = [
  ['Content-Security-Policy', "default-src 'none'; sandbox"],
  ['X-Content-Type-Options', 'nosniff'],
] as const
