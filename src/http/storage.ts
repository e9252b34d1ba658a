import type { Hono } from 'hono'
import { operations } from '../contract/operations.ts'
import { DomainError } from '../domain/errors.ts'
import type { Upload } from '../domain/upload.ts'
import { verify } from '../world/presign.ts'
import type { World } from '../world/world.ts'
import { drain, Interrupted, readBytes } from './body.ts'
import { delay, faultStatus } from './faults.ts'
import type { StorageHandlers } from './handlers.ts'
import { preferencesOf, preferredAnswer, withoutTwins } from './prefer.ts'
import { Problem } from './problem.ts'
import { toResponse } from './router.ts'
import { StorageError } from './storage-error.ts'

/** Where storage addresses begin; the storage key follows (gap.storage-address). */
export const storagePrefix = '/storage/'

export interface StorageOptions {
  /** The world of a tenant identifier, if there is one; told which request it is for. */
  readonly enter: (tenantId: string, request: Request) => World | undefined
}

/** Everything below the storage address (interface.md section 4.5). */
export function mountStorage(app: Hono, options: StorageOptions): void {
  const { putObject } = storageHandlers(options)
  const { method } = operations.putObject
  app.all(`${storagePrefix}*`, async ({ req: { raw: request } }) => {
    try {
      if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: allow })
      if (request.method !== method) {
        throw new StorageError('MethodNotAllowed', `${request.method} is not allowed here. Use ${method}.`, {
          headers: allow,
        })
      }
      return (await steered(request, options)) ?? toResponse(await putObject(withoutTwins(request)))
    } catch (error) {
      return refusal(error, request)
    }
  })
}

const allow = { Allow: 'PUT, OPTIONS' }

/** The answer that preferences or faults give instead of storage's own, if any. */
async function steered(request: Request, { enter }: StorageOptions): Promise<Response | undefined> {
  const world = enter(tenantOf(request.url), request)
  if (!world) return undefined
  const preferences = preferencesOf(request)
  await delay(world, preferences)
  const preferred = preferredAnswer('putObject', preferences)
  const fault = preferred ? undefined : faultStatus(world, 'putObject')
  if (preferred || fault) await drain(request)
  if (fault) throw new StorageError('InternalError', 'The settings of the mock say so.', { status: fault })
  return preferred
}

/** As strict as S3 is with a presigned URL. */
function storageHandlers({ enter }: StorageOptions): StorageHandlers {
  return {
    async putObject(request) {
      if (request.headers.has('Authorization')) {
        throw new StorageError(
          'InvalidArgument',
          'Only one kind of authentication is allowed: the signed URL and an Authorization header were both sent. Send no Authorization header to upload_url; it would leak the API key to storage.',
        )
      }
      const { world, upload } = signedUpload(request, enter)
      mustBeAsSigned(request, upload)
      const bytes = await readBytes(request, upload.fileSize)
      if (bytes?.byteLength !== upload.fileSize) throw anotherLength(upload.fileSize, bytes?.byteLength)
      // Bytes that were on their way already are not what the client still wants.
      if (request.signal.aborted) throw new Interrupted('The client has gone.')
      try {
        const digest = world.storeObject(upload.sessionId, bytes)
        return { status: 200, body: undefined, headers: { ETag: `"${digest}"` } }
      } catch (error) {
        if (error instanceof DomainError) throw new StorageError('InvalidObjectState', error.message)
        throw error
      }
    },
  }
}

/** Answers a refusal; anything else is passed on. */
async function refusal(error: unknown, request: Request): Promise<Response> {
  if (error instanceof Problem) return refusal(new StorageError('InvalidArgument', error.message), request)
  if (error instanceof Interrupted) return refusal(new StorageError('IncompleteBody', error.message), request)
  if (!(error instanceof StorageError)) throw error
  // S3 answers early, and clients then see a broken connection; here they see the reason.
  await drain(request)
  return error.toResponse(new URL(request.url).pathname)
}

function signedUpload(request: Request, enter: StorageOptions['enter']): { world: World; upload: Upload } {
  const { pathname, search } = new URL(request.url)
  const key = decoded(pathname.slice(storagePrefix.length))
  const world = enter(tenantOf(request.url), request)
  const upload = world?.uploadByKey(key)
  if (!world || !upload) throw wrongSignature('No upload was requested for this address.')
  const terms = { method: request.method, contentType: upload.contentType, contentLength: upload.fileSize }
  const refusal = verify(pathname + search, terms, world.secret, world.clock.now())
  if (refusal === 'signature') throw wrongSignature('The address is not as it was signed.')
  if (refusal === 'expired') throw new StorageError('AccessDenied', 'Request has expired. Request a new upload_url.')
  return { world, upload }
}

function mustBeAsSigned({ headers }: Request, { contentType, fileSize }: Upload): void {
  const type = headers.get('Content-Type')
  if (type !== contentType) {
    throw wrongSignature(`Content-Type is '${type ?? ''}', but the address was signed for '${contentType}'.`)
  }
  const length = headers.get('Content-Length')
  if (length !== null && Number(length) !== fileSize) throw anotherLength(fileSize, Number(length))
}

function anotherLength(expected: number, actual?: number): StorageError {
  const sent = actual === undefined ? 'more' : `${actual}`
  return wrongSignature(`The body has ${sent} bytes, but the address was signed for ${expected}.`)
}

function wrongSignature(why: string): StorageError {
  return new StorageError(
    'SignatureDoesNotMatch',
    `${why} Use upload_url as it was answered, for the file that was announced.`,
  )
}

/** The tenant that a storage key is of: the segment behind `tenants/`. */
function tenantOf(url: string): string {
  return new URL(url).pathname.slice(storagePrefix.length).split('/')[1] ?? ''
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
