import { createHash } from 'node:crypto'
import { installed } from '../journal/errors.ts'
import type { S3Credentials } from './credentials.ts'

/** Signs requests to an S3 store (Signature Version 4). */
export type Signer = Awaited<ReturnType<typeof loadSigner>>

interface SignerOptions {
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

/** Loads the signer on demand: a mock that keeps its objects itself signs nothing so. Throws an `ArchiveError` without it. */
export async function loadSigner({ endpoint, region, credentials }: SignerOptions) {
  const { sign } = (await installed('aws4', import('aws4'))).default
  const { origin, host, pathname } = new URL(endpoint)
  const base = pathname.replace(/\/$/, '')
  const unsigned = ({ method, path, headers }: Unsigned) => ({
    ...{ service: 's3', region, method, path: base + path },
    headers: { ...headers, Host: host },
  })
  return {
    /** Returns a URL with which anyone can send one request within a time, with these headers and any body. It ends with the credentials. */
    presign(request: Unsigned, seconds: number): string {
      const { path, at = Date.now() } = request
      const end = credentials.current.expiration?.getTime() ?? Number.POSITIVE_INFINITY
      const valid = Math.max(0, Math.min(seconds, Math.floor((end - at) / 1000)))
      const timed = `${path}${path.includes('?') ? '&' : '?'}X-Amz-Date=${dateOf(at)}&X-Amz-Expires=${valid}`
      return origin + sign({ ...unsigned({ ...request, path: timed }), signQuery: true }, credentials.current).path
    },
    /** Returns the URL and the headers of a request that the owner of the credentials sends. */
    authorize(request: Unsigned, body = ''): { url: string; headers: Record<string, string> } {
      const { headers, ...rest } = unsigned(request)
      const digest = createHash('sha256').update(body).digest('hex')
      const dated = { ...headers, 'X-Amz-Date': dateOf(request.at ?? Date.now()), 'X-Amz-Content-Sha256': digest }
      const signed = sign({ ...rest, headers: dated }, credentials.current)
      // The client writes Host itself.
      const { Host: _, ...sent } = signed.headers as Record<string, string>
      return { url: origin + signed.path, headers: sent }
    },
  }
}

/** Returns a time as signatures have it. */
function dateOf(at: number): string {
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')
}
