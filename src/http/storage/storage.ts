import { bytesToHex } from '@noble/hashes/utils.js'
import { operations } from '../../contract/operations.ts'
import type { Upload } from '../../domain/uploads/upload.ts'
import { UnavailableError, UncertainError } from '../../world/archive.ts'
import { checksumAlgorithms } from '../../world/checksum-algorithms.ts'
import type { Intake } from '../../world/objects.ts'
import { canonicalAddress, encodeKey, verifySignedUrl } from '../../world/presign.ts'
import type { World } from '../../world/world.ts'
import { drain, readChunks } from '../wire/body.ts'
import { type Incoming, Interrupted, jsonAnswer, type Outgoing } from '../wire/exchange.ts'
import { delay, drawFault } from '../wire/faults.ts'
import type { StorageHandlers } from '../wire/handlers.ts'
import { askedByTest, type NextAnswers, takeNextAnswer } from '../wire/next-answers.ts'
import { preferencesOf, preferredAnswer, withoutPreferences } from '../wire/prefer.ts'
import { faultDetail } from '../wire/problem.ts'
import { decode, type RequestRouter } from '../wire/router.ts'
import type { StorageTolerance } from '../wire/storage-tolerance.ts'
import { notImplemented, readChecksums } from './checksums.ts'
import { mustMeetPreconditions } from './preconditions.ts'
import { StorageError, storageErrorOf } from './storage-error.ts'

/** The prefix of storage paths; the storage key follows (gap.storage-address). */
export const storagePrefix = '/storage/'

/** Stands before the tenant of a key that shows its tenant by another name. */
const ofTenant = 'of'

/** Returns the path of a storage key. The tenant is in it, by its identifier. */
export function storagePathOf(key: string, tenantId: string): string {
  const showsTenant = key.startsWith(`tenants/${tenantId}/`)
  return storagePrefix + (showsTenant ? '' : `${ofTenant}/${tenantId}/`) + encodeKey(key)
}

const strict: StorageTolerance = { accepts: () => false, refusesAgain: false }

export interface StorageOptions {
  /** True if the MD5 of stored objects is computed. @default false */
  readonly needsMd5?: boolean
  /** True if the SHA-256 of stored objects is computed. @default only if a PUT announces it */
  readonly needsSha256?: boolean
  /** @default as strict as S3, and no stricter */
  readonly tolerance?: StorageTolerance
  readonly nextAnswers: NextAnswers
  /** Returns the host for which the URL of a request must be signed. */
  readonly storageHost: (incoming: Incoming) => string
  /** Calls `use` with the world of a tenant, if it exists, as soon as no work on it is in progress. */
  readonly enter: <Result>(
    tenantId: string,
    incoming: Incoming,
    use: (world: World | undefined) => Result,
  ) => Result | Promise<Result>
}

/** Routes everything below the storage prefix (interface.md section 4.5). */
export function storageRouter(options: StorageOptions): RequestRouter {
  const handlers = storageHandlers(options)
  return (incoming) =>
    canonicalAddress(incoming.path).startsWith(storagePrefix) ? answer(handlers, incoming, options) : undefined
}

async function answer(handlers: StorageHandlers, incoming: Incoming, options: StorageOptions): Promise<Outgoing> {
  const { method } = operations.putObject
  try {
    if (incoming.method === 'OPTIONS') return jsonAnswer(204, undefined, allow)
    if (incoming.method !== method) {
      throw new StorageError('MethodNotAllowed', `${incoming.method} is not allowed here. Use ${method}.`, {
        headers: allow,
      })
    }
    incoming.operationId = 'putObject'
    const override = await overridingAnswer(incoming, options)
    if (override) return { ...override, isInjected: true }
    const { status, body, headers } = await handlers.putObject(incoming)
    return jsonAnswer(status, body, headers)
  } catch (error) {
    return answerRefusal(error, incoming)
  }
}

const allow = { Allow: 'PUT, OPTIONS' }

