import { SecretRedactor } from '../../session/redact.ts'
import { ArchiveError, UnavailableError } from '../../world/archive.ts'
import { causeOf } from '../journal/errors.ts'
import { type RenewedCredentials, renewedCredentials, type S3Credentials } from './credentials.ts'
import { loadSigner, type Signer } from './signer.ts'

/** An S3 store and the credentials for it. */
export interface S3Options {
  /**
   * Name of the bucket.
   *
   * @example `{ bucket: 'uploads' }`
   */
  readonly bucket: string
  /**
   * Address of the store, without the bucket, as clients reach it too.
   *
   * @default that of Amazon S3 in the region
   * @example `{ endpoint: 'https://objects.example' }`
   */
  readonly endpoint?: string
  /**
   * Where addresses have the bucket: in their `path`, or in their `host`, before the endpoint's.
   *
   * @default 'host' for Amazon S3, unless the bucket has a dot, which its certificate does not cover; else 'path'
   * @example `{ endpoint: 'https://objects.example', addressing: 'host' }`
   */
  readonly addressing?: 'path' | 'host'
  /**
   * Region that requests are signed for.
   *
   * @default 'us-east-1'
   * @example `{ region: 'eu-central-1' }`
   */
  readonly region?: string
  /**
   * Identifies the credentials. It is part of upload URLs.
   *
   * @default that of `credentials`
   */
  readonly accessKeyId?: string
  /**
   * Signs requests and upload URLs. It is never sent.
   *
   * @default that of `credentials`
   */
  readonly secretAccessKey?: string
  /**
   * Belongs to temporary credentials. It is part of upload URLs.
   *
   * @default none
   */
  readonly sessionToken?: string
  /**
   * Gets credentials, in place of the three above: at the start, and 20 minutes before each `expiration`. A provider of the
   * AWS SDK is such a function.
   *
   * @default the same credentials for ever
   */
  readonly credentials?: () => Promise<S3Credentials>
}

/** The store cannot be reached, or refuses, now. */
export class StoreError extends UnavailableError {
  override readonly code = 'store-unavailable'
}

interface S3Request {
  readonly method: string
  /** Percent-encoded path below the bucket, with its slash, or a query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** An answer of the store: with the code and the message of its error, if the method has bodies. */
export interface S3Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly code: string
  readonly message: string
}

/** Sends requests about one bucket. */
export interface S3Client {
  readonly signer: Signer
  /** The path of the bucket; empty if the host names it. */
  readonly root: string
  /** The name of bucket and store for messages. */
  readonly place: string
  readonly credentials: RenewedCredentials
  /** Rejects with a `StoreError` if no answer arrives in time. */
  send(request: S3Request): Promise<S3Answer>
}

/** The time that the store may take for an answer, in milliseconds. */
const answerMs = 5000

/** Creates a client. Throws an `ArchiveError` if the options cannot be used. Sends nothing to the store yet. */
export async function createS3Client(
  options: S3Options,
  warn: (message: string) => void = () => {},
): Promise<S3Client> {
  const { bucket, region = 'us-east-1', endpoint = `https://s3.${region}.amazonaws.com` } = options
  const { accessKeyId = '', secretAccessKey = '', sessionToken } = options
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new ArchiveError(`'${bucket.slice(0, 100)}' is no name of a bucket. Use s3://bucket, without a path.`)
  }
  if (!/^https?:\/\//i.test(endpoint) || !URL.canParse(endpoint)) {
    throw new ArchiveError(
      'The address of the store is not an http:// or https:// URL. Set it as https://objects.example.',
    )
  }
  const fixed = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
  const credentials = await renewedCredentials(options.credentials ?? (() => Promise.resolve(fixed)), warn)
  const base = new URL(endpoint)
  const place = `${bucket} at ${base.host}`
  const isAmazon = /\.amazonaws\.com(\.cn)?$/.test(base.hostname)
  const { addressing = isAmazon && !bucket.includes('.') ? 'host' : 'path' } = options
  if (addressing === 'host') base.hostname = `${bucket}.${base.hostname}`
  if (addressing === 'host' && !base.hostname.startsWith(`${bucket}.`)) {
    throw new ArchiveError(
      `A bucket cannot be in front of the address ${base.host}. Name the store by its host, or use addressing path.`,
    )
  }
  const root = addressing === 'host' ? '' : `/${bucket}`
  const signer = await loadSigner({ endpoint: base.href, region, credentials })
  const clean = (text: string) => {
    const { secretAccessKey: secret, sessionToken: token = '' } = credentials.current
    return new SecretRedactor([secret, token]).text(text)
  }

  async function send({ method, path, headers = {}, body }: S3Request): Promise<S3Answer> {
    const signed = signer.authorize({ method, path: (root + path).replace(/^(?!\/)/, '/'), headers }, body)
    const init = { method, headers: signed.headers, ...(body !== undefined && { body }) }
    try {
      // A redirect would lead to another signature.
      const response = await fetch(signed.url, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.timeout(answerMs),
      })
      const text = await response.text()
      return {
        ...{ status: response.status, headers: response.headers, text },
        code: text.match(/<Code>([^<]{0,300})/)?.[1] ?? '',
        message: clean(text.match(/<Message>([^<]{0,300})/)?.[1] ?? ''),
      }
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      const why = isLate ? `no answer within ${answerMs / 1000} s` : causeOf(error)
      throw new StoreError(
        `The store of bucket ${place} cannot be reached: ${why}. Check its address, or try again later.`,
      )
    }
  }

  return { signer, root, place, credentials, send }
}

/** Returns by how many seconds the clock of this machine is ahead of that of the store; 0 if the store does not say. */
export function secondsAhead({ headers }: S3Answer): number {
  const theirs = Date.parse(headers.get('Date') ?? '')
  return Number.isNaN(theirs) ? 0 : Math.round((Date.now() - theirs) / 1000)
}

/** Returns what an answer that is no success means, and what to do. */
export function explainRefusal(answer: S3Answer, place: string): string {
  const { status, code, message } = answer
  const what =
    `The store refuses requests about bucket ${place}: ${[status, code, message].filter(Boolean).join(' ')}`.replace(
      /\.$/,
      '',
    )
  if (code === 'NoSuchBucket') return `The bucket ${place} does not exist. Create it, or correct its name.`
  if (code === 'RequestTimeTooSkewed') {
    return `The clock of this machine differs from that of the store of bucket ${place} by ${Math.abs(secondsAhead(answer))} s. Synchronise it.`
  }
  return `${what}. ${cures[code] ?? 'Check address, region and bucket.'}`
}

const checkKeys = 'Check the access key and its secret.'

/** What to do, by the code of the store. */
const cures: Readonly<Partial<Record<string, string>>> = {
  InvalidAccessKeyId: checkKeys,
  SignatureDoesNotMatch: checkKeys,
  ExpiredToken: checkKeys,
  InvalidToken: checkKeys,
  AccessDenied: 'The credentials need s3:ListBucket for the bucket, and s3:GetObject and s3:PutObject for its objects.',
}
