import { operations } from '../../contract/operations.ts'
import { DomainError } from '../../domain/errors.ts'
import type { Upload } from '../../domain/uploads/upload.ts'
import { verifySignedUrl } from '../../world/presign.ts'
import type { World } from '../../world/world.ts'
import { drain, readChunks } from '../wire/body.ts'
import { type Incoming, Interrupted, inJson, type Outgoing } from '../wire/exchange.ts'
import { delay, faultStatus } from '../wire/faults.ts'
import type { StorageHandlers } from '../wire/handlers.ts'
import { askedByTest, type NextAnswers, takeNextAnswer } from '../wire/next-answers.ts'
import { preferencesOf, preferredAnswer, withoutTwins } from '../wire/prefer.ts'
import { Problem } from '../wire/problem.ts'
import type { RequestRouter } from '../wire/router.ts'
import { announcedChecksums, notImplemented } from './checksums.ts'
import { mustMeetPreconditions } from './preconditions.ts'
import { StorageError } from './storage-error.ts'

/** Where storage addresses begin; the storage key follows (gap.storage-address). */
export const storagePrefix = '/storage/'

export interface StorageOptions {
  readonly nextAnswers: NextAnswers
  /** Uses the world of a tenant identifier, if there is one, when no work on it is in progress; told which request it is for. */
  readonly enter: <Result>(
    tenantId: string,
    incoming: Incoming,
    use: (world: World | undefined) => Result,
  ) => Result | Promise<Result>
}

/** Everything below the storage address (interface.md section 4.5). */
export function storageRouter(options: StorageOptions): RequestRouter {
  const handlers = storageHandlers(options)
  return (incoming) => (incoming.path.startsWith(storagePrefix) ? answer(handlers, incoming, options) : undefined)
}

async function answer(handlers: StorageHandlers, incoming: Incoming, options: StorageOptions): Promise<Outgoing> {
  const { method } = operations.putObject
  try {
    if (incoming.method === 'OPTIONS') return inJson(204, undefined, allow)
    if (incoming.method !== method) {
      throw new StorageError('MethodNotAllowed', `${incoming.method} is not allowed here. Use ${method}.`, {
        headers: allow,
      })
    }
    const steered = await steeredAnswer(incoming, options)
    if (steered) return steered
    const { status, body, headers } = await handlers.putObject(incoming)
    return inJson(status, body, headers)
  } catch (error) {
    return refusal(error, incoming)
  }
}

const allow = { Allow: 'PUT, OPTIONS' }

/** The answer that preferences or faults give instead of storage's own, if any. */
async function steeredAnswer(
  incoming: Incoming,
  { enter, nextAnswers }: StorageOptions,
): Promise<Outgoing | undefined> {
  const tenantId = tenantOf(incoming.path)
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
    : await enter(tenantId, incoming, (world) => world && faultStatus(world, 'putObject'))
  if (preferred || fault) await drain(incoming)
  if (fault) throw new StorageError('InternalError', 'The settings of the mock say so.', { status: fault })
  return preferred
}

/** As strict as S3 is with a presigned URL. */
function storageHandlers({ enter }: StorageOptions): StorageHandlers {
  return {
    async putObject(incoming) {
      if (incoming.header('authorization') !== undefined) {
        throw new StorageError(
          'InvalidArgument',
          'Only one kind of authentication is allowed: the signed URL and an Authorization header were both sent. Send no Authorization header to upload_url; it would leak the API key to storage.',
        )
      }
      const tenantId = tenantOf(incoming.path)
      const { world, upload } = await enter(tenantId, incoming, (world) => signedUpload(incoming, world))
      mustBeAsSigned(incoming, upload)
      mustMeetPreconditions(incoming, upload)
      const announced = announcedChecksums(incoming)
      const intake = world.intake(upload.fileSize)
      try {
        const size = await readChunks(incoming, upload.fileSize, (chunk) => {
          intake.add(chunk)
          for (const { checksum } of announced) checksum?.update(chunk)
        })
        if (size !== upload.fileSize) throw anotherLength(upload.fileSize, size)
        for (const one of announced) one.mustMatch(intake)
        const digest = await enter(tenantId, incoming, (now) => {
          if (now !== world) throw wrongSignature('The upload was reset meanwhile.')
          // Another PUT may have stored something while this body arrived.
          mustMeetPreconditions(incoming, world.upload(upload.sessionId))
          return world.storeIntake(upload.sessionId, intake)
        })
        return { status: 200, body: undefined, headers: { ETag: `"${digest}"` } }
      } catch (error) {
        if (error instanceof DomainError) throw new StorageError('InvalidObjectState', error.message)
        throw error
      } finally {
        intake.drop()
      }
    },
  }
}