/** Returns the answer that a preference or fault puts in place of storage's own, if any. */
async function overridingAnswer(
  incoming: Incoming,
  { enter, nextAnswers }: StorageOptions,
): Promise<Outgoing | undefined> {
  const { tenantId } = placeOf(incoming.path)
  const preferences = preferencesOf(incoming)
  const waiting = enter(tenantId, incoming, (world) => world && delay(world, preferences))
  if (waiting) await waiting
  const next = await takeNextAnswer(nextAnswers, 'putObject', tenantId, incoming, (status) =>
    new StorageError('InternalError', askedByTest, { status }).toOutgoing(incoming.path),
  )
  if (next) return next
  const preferred = await enter(tenantId, incoming, (world) => world && preferredAnswer('putObject', preferences))
  const fault = preferred
    ? undefined
    : await enter(tenantId, incoming, (world) => world && drawFault(world, 'putObject'))
  if (preferred || fault) await drain(incoming)
  if (fault) throw new StorageError('InternalError', faultDetail, { status: fault })
  return preferred
}

/** The most bytes of a file, if a deployment accepts more than were announced. */
const mostOfAnyLength = 100 * 1024 * 1024

/** Creates the storage handlers, which are as strict as S3 is with a presigned URL. */
function storageHandlers(options: StorageOptions): StorageHandlers {
  const { enter, needsMd5, needsSha256, tolerance = strict, storageHost } = options
  return {
    async putObject(incoming) {
      if (incoming.header('authorization') !== undefined && !tolerance.accepts('InvalidArgument')) {
        throw new StorageError(
          'InvalidArgument',
          'Only one kind of authentication is allowed, and both the signed URL and an Authorization header were sent. Send no Authorization header to upload_url, or the API key leaks to storage.',
        )
      }
      const { tenantId } = placeOf(incoming.path)
      const { world, upload } = await enter(tenantId, incoming, (world) =>
        signedUpload(incoming, world, storageHost(incoming)),
      )
      mustBeAsSigned(incoming, upload, tolerance)
      const mustBeStorable = (stored: Upload) => {
        if (tolerance.refusesAgain && stored.status !== 'requested') throw storedAgain()
        if (!tolerance.accepts('PreconditionFailed')) mustMeetPreconditions(incoming, stored)
      }
      mustBeStorable(upload)
      const announced = tolerance.accepts('BadDigest') ? [] : readChecksums(incoming)
      const isAnyLength = tolerance.accepts('SignatureDoesNotMatch', 'length')
      const most = isAnyLength ? Math.max(upload.request.file_size, mostOfAnyLength) : upload.request.file_size
      const md5 = needsMd5 ? checksumAlgorithms.md5.create() : undefined
      const expected = Math.min(most, (isAnyLength && announcedLength(incoming)) || upload.request.file_size)
      const intake = world.intake(expected, needsSha256 || announced.some(({ algorithm }) => algorithm === 'sha256'))
      try {
        let refusal: UnavailableError | undefined
        const size = await readChunks(incoming, most, (chunk) => {
          // The rest is still read, or the client would see a broken connection instead of the answer.
          if (refusal) return
          refusal = addTo(intake, chunk)
          for (const { checksum } of announced) checksum?.update(chunk)
          md5?.update(chunk)
        })
        if (refusal) throw refusal
        if (isAnyLength ? size > most : size !== most) throw lengthMismatch(most, size)
        for (const one of announced) one.mustMatch(intake)
        const settling = intake.settle()
        if (settling) await settling
        const { sha256, replaced } = await enter(tenantId, incoming, (now) => {
          if (now?.generation !== world.generation) throw signatureMismatch('The mock was reset during the upload.')
          // Checked again, since another PUT may have stored an object while this body arrived.
          const before = now.upload(upload.sessionId)
          mustBeStorable(before)
          return { ...now.storeIntake(upload.sessionId, intake), replaced: before.file }
        })
        intake.leaveFile()
        if (replaced !== undefined) world.removeFile(replaced)
        const crc32 = intake.crc32()
        const object = {
          size,
          crc32,
          ...(sha256 !== undefined && { sha256 }),
          ...(md5 && { md5: bytesToHex(md5.digest()) }),
        }
        incoming.call = { id: 'putObject', params: {}, sessionId: upload.sessionId, object, now: world.clock.now() }
        return { status: 200, body: undefined, headers: { ETag: `"${crc32}"` } }
      } catch (error) {
        // An upload may name the file.
        if (error instanceof UncertainError) intake.leaveFile()
        throw error
      } finally {
        intake.drop()
      }
    },
  }
}

