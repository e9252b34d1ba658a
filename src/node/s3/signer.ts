import { createHash } from 'node:crypto'
import { ArchiveError } from '../../world/archive.ts'
import type { S3Credentials } from './credentials.ts'

export interface SignerOptions {
  /** The address of the store, without a bucket. */
  readonly endpoint: string
  readonly region: string
  /** Holds the credentials at the time of each signature. */
  readonly credentials: { readonly current: S3Credentials }
}

interface Unsigned {
  readonly method: string
  /** Path below the endpoint, percent-encoded, with a query if there is one. */
  readonly path: string
  /** All of them are signed. @default none */
  readonly headers?: Readonly<Record<string, string>>
  /** The time of the signature, in milliseconds since 1970. @default now */
  readonly at?: number
}

/** What is used of aws4. Declarations that had its own types would need an optional package. */
type Sign = (
  request: { readonly path: string; readonly headers: Record<string, string>; readonly signQuery?: boolean },
  credentials: S3Credentials,
) => { readonly path?: string; readonly headers?: object }

/** Signs requests to an S3 store (Signature Version 4). */
export class Signer {
  readonly #sign: Sign
  readonly #options: SignerOptions
  readonly #endpoint: URL

  constructor(signRequest: Sign, options: SignerOptions) {
    this.#sign = signRequest
    this.#options = options
    this.#endpoint = new URL(options.endpoint)
  }

  /** Returns a URL with which anyone can send one request within a time, with these headers and any body. It ends with the credentials. */
  presign({ path, at = Date.now(), ...request }: Unsigned, seconds: number): string {
    const separator = path.includes('?') ? '&' : '?'
    const end = this.#credentials.expiration?.getTime() ?? Number.POSITIVE_INFINITY
    const valid = Math.max(0, Math.min(seconds, Math.floor((end - at) / 1000)))
    const timed = `${path}${separator}X-Amz-Date=${dateOf(at)}&X-Amz-Expires=${valid}`
    const signed = this.#sign({ ...this.#requestOf({ ...request, path: timed }), signQuery: true }, this.#credentials)
    return this.#endpoint.origin + signed.path
  }

  /** Returns the URL and the headers of a request that the owner of the credentials sends. */
  authorize({ at = Date.now(), ...request }: Unsigned, body = ''): { url: string; headers: Record<string, string> } {
    const unsigned = this.#requestOf(request)
    const digest = createHash('sha256').update(body).digest('hex')
    const headers = { ...unsigned.headers, 'X-Amz-Date': dateOf(at), 'X-Amz-Content-Sha256': digest }
    const signed = this.#sign({ ...unsigned, headers }, this.#credentials)
    // The client writes Host itself.
    const { Host: _, ...sent } = signed.headers as Record<string, string>
    return { url: this.#endpoint.origin + signed.path, headers: sent }
  }

  get #credentials(): S3Credentials {
    return this.#options.credentials.current
  }

  #requestOf({ method, path, headers = {} }: Unsigned) {
    const base = this.#endpoint.pathname.replace(/\/$/, '')
    const { region } = this.#options
    return { service: 's3', region, method, path: base + path, headers: { ...headers, Host: this.#endpoint.host } }
  }
}

/** Loads the signer on demand: a mock that keeps its objects itself signs nothing so. Throws an `ArchiveError` without it. */
export async function loadSigner(options: SignerOptions): Promise<Signer> {
  try {
    const { sign } = (await import('aws4')).default
    return new Signer(sign, options)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new ArchiveError('The package aws4 is not installed. Install it: npm install aws4')
  }
}

/** Returns a time as signatures have it. */
function dateOf(at: number): string {
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')
}
