/** Records the calls of a mock as a session. */

import { sha256 } from '@noble/hashes/sha2.js'
import { joinParts } from '../contract/bytes.ts'
import type { SentBytes } from './digests.ts'
import { harOf } from './har.ts'
import { decodedText, SecretRedactor } from './redact.ts'
import type { SessionExchange } from './session.ts'
import { StandIns } from './stand-ins.ts'

/** A request as the mock receives it. */
interface RecordableRequest {
  readonly method: string
  readonly origin: string
  readonly publicUrl?: string
  readonly path: string
  readonly search: string
  headers(): readonly (readonly [string, string])[]
  readBody: (take: (chunk: Uint8Array) => boolean) => Promise<void>
}

/** An answer as the mock sends it. */
interface RecordableAnswer {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: string | Uint8Array
}

/** A session as HAR 1.2. */
export interface SessionFile {
  readonly log: { readonly version: '1.2'; readonly entries: readonly object[] }
}

/** The limits of a recording: calls, bytes of all bodies, and bytes of one body; of longer ones it has size and digest. */
const mostCalls = 10_000
const mostBytes = 32 * 1024 * 1024
const longestBody = 256 * 1024

type Recorded = SessionExchange & { readonly tenantId: string | undefined }

/** Calls of the mock, in the order in which they were sent. */
export class Recorder {
  #calls: Recorded[] = []
  #bytes = 0
  #leftOut = 0
  isOn = false

  /** The number of calls that were recorded or left out. It grows with each call. */
  get count(): number {
    return this.#calls.length + this.#leftOut
  }

  /** Begins a new recording, without the calls so far. */
  start(): void {
    this.isOn = true
    this.#calls = []
    this.#bytes = 0
    this.#leftOut = 0
  }

  /** Stops recording. The calls so far are kept. */
  stop(): void {
    this.isOn = false
  }

  /** Records the body of a request while the mock reads it. */
  begin(request: RecordableRequest): CallRecording {
    return new CallRecording(request, (call, size) => this.#add(call, size))
  }

  /** Returns the recorded calls of a tenant, or of all, without keys and signatures. */
  read(creator: { readonly name: string; readonly version: string }, tenantId?: string): SessionFile {
    const own = this.#calls.filter((call) => tenantId === undefined || call.tenantId === tenantId)
    const calls = own.toSorted((a, b) => a.at - b.at)
    const accepted = new Set(calls.flatMap((call) => (call.tenantId === undefined ? [] : keysOf(call))))
    const redactor = new SecretRedactor([])
    for (const { request, headers } of calls) {
      redactor.addRequest(request.headers)
      redactor.addIssued(headers)
    }
    for (const signature of new StandIns(calls).signatures) redactor.addSignature(signature)
    const comment = `${this.#leftOut} later calls were left out, since the recording was full.`
    return harOf(calls, {
      redact: (text) => redactor.text(text),
      keys: [...accepted],
      creator,
      ...(this.#leftOut > 0 && { comment }),
    }) as SessionFile
  }

  #add(call: Recorded, size: number): void {
    if (!this.isOn) return
    // Drops the latest calls, since the session without them can still be replayed.
    if (this.#leftOut > 0 || this.#calls.length >= mostCalls || this.#bytes + size > mostBytes) {
      this.#leftOut += 1
      return
    }
    this.#calls.push(call)
    this.#bytes += size
  }
}

/** Returns the key of a call, without a scheme in front of it. */
function keysOf({ request }: SessionExchange): string[] {
  const value = request.headers.get('authorization')
  return value ? [value.slice(value.lastIndexOf(' ') + 1)] : []
}

/** A recording of one call. */
export class CallRecording {
  readonly #request: RecordableRequest
  readonly #add: (call: Recorded, size: number) => void
  readonly #at = Date.now()
  readonly #begun = performance.now()
  readonly #parts: Uint8Array[] = []
  readonly #hash = sha256.create()
  #size = 0

  constructor(request: RecordableRequest, add: (call: Recorded, size: number) => void) {
    this.#request = request
    this.#add = add
    const read = request.readBody
    request.readBody = (take) =>
      read((chunk) => {
        this.#size += chunk.byteLength
        // Copied, since the memory of a chunk may be reused. The slice of a Buffer is no copy.
        if (this.#size <= longestBody) this.#parts.push(new Uint8Array(chunk))
        this.#hash.update(chunk)
        return take(chunk)
      })
  }

  /** Records the call of a tenant with its answer. */
  end({ status, headers, body = '' }: RecordableAnswer, tenantId: string | undefined): void {
    const { method, origin, publicUrl = origin, path, search } = this.#request
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    const kept = bytes.byteLength > longestBody ? bytes.subarray(0, 0) : bytes.slice()
    const call: Recorded = {
      tenantId,
      at: this.#at,
      durationMs: performance.now() - this.#begun,
      request: { method, url: `${publicUrl}${path}${search}`, headers: headersOf(this.#request.headers()) },
      ...this.#body(),
      status,
      headers: headersOf(headers),
      bytes: kept,
      size: bytes.byteLength,
      ...(kept.byteLength < bytes.byteLength && { isOversized: true }),
    }
    this.#add(call, kept.byteLength + Math.min(this.#size, longestBody) + 1000)
  }

  #body(): Pick<SessionExchange, 'sent' | 'sentBody' | 'sentBytes'> {
    if (this.#size === 0) return {}
    const digest = this.#hash.digest()
    const sentBytes: SentBytes = {
      size: this.#size,
      sha256: Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''),
    }
    if (this.#size > longestBody) return { sentBytes }
    const bytes = joinParts(this.#parts)
    const { text, isUtf8 } = decodedText(bytes)
    return isUtf8 ? { sent: text } : { sentBody: bytes, sentBytes }
  }
}

function headersOf(list: readonly (readonly [string, string])[]): Headers {
  return new Headers(list.map(([name, value]): [string, string] => [name, value]))
}