/** Adds a chunk to an object. Returns the error if that is not possible now. */
function addTo(intake: Intake, chunk: Uint8Array): UnavailableError | undefined {
  try {
    intake.add(chunk)
  } catch (error) {
    if (error instanceof UnavailableError) return error
    throw error
  }
}

/** Answers an expected error; rethrows any other. */
async function answerRefusal(error: unknown, incoming: Incoming): Promise<Outgoing> {
  const refusal = storageErrorOf(error)
  if (!refusal) throw error
  try {
    // S3 answers early, and clients then see a broken connection; here they see the reason.
    await drain(incoming)
  } catch (cut) {
    if (cut instanceof Interrupted) return answerRefusal(cut, incoming)
    throw cut
  }
  return refusal.toOutgoing(incoming.path)
}

function signedUpload(incoming: Incoming, world: World | undefined, host: string): { world: World; upload: Upload } {
  const { method, path, search } = incoming
  const upload = world?.uploadByKey(placeOf(path).key)
  if (!world || !upload) throw signatureMismatch('No upload was requested for this URL.')
  const terms = { method, host, contentType: upload.request.content_type, contentLength: upload.request.file_size }
  const refusal = verifySignedUrl(path + withoutPreferences(search), terms, world.secret, world.clock.now())
  if (refusal === 'signature')
    throw signatureMismatch(`The URL differs from the signed one, or was not signed for the host '${host}'.`)
  if (refusal === 'expired') throw new StorageError('AccessDenied', 'Request has expired. Request a new upload_url.')
  return { world, upload }
}

function mustBeAsSigned(incoming: Incoming, { request }: Upload, { accepts }: StorageTolerance): void {
  const { content_type: contentType, file_size: fileSize } = request
  const type = incoming.header('content-type')
  if (type !== contentType && !accepts('SignatureDoesNotMatch', 'type')) {
    throw signatureMismatch(`Content-Type is '${type ?? ''}', but the URL was signed for '${contentType}'.`)
  }
  if (incoming.header('transfer-encoding') !== undefined) {
    throw new StorageError(
      'MissingContentLength',
      'The body is sent in chunks, without Content-Length. Send it with Content-Length.',
    )
  }
  // S3 would store the encoding with the object, whose bytes would then not have the announced media type.
  const encoding = incoming.header('content-encoding')
  if (encoding !== undefined && encoding !== 'identity' && !accepts('AccessDenied', 'encoding')) {
    throw new StorageError(
      'AccessDenied',
      'There were headers present in the request which were not signed. Send the file uncompressed, without Content-Encoding.',
      { fields: { HeadersNotSigned: 'content-encoding' } },
    )
  }
  // Storing a part as if it were the whole would lose the rest (RFC 9110 section 14.5).
  for (const header of ['content-range', 'x-amz-trailer']) {
    if (incoming.header(header) !== undefined) throw notImplemented(header)
  }
  const length = announcedLength(incoming)
  if (length === undefined || length === fileSize || accepts('SignatureDoesNotMatch', 'length')) return
  throw lengthMismatch(fileSize, length)
}

function announcedLength(incoming: Incoming): number | undefined {
  const length = incoming.header('content-length')
  return length === undefined ? undefined : Number(length)
}

function storedAgain(): StorageError {
  return new StorageError('PreconditionFailed', 'The object is stored already. Request a new upload_url.')
}

function lengthMismatch(expected: number, actual: number): StorageError {
  const sent = actual > expected ? 'more' : `${actual}`
  const hint = actual && actual <= '[object Object]'.length ? unknownFile : ''
  return signatureMismatch(`The body has ${sent} bytes, but the URL was signed for ${expected}.${hint}`)
}

const unknownFile =
  " If it is a text such as '[object File]' or 'undefined', fetch does not know the file, as in jsdom: send await file.arrayBuffer()."

function signatureMismatch(why: string): StorageError {
  return new StorageError('SignatureDoesNotMatch', `${why} Use upload_url unchanged, for the announced file.`)
}

/** Returns the tenant identifier and the key in a storage path. */
function placeOf(path: string): { readonly tenantId: string; readonly key: string } {
  const place = decode(canonicalAddress(path).slice(storagePrefix.length, -1))
  const [first, tenantId = '', ...rest] = place.split('/')
  return { tenantId, key: first === ofTenant ? rest.join('/') : place }
}
