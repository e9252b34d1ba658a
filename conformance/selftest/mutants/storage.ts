/** Broken storage: interface.md section 4.5. */
import { aliasUrls } from '../aliases.ts'
import { mapNamed, without } from '../json.ts'
import { type Mutant, mutant } from '../mutant.ts'
import {
  bodyOf,
  bytesOf,
  changeAnswers,
  changeRequest,
  compose,
  isCall,
  type Members,
  onCalls,
  problem,
  type ServerFunction,
  serviceCalls,
  type Wrapper,
  wrap,
} from '../wrapper.ts'

const put = (handle: (request: Request, inner: ServerFunction) => Promise<Response>) => onCalls(['putObject'], handle)

function refusal(status: number): Response {
  const xml =
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Refused.</Message></Error>\n'
  return new Response(xml, { status, headers: { 'Content-Type': 'application/xml' } })
}

/** Refuses PUTs that do not meet a condition. */
const refusesUnless = (condition: (request: Request, bytes: Uint8Array) => boolean, status = 403) =>
  put(async (request, inner) => (condition(request, await bytesOf(request)) ? inner(request) : refusal(status)))

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

/** Accepts a PUT by its media type and the declared one. The reference gets the declared one. */
function wantsType(isWanted: (type: string | null, declared: string) => boolean): Wrapper {
  const declared = new Map<string, string>()
  return wrap(async (request, inner) => {
    const type = declared.get(new URL(request.url).pathname)
    if (request.method === 'PUT' && type !== undefined) {
      if (!isWanted(request.headers.get('Content-Type'), type)) return refusal(403)
      return inner(await changeRequest(request, { headers: { 'Content-Type': type } }))
    }
    const content_type = isCall(request, 'requestUpload') ? (await bodyOf(request))?.content_type : undefined
    const response = await inner(request)
    if (typeof content_type === 'string' && response.ok) {
      declared.set(new URL((await response.clone().json()).upload_url).pathname, content_type)
    }
    return response
  })
}

/** Requires the service's key in a header of the PUT, and removes it before the reference. */
function wantsKey(header: string, status: number): Wrapper {
  let key: string | null = null
  return wrap(async (request, inner) => {
    if (isCall(request, ...serviceCalls)) key = request.headers.get('Authorization') ?? key
    if (!isCall(request, 'putObject')) return inner(request)
    const given = request.headers.get(header)?.replace(/^Bearer /, '')
    return given && given === key
      ? inner(await changeRequest(request, { headers: { [header]: null } }))
      : refusal(status)
  })
}

const isUtf8 = (bytes: Uint8Array) => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

