/** Broken storage: interface.md section 4.5. */
import { aliasUrls } from '../aliases.ts'
import { changeAt, changeNamed, without } from '../json.ts'
import { type FaultRow, faultRows, isPlain, type MutantRow, mutantsOf, showsDocument } from '../mutant.ts'
import {
  bytesOf,
  changeAnswer,
  changeRequest,
  compose,
  isCall,
  type Members,
  onCalls,
  type PastCall,
  problem,
  remembering,
  type ServerFunction,
  serviceCalls,
  type Wrapper,
  wrap,
} from '../wrapper.ts'
import { keyIn } from './auth.ts'

const put = (handle: (request: Request, inner: ServerFunction) => Promise<Response>) => onCalls(['putObject'], handle)

function refusal(status: number): Response {
  const xml =
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Refused.</Message></Error>\n'
  return new Response(xml, { status, headers: { 'Content-Type': 'application/xml' } })
}

/** Refuses PUTs that do not meet a condition. */
const refusesUnless = (condition: (request: Request, bytes: Uint8Array) => boolean, status = 403) =>
  put(async (request, inner) => (condition(request, await bytesOf(request)) ? inner(request) : refusal(status)))

const typeIn = ({ headers }: Request) => headers.get('Content-Type')

/** Answers successful PUTs with another status or body. */
function answers(status: number, body: string | null = null, type?: string): Wrapper {
  return put(async (request, inner) => {
    const response = await inner(request)
    if (response.status !== 200) return response
    const headers = new Headers(response.headers)
    if (type) headers.set('Content-Type', type)
    return new Response(body, { status, headers })
  })
}

/** Finds the request for the upload to which a PUT belongs. */
export const uploadRequestOf = (put: Request, past: readonly PastCall[]) =>
  past.find(
    ({ call, answer }) =>
      call === 'requestUpload' &&
      URL.canParse(String(answer?.upload_url)) &&
      new URL(String(answer?.upload_url)).pathname === new URL(put.url).pathname,
  )

type TakesType = (type: string | null, declared: string) => boolean

/** Accepts a PUT by its media type and the declared one. The reference gets the declared one. */
export const takesTypes = (isWanted: TakesType): Wrapper =>
  remembering(async (request, inner, past) => {
    const declared = request.method === 'PUT' && uploadRequestOf(request, past)?.sent.content_type
    if (typeof declared !== 'string') return inner(request)
    if (!isWanted(typeIn(request), declared)) return refusal(403)
    return inner(await changeRequest(request, { headers: { 'Content-Type': declared } }))
  })

/** Requires the service's key in the Authorization header of the PUT, and removes it before the reference. */
const wantsKey = (status: number) =>
  remembering(async (request, inner, past) => {
    if (!isCall(request, 'putObject')) return inner(request)
    const keys = past.filter((one) => isCall(one.request, ...serviceCalls)).map((one) => keyIn(one.request))
    const given = keyIn(request)?.replace(/^Bearer /, '')
    return given && given === keys.findLast((key) => key !== null)
      ? inner(await changeRequest(request, { headers: { Authorization: null } }))
      : refusal(status)
  })

const isUtf8 = (bytes: Uint8Array) => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

const rejected: readonly FaultRow<(bytes: Uint8Array) => boolean>[] = [
  ['put-refuses-nul', 'A file with a zero byte is refused.', (bytes) => !bytes.includes(0)],
  ['put-refuses-invalid-utf8', 'A file that is not UTF-8 is refused.', isUtf8],
  [
    'put-refuses-high-bytes',
    'A file with bytes beyond ASCII is refused.',
    (bytes) => bytes.every((byte) => byte < 128),
  ],
  [
    'put-refuses-control-bytes',
    'A file with control characters is refused.',
    (bytes) => bytes.every((byte) => byte > 31 || [9, 10, 13].includes(byte)),
  ],
]

const bodies: [id: string, body: string, type?: string][] = [
  ['ok', 'OK', 'text/plain'],
  ['empty-object', '{}', 'application/json'],
  ['space', ' '],
  ['newline', '\n'],
  ['carriage-return', '\r\n'],
  ['null', 'null', 'application/json'],
  ['byte-order-mark', '\uFEFF'],
  ['xml', '<?xml version="1.0"?><PutObjectResult/>', 'application/xml'],
  ['page', '<!doctype html><p>Stored.</p>', 'text/html'],
]