/** Answers a refusal; anything else is passed on. */
async function refusal(error: unknown, incoming: Incoming): Promise<Outgoing> {
  if (error instanceof Problem) return refusal(new StorageError('InvalidArgument', error.message), incoming)
  if (error instanceof Interrupted) return refusal(new StorageError('IncompleteBody', error.message), incoming)
  if (!(error instanceof StorageError)) throw error
  // S3 answers early, and clients then see a broken connection; here they see the reason.
  await drain(incoming)
  return error.toOutgoing(incoming.path)
}

function signedUpload(incoming: Incoming, world: World | undefined): { world: World; upload: Upload } {
  const { method, path, search } = incoming
  const key = decoded(path.slice(storagePrefix.length))
  const upload = world?.uploadByKey(key)
  if (!world || !upload) throw wrongSignature('No upload was requested for this address.')
  const terms = { method, contentType: upload.contentType, contentLength: upload.fileSize }
  const refusal = verifySignedUrl(path + withoutTwins(search), terms, world.secret, world.clock.now())
  if (refusal === 'signature') throw wrongSignature('The address is not as it was signed.')
  if (refusal === 'expired') throw new StorageError('AccessDenied', 'Request has expired. Request a new upload_url.')
  return { world, upload }
}

function mustBeAsSigned(incoming: Incoming, { contentType, fileSize }: Upload): void {
  const type = incoming.header('content-type')
  if (type !== contentType) {
    throw wrongSignature(`Content-Type is '${type ?? ''}', but the address was signed for '${contentType}'.`)
  }
  if (incoming.header('transfer-encoding') !== undefined) {
    throw new StorageError(
      'MissingContentLength',
      'The body comes in chunks. Send it with Content-Length, as object storage wants it.',
    )
  }
  // S3 would keep it with the object, whose bytes would then not be of the media type that was announced.
  const encoding = incoming.header('content-encoding')
  if (encoding !== undefined && encoding !== 'identity') {
    throw new StorageError(
      'AccessDenied',
      'There were headers present in the request which were not signed. Send the bytes of the file as they are, without Content-Encoding.',
      { fields: { HeadersNotSigned: 'content-encoding' } },
    )
  }
  // RFC 9110 section 14.5: storing a part as if it were the whole would lose the rest.
  for (const header of ['content-range', 'x-amz-trailer']) {
    if (incoming.header(header) !== undefined) throw notImplemented(header)
  }
  const length = incoming.header('content-length')
  if (length !== undefined && Number(length) !== fileSize) throw anotherLength(fileSize, Number(length))
}

function anotherLength(expected: number, actual: number): StorageError {
  const sent = actual > expected ? 'more' : `${actual}`
  return wrongSignature(`The body has ${sent} bytes, but the address was signed for ${expected}.`)
}

function wrongSignature(why: string): StorageError {
  return new StorageError(
    'SignatureDoesNotMatch',
    `${why} Use upload_url as it was answered, for the file that was announced.`,
  )
}

/** The tenant that a storage key is of: the segment behind `tenants/`. */
function tenantOf(path: string): string {
  return path.slice(storagePrefix.length).split('/')[1] ?? ''
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
