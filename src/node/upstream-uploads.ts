/** Carries files through a mock to the storage of the deployment behind it. */
import { withheld } from '../contract/http.ts'
import { valueAt } from '../contract/json.ts'
import { StorageError } from '../http/storage/storage-error.ts'
import type { Profile } from '../profile/profile.ts'
import {
  type Context,
  type HeaderList,
  type Incoming,
  Interrupted,
  type Outgoing,
  publicUrlOf,
} from '../wire/exchange.ts'
import { canonicalAddress } from '../world/presign.ts'
import { jsonInBody, mostMs, passOn, type Sending } from './upstream-sending.ts'

/** The start of the mock's upload paths. The storage's host follows, then its own path and query. */
export const uploadPrefix = '/__upstream/'

/** How many addresses are known, how long each of them is in characters, and for how many milliseconds it is known. */
const [mostAddresses, longestAddress, longestMs] = [1000, 8192, 24 * 3_600_000]

interface Issued {
  readonly url: string
  readonly tenantId: string
  readonly until: number
}

/** The upload addresses that a deployment has issued. Files are sent to no others. */
export class IssuedAddresses {
  /** By the path and query at the mock, in canonical form. */
  readonly #known = new Map<string, Issued>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Returns the answer to an upload request with an address of the mock in the place of the deployment's. */
  replaceIn(
    answer: Outgoing,
    { request, tenantId = '' }: Pick<Context, 'request' | 'tenantId'>,
    like?: Profile,
  ): Outgoing {
    if (answer.status >= 300 || !(answer.body instanceof Uint8Array)) return answer
    /** The mock's addresses, by the deployment's. */
    const replaced = new Map<string, string>()
    for (const shown of addressesIn(jsonInBody(answer.body), like?.locators?.upload_url)) {
      const path = this.#issue(shown, tenantId)
      if (path !== undefined) replaced.set(shown, publicUrlOf(request) + path)
    }
    if (replaced.size === 0) return answer
    // Only these texts change, so that the rest is as the deployment wrote it. Each text of JSON ends; an optional end makes the search linear.
    const changed = (literal: string) => {
      const own = replaced.get(JSON.parse(literal))
      return own === undefined ? literal : JSON.stringify(own)
    }
    return {
      ...answer,
      headers: answer.headers.map(([name, value]) => [name, replaced.get(value) ?? value]),
      body: new TextDecoder().decode(answer.body).replaceAll(/"(?:[^"\\]|\\.)*"?/gs, changed),
    }
  }

  /** Returns the address that a request to the mock stands for; undefined if the deployment has not issued it, or too long ago. */
  find({ path, search }: Incoming): Issued | undefined {
    const issued = this.#known.get(canonicalAddress(path + search))
    return issued && issued.until > this.#now() ? issued : undefined
  }

  #issue(shown: string, tenantId: string): string | undefined {
    if (shown.length > longestAddress || !URL.canParse(shown)) return undefined
    const { protocol, host, pathname, search, href, username, password } = new URL(shown)
    if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return undefined
    const path = `${uploadPrefix}${host}${pathname}${search}`
    const key = canonicalAddress(path)
    this.#known.delete(key)
    this.#known.set(key, { url: href, tenantId, until: this.#now() + longestMs })
    const [oldest] = this.#known.keys()
    if (this.#known.size > mostAddresses && oldest !== undefined) this.#known.delete(oldest)
    return path
  }
}

/** Returns the upload addresses in an answer: by the documented name, or at the place that a profile names. */
function addressesIn(json: unknown, pointer: string | undefined): string[] {
  const named = (value: unknown): unknown[] =>
    value === null || typeof value !== 'object'
      ? []
      : Object.entries(value).flatMap(([name, member]) => (name === 'upload_url' ? [member] : named(member)))
  const found = [...named(json), pointer === undefined ? undefined : valueAt(json, pointer)]
  return found.filter((value) => typeof value === 'string')
}

/** Request headers for the mock alone, or of the page that sends the file. Storage may have signed any other. */
const notForStorage =
  /^(host|authorization|cookie|origin|referer|expect|accept-encoding|user-agent|proxy-.*|sec-.*|x-countersign-.*)$/

function isForStorage([name]: HeaderList[number]): boolean {
  const lower = name.toLowerCase()
  const isOfConnection = withheld.get(lower) === 'connection' && lower !== 'content-encoding'
  return !isOfConnection && !notForStorage.test(lower)
}

/** Sends a file on to the storage of the deployment while it arrives, and returns the answer. */
export async function carryFile(incoming: Incoming, { url }: Issued, sending: Sending): Promise<Outgoing> {
  const length = incoming.header('content-length')
  const isEmpty = length === '0' || (length === undefined && incoming.header('transfer-encoding') === undefined)
  const headers = incoming.headers().filter(isForStorage)
  const aborting = new AbortController()
  const file = new PassedBody(incoming)
  let timer: NodeJS.Timeout | undefined
  file.end.then(() => {
    timer = setTimeout(() => aborting.abort(new Error('it did not answer in time')), mostMs)
  })
  try {
    const init: Parameters<typeof passOn>[1] = {
      method: 'PUT',
      headers: [
        ...headers,
        // Storage such as S3 must know the length before the file arrives.
        ...(length === undefined || isEmpty ? [] : [['Content-Length', length] as const]),
      ] as [string, string][],
      ...(!isEmpty && { body: file.stream, duplex: 'half' }),
      signal: aborting.signal,
    }
    const answer = await passOn(url, init, sending, {
      who: 'The storage of the deployment behind the mock',
      refuse: (detail) => new StorageError('InternalError', detail).toOutgoing(incoming.path),
    })
    return file.failure ? new StorageError('IncompleteBody', file.failure.message).toOutgoing(incoming.path) : answer
  } finally {
    await file.discard()
    clearTimeout(timer)
    aborting.abort()
  }
}

/** The most bytes that are read and discarded once storage has answered: the sender of a longer rest sees a closed connection. */
const mostDiscarded = 128 * 1024 * 1024
/** The most bytes that wait for storage, before the sender has to. */
const mostWaiting = 256 * 1024

/** The body of a request as a stream. Its sender waits while the reader is behind. */
class PassedBody {
  readonly stream: ReadableStream<Uint8Array>
  /** Resolves when the body has ended, in whatever way. */
  readonly end: Promise<void>
  /** Why the body has not arrived completely. */
  failure: Interrupted | undefined
  readonly #incoming: Incoming
  #isWanted = true
  #isPaused = false

  constructor(incoming: Incoming) {
    this.#incoming = incoming
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (own) => {
          controller = own
        },
        pull: () => this.#resume(),
        cancel: () => {
          this.#isWanted = false
          this.#resume()
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: mostWaiting }),
    )
    let discarded = 0
    this.end = incoming
      .readBody((chunk) => {
        if (!this.#isWanted) {
          discarded += chunk.byteLength
          return discarded <= mostDiscarded
        }
        controller?.enqueue(chunk)
        if ((controller?.desiredSize ?? 1) <= 0) {
          this.#isPaused = true
          incoming.pause?.()
        }
        return true
      })
      .then(
        () => {
          if (this.#isWanted) controller?.close()
        },
        (error: unknown) => {
          this.failure = error instanceof Interrupted ? error : new Interrupted(error)
          if (this.#isWanted) controller?.error(error)
        },
      )
  }

  /** Reads what is left of the body without sending it on, so that the sender gets the answer. */
  async discard(): Promise<void> {
    this.#isWanted = false
    this.#resume()
    await this.end
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#incoming.resume?.()
  }
}