/** Simulates a damaged file by showing another checksum. */
const damages = changeAnswer(
  'confirmUpload',
  changeNamed('crc32', (sum: string) =>
    sum.replaceAll(/./g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16)),
  ),
)

/** Changes files before they are stored, which only the ETag shows. */
const changesUnseen = (change: (bytes: Uint8Array<ArrayBuffer>, type: string) => Uint8Array<ArrayBuffer>) =>
  compose(
    put(async (request, inner) => {
      const { url, method, headers } = request
      const body = change(await bytesOf(request), typeIn(request) ?? '')
      return inner(new Request(url, { method, headers, body }))
    }),
    changeAnswer('confirmUpload', (body) => without({ ...body }, 'crc32')),
  )

/** Changes one bit. An empty file has none. */
const damaged = (bytes: Uint8Array<ArrayBuffer>) => {
  if (bytes.byteLength > 0) bytes[0] = (bytes[0] ?? 0) ^ 1
  return bytes
}

/** Replaces line breaks of texts by spaces, so that the size stays the declared one. */
const withoutLineBreaks = (bytes: Uint8Array<ArrayBuffer>, type: string) =>
  type.startsWith('text/') ? bytes.map((byte) => (byte === 13 ? 32 : byte)) : bytes

const changeUploadUrl = (change: (url: string) => unknown) =>
  changeAnswer('requestUpload', changeAt('upload_url', change))

/** Moves upload URLs to paths of the service, where they work as well. */
const movesToServicePath = compose(
  changeUploadUrl((url) => url.replace('/storage/', '/api/v1/storage/')),
  wrap(async (request, inner) =>
    inner(await changeRequest(request, { url: request.url.replace('/api/v1/storage/', '/storage/') })),
  ),
)

/** Confirmations that show other facts of a file, under names that are not those of the contract. */
const shownOtherwise: readonly FaultRow<(size: number) => Members>[] = [
  [
    'large-files-cut',
    'Only the first 64 KiB of a file are stored, as a number shows.',
    (size) => ({ volume: Math.min(size, 65_536) }),
  ],
  [
    'larger-files-cut',
    'Only the first 256 KiB of a file are stored, as a number shows.',
    (size) => ({ volume: Math.min(size, 262_144) }),
  ],
  [
    'last-byte-lost',
    'The last byte of each file is lost, as a size by another word shows.',
    (size) => ({ bytes: size - 1 }),
  ],
]

/** PUTs that fail although they are as the upload URL says. */
const refusedPuts: readonly FaultRow<Wrapper>[] = [
  ['put-refused', 'Every PUT is refused with 403.', put(async () => refusal(403))],
  ['put-unknown', 'The upload URL is answered with 404.', put(async () => refusal(404))],
  ['put-broken', 'Every PUT is answered with 500.', put(async () => refusal(500))],
  [
    'put-by-post',
    'Files are accepted only by POST.',
    wrap(async (request, inner) => {
      if (isCall(request, 'putObject')) return new Response(null, { status: 405, headers: { Allow: 'POST' } })
      const meant = request.method === 'POST' ? await changeRequest(request, { method: 'PUT' }) : request
      return inner(isCall(meant, 'putObject') ? meant : request)
    }),
  ],
  [
    'put-redirected',
    'Every PUT is redirected to another host.',
    put(async ({ url }) => {
      const Location = `https://elsewhere.example${new URL(url).pathname}`
      return new Response(null, { status: 307, headers: { Location } })
    }),
  ],
  ['url-signed-wrong', 'The signature in upload_url is wrong.', changeUploadUrl((url) => url.replace(/.{4}$/, 'ffff'))],
  ['url-without-signature', 'upload_url lacks its signature.', changeUploadUrl((url) => url.split('?')[0])],
]

/** PUTs that are accepted only with some media types. */
const typesOfPuts: readonly FaultRow<TakesType>[] = [
  [
    'declared-type-refused',
    'The PUT is refused with the declared media type, and accepted without one.',
    (type) => type === null,
  ],
  [
    'octets-only',
    'The PUT is accepted only as application/octet-stream or without a media type.',
    (type) => type === null || type === 'application/octet-stream',
  ],
  [
    'signed-for-one-type',
    'The PUT is accepted only as application/pdf, whatever type was declared.',
    (type) => type === 'application/pdf',
  ],
]

