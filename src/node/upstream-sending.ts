/** Sends requests to the deployment behind a mock. */
import { joinParts } from '../contract/bytes.ts'
import { isStatus, sandbox, withheld } from '../contract/http.ts'
import type { SecretRedactor } from '../session/redact.ts'
import type { Outgoing } from '../wire/exchange.ts'
import { causeOf } from './journal/errors.ts'

/** The largest body of a call, and the largest answer, in bytes. */
export const mostBytes = 1024 * 1024

/** How long an answer may take, in milliseconds. */
export const mostMs = 30_000

/** Headers of CORS. The mock sets its own. */
const corsHeaders = /^(access-control-.*|vary)$/

/** How a deployment is called, and what its answers must not show. */
export interface Sending {
  /** Sends a request, and checks where its connection goes. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Redacts the key of the deployment, which may repeat it in answers. */
  readonly redactor: SecretRedactor
}

/**
 * Sends a request, and returns the answer for the caller of the mock, without the key and the headers that are credentials. Without a
 * complete, valid answer in time, returns what `refuse` makes of a sentence that says so, as a 502.
 */
export async function passOn(
  url: string | URL,
  init: RequestInit & { readonly duplex?: 'half' },
  { fetch, redactor }: Sending,
  { who, refuse }: { readonly who: string; readonly refuse: (detail: string) => Outgoing },
): Promise<Outgoing> {
  try {
    // A redirect is an answer. Following it could send the key elsewhere.
    const response = await fetch(new Request(url, { ...init, redirect: 'manual' }))
    const { status } = response
    if (!isStatus(status)) throw new TypeError(`the status ${status} is none from 200 to 599`)
    const headers = [...response.headers]
      .filter(([name]) => !withheld.has(name) && !corsHeaders.test(name))
      .map(([name, value]) => [name, redactor.header(name, value)] as const)
    return { status, headers: [...headers, ...sandbox], body: redactor.bytes(await readAtMost(response)) }
  } catch (error) {
    const detail = `${who} did not answer: ${redactor.text(causeOf(error))}. Look at its address, and whether it runs.`
    return { ...refuse(detail), status: 502, refusal: { code: 'upstream', detail } }
  }
}

/** Parses the body of an answer. Returns undefined if it is not JSON. */
export function jsonInBody(body: Outgoing['body'] = ''): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function readAtMost({ body }: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > mostBytes) throw new TypeError(`the answer is larger than ${mostBytes} bytes`)
    parts.push(part)
  }
  return joinParts(parts)
}
