import { bytesToHex } from '@noble/hashes/utils.js'
import { checksumAlgorithms } from '../../checksums/algorithms.ts'
import type { Upload } from '../../domain/uploads/upload.ts'
import { readChunks } from '../../wire/body.ts'
import type { DeploymentWays } from '../../wire/deployment.ts'
import type { CheckedCall, Context, Incoming, Outgoing, StoredObject } from '../../wire/exchange.ts'
import { withoutPreferences } from '../../wire/prefer.ts'
import { UncertainError } from '../../world/archive.ts'
import type { ObjectWriter } from '../../world/objects.ts'
import { verifySignedUrl } from '../../world/presign.ts'
import type { Tenants } from '../../world/tenants.ts'
import type { World } from '../../world/world.ts'
import { type AnnouncedChecksum, notImplemented, readChecksums } from './checksums.ts'
import { mustMeetPreconditions } from './preconditions.ts'
import { StorageError } from './storage-error.ts'
import { storagePlaceOf } from './storage-path.ts'

export interface StorageOptions {
  readonly tenants: Tenants
  readonly deployment: DeploymentWays
  /** Returns the host for which the URL of a request must be signed. */
  readonly storageHost: (request: Incoming) => string
}

/** The most bytes of a file, if a deployment accepts more than were announced. */
const mostOfAnyLength = 100 * 1024 * 1024

/** An upload whose request was checked. */
interface CheckedUpload {
  readonly world: World
  readonly upload: Upload
  readonly announced: readonly AnnouncedChecksum[]
  readonly deployment: DeploymentWays
}

/** A file that has arrived. */
interface ReceivedFile {
  readonly writer: ObjectWriter
  readonly object: StoredObject
}

/** Checks the request of a PUT as strictly as S3 does with a presigned URL. Throws a `StorageError`. */
export async function checkUpload(context: Context, options: StorageOptions): Promise<CheckedCall> {
  const { request } = context
  const { tenants, deployment, storageHost } = options
  if (request.header('authorization') !== undefined && !deployment.accepts('putObject InvalidArgument')) throw twoKeys
  const find = (world?: World) => signedUpload(request, world, storageHost(request))
  const { world, upload } = await tenants.withWorldIfOpen(storagePlaceOf(request.path).tenantId, find)
  mustBeAsSigned(request, upload, deployment)
  mustBeStorable(request, upload, deployment)
  const announced = deployment.accepts('putObject BadDigest') ? [] : readChecksums(request)
  const checked: CheckedUpload = { world, upload, announced, deployment }
  let file: ReceivedFile
  return {
    async receive() {
      file = await receiveFile(context, checked)
    },
    handle: (now) => storeFile(context, now, checked, file),
  }
}

function mustBeStorable(request: Incoming, stored: Upload, { accepts, refuses }: DeploymentWays): void {
  if (refuses('putObject again') && stored.status !== 'requested') throw storedAgain
  if (!accepts('putObject PreconditionFailed')) mustMeetPreconditions(request, stored)
}

/** Receives the file of an upload that was checked. */
async function receiveFile(context: Context, checked: CheckedUpload): Promise<ReceivedFile> {
  const { request } = context
  const { world, upload, announced, deployment } = checked
  const { needsMd5, needsSha256 } = deployment
  const isAnyLength = deployment.accepts('putObject SignatureDoesNotMatch length')
  const { file_size: signed } = upload.request
  const most = isAnyLength ? Math.max(signed, mostOfAnyLength) : signed
  const md5 = needsMd5 ? checksumAlgorithms.md5.create() : undefined
  const expected = Math.min(most, (isAnyLength && announcedLength(request)) || signed)
  const writer = world.createWriter(expected, needsSha256 || announced.some(({ algorithm }) => algorithm === 'sha256'))
  context.end = (error) => {
    // An upload may name the file.
    if (error instanceof UncertainError) writer.leaveFile()
    writer.drop()
  }
  const size = await readChunks(request, most, (chunk) => {
    writer.add(chunk)
    for (const { checksum } of announced) checksum?.update(chunk)
    md5?.update(chunk)
  })
  if (isAnyLength ? size > most : size !== most) throw lengthMismatch(most, size)
  for (const one of announced) one.mustMatch(writer)
  const settling = writer.settle()
  if (settling) await settling
  return { writer, object: { size, ...(md5 && { md5: bytesToHex(md5.digest()) }) } }
}

/** Stores a file that was received, in the world of its tenant as it is now. */
function storeFile(
  context: Context,
  now: World | undefined,
  { world, upload: { sessionId }, deployment }: CheckedUpload,
  { writer, object }: ReceivedFile,
): Outgoing {
  if (now?.generation !== world.generation) throw signatureMismatch('The mock was reset during the upload.')
  // Checked again, since another PUT may have stored an object while this body arrived.
  const before = now.upload(sessionId)
  mustBeStorable(context.request, before, deployment)
  const { sha256 } = now.storeWritten(sessionId, writer)
  const crc32 = writer.crc32()
  context.sessionId = sessionId
  context.object = { ...object, crc32, ...(sha256 !== undefined && { sha256 }) }
  context.end = (error) => {
    if (error === undefined || error instanceof UncertainError) writer.leaveFile()
    if (error === undefined && before.file !== undefined) world.removeFile(before.file)
    writer.drop()
  }
  return { status: 200, headers: [['ETag', `"${crc32}"`]] }
}

const twoKeys = new StorageError(
  'InvalidArgument',
  'Only one kind of authentication is allowed, and both the signed URL and an Authorization header were sent. Send no Authorization header to upload_url, or the API key leaks to storage.',
)

function signedUpload(incoming: Incoming, world: World | undefined, host: string): { world: World; upload: Upload } {
  const { method, path, search } = incoming
  const upload = world?.uploadByKey(storagePlaceOf(path).key)
  if (!world || !upload) throw signatureMismatch('No upload was requested for this URL.')
  const terms = { method, host, contentType: upload.request.content_type, contentLength: upload.request.file_size }
  const refusal = verifySignedUrl(path + withoutPreferences(search), terms, world.secret, world.clock.now())
  if (refusal === 'signature')
    throw signatureMismatch(`The URL differs from the signed one, or was not signed for the host '${host}'.`)
  if (refusal === 'expired') throw new StorageError('AccessDenied', 'Request has expired. Request a new upload_url.')
  return { world, upload }
}

function mustBeAsSigned(incoming: Incoming, { request }: Upload, { accepts }: DeploymentWays): void {
  const { content_type: contentType, file_size: fileSize } = request
  const type = incoming.header('content-type')
  if (type !== contentType && !accepts('putObject SignatureDoesNotMatch type')) {
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
  if (encoding !== undefined && encoding !== 'identity' && !accepts('putObject AccessDenied encoding')) {
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
  if (length === undefined || length === fileSize || accepts('putObject SignatureDoesNotMatch length')) return
  throw lengthMismatch(fileSize, length)
}

function announcedLength(incoming: Incoming): number | undefined {
  const length = incoming.header('content-length')
  return length === undefined ? undefined : Number(length)
}

const storedAgain = new StorageError('PreconditionFailed', 'The object is stored already. Request a new upload_url.')

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