const changedTypesOfPuts: readonly FaultRow<TakesType>[] = [
  [
    'type-without-parameters',
    'The PUT is accepted only without the parameters of the declared media type.',
    (type, declared) => type === declared.split(';')[0],
  ],
  [
    'type-cut-to-50',
    'The PUT is accepted only with the first 50 characters of the declared media type.',
    (type, declared) => type === declared.slice(0, 50),
  ],
  [
    'type-with-decoded-plus',
    'The PUT is accepted only with a space in place of each plus sign of the declared media type.',
    (type, declared) => type === declared.replaceAll('+', ' '),
  ],
  [
    'type-never-declared-type',
    'The PUT is accepted with any media type but the declared one.',
    (type, declared) => type !== declared,
  ],
]

export const storageMutants = mutantsOf([
  ['put-at-service-path', 'The upload URL is a path of the service.', 'storage.not-a-service-path', movesToServicePath],
  ['bytes-damaged', 'The bytes of a file are damaged in storage.', 'storage.raw-bytes', damages, showsDocument],
  [
    'bytes-damaged-by-etag',
    'One bit of each file is changed in storage, which only the ETag shows.',
    'storage.raw-bytes',
    changesUnseen(damaged),
    ({ etag }) => !etag,
  ],
  [
    'line-breaks-of-texts-changed',
    'The line breaks of texts are changed in storage, which only the ETag shows.',
    'storage.raw-bytes',
    changesUnseen(withoutLineBreaks),
    ({ etag }) => !etag,
  ],
  ...faultRows(
    'storage.raw-bytes',
    shownOtherwise,
    (change) => changeAnswer('confirmUpload', ({ file_size, crc32, ...body }) => ({ ...body, ...change(file_size) })),
    isPlain,
  ),
  ...faultRows('storage.put-to-upload-url', refusedPuts, (wrapper) => wrapper),
  [
    'put-wants-multipart',
    'Files are accepted only as multipart forms.',
    'storage.put-to-upload-url',
    refusesUnless((request) => /^multipart\//.test(typeIn(request) ?? ''), 415),
    { mayKill: ['storage.raw-bytes', 'storage.declared-content-type'] },
  ],
  ...[201, 202, 203, 204, 206].map(
    (status): MutantRow => [
      `put-answers-${status}`,
      `A successful PUT is answered with ${status}.`,
      'storage.put-returns-200',
      answers(status),
    ],
  ),
  ...bodies.map(
    ([id, body, type]): MutantRow => [
      `put-body-${id}`,
      `A successful PUT is answered with ${JSON.stringify(body)}.`,
      'storage.put-returns-empty-body',
      answers(200, body, type),
    ],
  ),
  ['put-wants-key', 'The PUT is refused with 401 without the key.', 'storage.no-service-key', wantsKey(401)],
  [
    'put-wants-key-elsewhere',
    'Storage on another host refuses the PUT with 401 without the key.',
    'storage.no-service-key',
    compose(
      wantsKey(401),
      aliasUrls((url) => {
        url.host = 'storage.test'
      }),
    ),
    (variants) => !variants['storage-url'],
  ],
  ['put-wants-key-403', 'The PUT is refused with 403 without the key.', 'storage.no-service-key', wantsKey(403)],
  [
    'images-want-key',
    'The PUT of an image is refused without the Authorization header.',
    'storage.declared-content-type',
    refusesUnless((request) => !typeIn(request)?.startsWith('image/') || keyIn(request) !== null),
  ],
  ...faultRows('storage.declared-content-type', typesOfPuts, takesTypes),
  [
    'signed-by-extension',
    'The PUT of a file whose name ends with .txt is accepted only as text/plain.',
    'storage.declared-content-type',
    refusesUnless(({ url }) => !/\.txt$/.test(new URL(url).pathname)),
  ],
  ...faultRows('storage.declared-content-type', changedTypesOfPuts, takesTypes),
  ...faultRows('storage.raw-bytes', rejected, (isTaken) => refusesUnless((_, bytes) => isTaken(bytes), 400)),
  [
    'put-broken-by-binary',
    'A file that is not UTF-8 is answered with 500.',
    'storage.raw-bytes',
    put(async (request, inner) => (isUtf8(await bytesOf(request)) ? inner(request) : problem(500))),
  ],
])
