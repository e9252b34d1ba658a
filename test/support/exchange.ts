import type { Exchange, SentRequest } from '../../conformance/wire/exchange.ts'

/** Returns an exchange as the suite records it: a GET that is answered 200 without a body, unless these members differ. */
export function exchangeOf<More extends Partial<Exchange>>(
  request: Partial<SentRequest> = {},
  more: More = {} as More,
): Exchange & More {
  return {
    request: { method: 'GET', url: 'http://there.test/api/v1/workflows/w1', headers: new Headers(), ...request },
    ...{ status: 200, headers: new Headers(), bytes: new Uint8Array(), json: undefined, durationMs: 1 },
    ...more,
  }
}
