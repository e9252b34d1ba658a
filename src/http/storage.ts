import { DomainError } from '../domain/errors.ts'
import type { Upload } from '../domain/upload.ts'
import { verify } from '../world/presign.ts'
import type { Tenants } from '../world/tenants.ts'
import type { World } from '../world/world.ts'
import { drain, Interrupted, readBytes } from './body.ts'
import type { StorageHandlers } from './handlers.ts'
import { StorageError } from './storage-error.ts'

/** Where storage addresses begin; the storage key follows (gap.storage-address). */
export const storagePrefix = '/storage/'

export interface StorageOptions {
  readonly tenants: Tenants
  /** SHA-256 of some bytes, in hexadecimal. */
  readonly sha256: (bytes: Uint8Array) => string
}

/** Storage (interface.md section 4.5), as strict as S3 is with a presigned URL. */
export function storageHandlers({ tenants, sha256 }: StorageOptions): StorageHandlers {
  return {
    async putObject(request) {
      if (request.headers.has('Authorization')) {
        throw new StorageError(
          'InvalidArgument',
          'Only one kind of authentication is allowed: the signed URL and an Authorization header were both sent. Send no Authorization header to upload_url; it would leak the API key to storage.',
        )
      }
      const { world, upload } = signedUpload(tenants, request)
      mustBeAsSigned(request, upload)
      const bytes = await readBytes(request, upload.fileSize)
      if (bytes?.byteLength !== upload.fileSize) throw anotherLength(upload.fileSize, bytes?.byteLength)
      const digest = sha256(bytes)
      try {
        world.handle({ type: 'StoreObject', sessionId: upload.sessionId, sha256: digest })
      } catch (error) {
        if (error instanceof DomainError) throw new StorageError('InvalidObjectState', error.message)
        throw error
      }
      world.objects.put(upload.key, bytes)
      return { status: 200, body: undefined, headers: { ETag: `"${digest}"` } }
    },
  }
}

/** Answers a refusal of storage; anything else is passed on. */
export async function storageRefusal(error: unknown, request: Request): Promise<Response> {
  if (error instanceof Interrupted) return storageRefusal(new StorageError('IncompleteBody', error.message), request)
  if (!(error instanceof StorageError)) throw error
  // S3 answers early, and clients then see a broken connection; here they see the reason.
  await drain(request)
  return error.toResponse(new URL(request.url).pathname)
}

function signedUpload(tenants: Tenants, request: Request): { world: World; upload: Upload } {
  const { pathname, search } = new URL(request.url)
  const key = decoded(pathname.slice(storagePrefix.length))
  const world = tenants.byId(key.split('/')[1] ?? '')
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

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
