import { isCredentialHeader } from '../../src/session/credentials.ts'
import { Pseudonyms } from '../../src/session/pseudonyms.ts'
import type { TimedExchange } from '../session/calls.ts'
import { type ExchangeRecord, recordOf } from '../wire/record.ts'
import { Redactor } from '../wire/redact.ts'

/** Request headers that are shown. The values of others may be secrets. */
const shownHeaders =
  /^(accept|authorization|content-(type|length|md5|encoding)|if-(none-)?match|prefer|range|idempotency-key)$/

/** Returns a function that writes the calls of a recording without their keys and signatures. */
export function recordedSides(exchanges: readonly TimedExchange[]): (exchange: TimedExchange) => ExchangeRecord {
  const standIns = new Pseudonyms(exchanges)
  const redactor = new Redactor([])
  for (const { request, headers } of exchanges) {
    redactor.addRequest(request.headers)
    redactor.addIssued(headers)
  }
  return (exchange) => {
    const { request, headers, bytes, sent } = exchange
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    const clean: TimedExchange = {
      ...exchange,
      request: {
        method: request.method,
        url: standIns.replace(request.url),
        headers: only(request.headers, (name) => shownHeaders.test(name)),
      },
      ...(sent !== undefined && { sent: standIns.isFull ? '' : standIns.replace(sent) }),
      headers: only(
        headers,
        (name) => !isCredentialHeader(name),
        (value) => standIns.replace(value),
      ),
      bytes: new TextEncoder().encode(standIns.isFull ? '' : standIns.replace(text)),
    }
    return recordOf(clean, redactor)
  }
}

function only(headers: Headers, isShown: (name: string) => boolean, write = (value: string) => value): Headers {
  return new Headers(
    [...headers].filter(([name]) => isShown(name)).map(([name, value]): [string, string] => [name, write(value)]),
  )
}
