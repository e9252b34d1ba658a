import { sha256 } from '@noble/hashes/sha2.js'
import type { RecordedCall, SessionFile } from './session.ts'

/** The limits of a recording: calls, and bytes of all bodies. */
const mostCalls = 10_000
const mostBytes = 32 * 1024 * 1024

/** The bytes that are kept of a body. Of longer ones a recording has size and digest. */
export const longestRecorded = 256 * 1024

/** The recorded calls of a mock. What writes them as a file is loaded when it is read. */
export class Recording {
  readonly #creator: { readonly name: string; readonly version: string }
  #calls: RecordedCall[] = []
  #bytes = 0
  #leftOut = 0
  isOn = false

  constructor(creator: { readonly name: string; readonly version: string }) {
    this.#creator = creator
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

  /** Creates the digest of a body, which a recording has in place of a long one. */
  createDigest() {
    return sha256.create()
  }

  /** Records a call, unless the recording is full. The latest are left out, since the session without them can still be replayed. */
  add(call: RecordedCall): void {
    if (!this.isOn) return
    const bytes = call.answer.bytes.length + Math.min(call.size, longestRecorded) + 1000
    const isFull = this.#leftOut > 0 || this.#calls.length >= mostCalls || this.#bytes + bytes > mostBytes
    if (isFull) {
      this.#leftOut += 1
      return
    }
    this.#calls.push(call)
    this.#bytes += bytes
  }

  /** Returns the recorded calls of a tenant, or of all, without keys and signatures. */
  async read(tenantId?: string): Promise<SessionFile> {
    const { sessionFileOf } = await import('./recorded-session.ts')
    const calls = this.#calls.filter((call) => tenantId === undefined || call.tenantId === tenantId)
    return sessionFileOf(calls, this.#creator, this.#leftOut)
  }
}