const rejected: [id: string, breaks: string, isTaken: (bytes: Uint8Array) => boolean][] = [
  ['refuses-nul', 'A file with a zero byte is refused.', (bytes) => !bytes.includes(0)],
  ['refuses-invalid-utf8', 'A file that is not UTF-8 is refused.', isUtf8],
  ['refuses-high-bytes', 'A file with bytes beyond ASCII is refused.', (bytes) => bytes.every((byte) => byte < 128)],
  [
    'refuses-control-bytes',
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
const damages = () =>
  changeAnswers(['confirmUpload'], (body) =>
    mapNamed(body, 'crc32', (sum) =>
      String(sum).replaceAll(/./g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16)),
    ),
  )

/** Changes files before they are stored, which only the ETag shows. */
const changesUnseen = (change: (bytes: Uint8Array<ArrayBuffer>, type: string) => Uint8Array<ArrayBuffer>) =>
  compose(
    put(async (request, inner) => {
      const { url, method, headers } = request
      const body = change(await bytesOf(request), headers.get('Content-Type') ?? '')
      return inner(new Request(url, { method, headers, body }))
    }),
    changeAnswers(['confirmUpload'], (body) => without(body, 'crc32')),
  )

/** Changes one bit. An empty file has none. */
const damaged = (bytes: Uint8Array<ArrayBuffer>) => {
  if (bytes.byteLength > 0) bytes[0] = (bytes[0] ?? 0) ^ 1
  return bytes
}

/** Replaces line breaks of texts by spaces, so that the size stays the declared one. */
const withoutLineBreaks = (bytes: Uint8Array<ArrayBuffer>, type: string) =>
  type.startsWith('text/') ? bytes.map((byte) => (byte === 13 ? 32 : byte)) : bytes

/** Moves upload URLs to paths of the service, where they work as well. */
const moveToServicePath = () =>
  compose(
    changeAnswers(['requestUpload'], (body) =>
      mapNamed(body, 'upload_url', (url) => String(url).replace('/storage/', '/api/v1/storage/')),
    ),
    wrap(async (request, inner) =>
      inner(await changeRequest(request, { url: request.url.replace('/api/v1/storage/', '/storage/') })),
    ),
  )

/** Confirmations that show other facts of a file, under names that are not those of the contract. */
const shownOtherwise: [id: string, breaks: string, change: (size: number) => Members][] = [
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

export const storageMutants: readonly Mutant[] = [
  mutant(
    'put-at-service-path',
    'The upload URL is a path of the service.',
    ['storage.not-a-service-path'],
    moveToServicePath,
  ),
  mutant('bytes-damaged', 'The bytes of a file are damaged in storage.', ['storage.raw-bytes'], damages, {
    appliesTo: (variants) => !variants['document-id'],
  }),
  mutant(
    'bytes-damaged-by-etag',
    'One bit of each file is changed in storage, which only the ETag shows.',
    ['storage.raw-bytes'],
    () => changesUnseen(damaged),
    { appliesTo: ({ etag }) => !etag },
  ),
  mutant(
    'line-breaks-of-texts-changed',
    'The line breaks of texts are changed in storage, which only the ETag shows.',
    ['storage.raw-bytes'],
    () => changesUnseen(withoutLineBreaks),
    { appliesTo: ({ etag }) => !etag },
  ),
  ...shownOtherwise.map(([id, breaks, change]) =>
    mutant(
      id,
      breaks,
      ['storage.raw-bytes'],
      () =>
        changeAnswers(['confirmUpload'], ({ file_size, crc32, ...body }) => ({
          ...body,
          ...change(Number(file_size)),
        })),
      { appliesTo: (choice) => Object.keys(choice).length === 0 },
    ),
  ),
  mutant('put-refused', 'Every PUT is refused with 403.', ['storage.put-to-upload-url'], () =>
    put(async () => refusal(403)),
  ),
  mutant('put-unknown', 'The upload URL is answered with 404.', ['storage.put-to-upload-url'], () =>
    put(async () => refusal(404)),
  ),
  mutant('put-broken', 'Every PUT is answered with 500.', ['storage.put-to-upload-url'], () =>
    put(async () => refusal(500)),
  ),
  mutant('put-by-post', 'Files are accepted only by POST.', ['storage.put-to-upload-url'], () =>
    wrap(async (request, inner) => {
      if (isCall(request, 'putObject')) return new Response(null, { status: 405, headers: { Allow: 'POST' } })
      const meant = request.method === 'POST' ? await changeRequest(request, { method: 'PUT' }) : request
      return inner(isCall(meant, 'putObject') ? meant : request)
    }),
  ),
  mutant('put-redirected', 'Every PUT is redirected to another host.', ['storage.put-to-upload-url'], () =>
    put(
      async ({ url }) =>
        new Response(null, { status: 307, headers: { Location: `https://elsewhere.example${new URL(url).pathname}` } }),
    ),
  ),
  mutant('url-signed-wrong', 'The signature in upload_url is wrong.', ['storage.put-to-upload-url'], () =>
    changeAnswers(['requestUpload'], (body) => ({
      ...body,
      upload_url: String(body.upload_url).replace(/.{4}$/, 'ffff'),
    })),
  ),
  mutant('url-without-signature', 'upload_url lacks its signature.', ['storage.put-to-upload-url'], () =>
    changeAnswers(['requestUpload'], (body) => ({ ...body, upload_url: String(body.upload_url).split('?')[0] })),
  ),
  mutant(
    'put-wants-multipart',
    'Files are accepted only as multipart forms.',
    ['storage.put-to-upload-url'],
    () => refusesUnless(({ headers }) => /^multipart\//.test(headers.get('Content-Type') ?? ''), 415),
    { mayKill: ['storage.raw-bytes', 'storage.declared-content-type'] },
  ),
  ...[201, 202, 203, 204, 206].map((status) =>
    mutant(`put-answers-${status}`, `A successful PUT is answered with ${status}.`, ['storage.put-returns-200'], () =>
      answers(status),
    ),
  ),
  ...bodies.map(([id, body, type]) =>
    mutant(
      `put-body-${id}`,
      `A successful PUT is answered with ${JSON.stringify(body)}.`,
      ['storage.put-returns-empty-body'],
      () => answers(200, body, type),
    ),
  ),
  mutant('put-wants-key', 'The PUT is refused with 401 without the key.', ['storage.no-service-key'], () =>
    wantsKey('Authorization', 401),
  ),
  mutant(
    'put-wants-key-elsewhere',
    'Storage on another host refuses the PUT with 401 without the key.',
    ['storage.no-service-key'],
    () =>
      compose(
        wantsKey('Authorization', 401),
        aliasUrls((url) => {
          url.host = 'storage.test'
        }),
      ),
    { appliesTo: (variants) => !variants['storage-url'] },
  ),
  mutant('put-wants-key-403', 'The PUT is refused with 403 without the key.', ['storage.no-service-key'], () =>
    wantsKey('Authorization', 403),
  ),
  mutant(
    'images-want-key',
    'The PUT of an image is refused without the Authorization header.',
    ['storage.declared-content-type'],
    () =>
      refusesUnless(
        ({ headers }) => !headers.get('Content-Type')?.startsWith('image/') || headers.has('Authorization'),
      ),
  ),
  mutant(
    'declared-type-refused',
    'The PUT is refused with the declared media type, and accepted without one.',
    ['storage.declared-content-type'],
    () => wantsType((type) => type === null),
  ),
  mutant(
    'octets-only',
    'The PUT is accepted only as application/octet-stream or without a media type.',
    ['storage.declared-content-type'],
    () => wantsType((type) => type === null || type === 'application/octet-stream'),
  ),
  mutant(
    'signed-for-one-type',
    'The PUT is accepted only as application/pdf, whatever type was declared.',
    ['storage.declared-content-type'],
    () => wantsType((type) => type === 'application/pdf'),
  ),
  mutant(
    'signed-by-extension',
    'The PUT of a file whose name ends with .txt is accepted only as text/plain.',
    ['storage.declared-content-type'],
    () => put(async (request, inner) => (/\.txt$/.test(new URL(request.url).pathname) ? refusal(403) : inner(request))),
  ),
  mutant(
    'type-without-parameters',
    'The PUT is accepted only without the parameters of the declared media type.',
    ['storage.declared-content-type'],
    () => wantsType((type, declared) => type === declared.split(';')[0]),
  ),
  mutant(
    'type-cut-to-50',
    'The PUT is accepted only with the first 50 characters of the declared media type.',
    ['storage.declared-content-type'],
    () => wantsType((type, declared) => type === declared.slice(0, 50)),
  ),
  mutant(
    'type-with-decoded-plus',
    'The PUT is accepted only with a space in place of each plus sign of the declared media type.',
    ['storage.declared-content-type'],
    () => wantsType((type, declared) => type === declared.replaceAll('+', ' ')),
  ),
  mutant(
    'type-never-declared-type',
    'The PUT is accepted with any media type but the declared one.',
    ['storage.declared-content-type'],
    () => wantsType((type, declared) => type !== declared),
  ),
  ...rejected.map(([id, breaks, isTaken]) =>
    mutant(`put-${id}`, breaks, ['storage.raw-bytes'], () => refusesUnless((_, bytes) => isTaken(bytes), 400)),
  ),
  mutant('put-broken-by-binary', 'A file that is not UTF-8 is answered with 500.', ['storage.raw-bytes'], () =>
    put(async (request, inner) => (isUtf8(await bytesOf(request)) ? inner(request) : problem(500))),
  ),
]
