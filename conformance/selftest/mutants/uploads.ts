/** Broken upload requests, session identifiers and storage keys: interface.md sections 2 and 4.4. */
import type { RequirementId } from '../../catalogue.ts'
import { aliasKeys, aliasSessions } from '../aliases.ts'
import { mapNamed, renamed, without } from '../json.ts'
import { type Choice, type Mutant, mutant, refusesField, wantsOtherwise } from '../mutant.ts'
import { changeAnswer, changeAnswers, compose, type Members, onCalls, type Wrapper } from '../wrapper.ts'

const requestUpload = ['requestUpload'] as const
const upload = (change: (body: Members) => object) => changeAnswers(requestUpload, change)
const isText = (value: unknown) => typeof value === 'string'

/** What the upload answer has in place of a text in `upload_url`. */
const urls: [id: string, breaks: string, change: (body: Members) => object][] = [
  ['url-lost', 'The upload answer has no upload_url.', (body) => without(body, 'upload_url')],
  ['url-called-url', 'The upload URL is called url.', (body) => renamed(body, { upload_url: 'url' })],
  ['url-called-camel', 'The upload URL is called uploadUrl.', (body) => renamed(body, { upload_url: 'uploadUrl' })],
  [
    'url-called-presigned',
    'The upload URL is called presigned_url.',
    (body) => renamed(body, { upload_url: 'presigned_url' }),
  ],
  ['url-null', 'upload_url is null.', (body) => ({ ...body, upload_url: null })],
  ['url-empty', 'upload_url is an empty text.', (body) => ({ ...body, upload_url: '' })],
  [
    'url-relative',
    'upload_url is a path without a host.',
    (body) => ({ ...body, upload_url: pathOf(body.upload_url) }),
  ],
  ['url-garbage', 'upload_url is no address.', (body) => ({ ...body, upload_url: 'not available' })],
  [
    'url-without-scheme',
    'upload_url has no scheme.',
    (body) => ({ ...body, upload_url: String(body.upload_url).replace(/^https?:\/\//, '') }),
  ],
  ['url-object', 'upload_url is an object.', (body) => ({ ...body, upload_url: { href: body.upload_url } })],
]

function pathOf(url: unknown): string {
  const { pathname, search } = new URL(String(url))
  return pathname + search
}

const sessionNames: [id: string, breaks: string, change: (body: Members) => object][] = [
  ['session-lost', 'The upload answer has no session_id.', (body) => without(body, 'session_id')],
  [
    'session-called-camel',
    'The session identifier is called sessionId.',
    (body) => renamed(body, { session_id: 'sessionId' }),
  ],
  ['session-called-id', 'The session identifier is called id.', (body) => renamed(body, { session_id: 'id' })],
  [
    'session-called-upload-id',
    'The session identifier is called upload_id.',
    (body) => renamed(body, { session_id: 'upload_id' }),
  ],
  ['session-null', 'session_id is null.', (body) => ({ ...body, session_id: null })],
]

const noUuids: [id: string, breaks: string, alias: (real: string, index: number) => unknown][] = [
  ['session-prefixed', 'session_id is a UUID behind a prefix.', (real) => `sess_${real}`],
  ['session-without-hyphens', 'session_id has no hyphens.', (real) => real.replaceAll('-', '')],
  ['session-in-braces', 'session_id stands in braces.', (real) => `{${real}}`],
  ['session-short', 'session_id lacks its last digit.', (real) => real.slice(0, -1)],
  ['session-long', 'session_id has one digit too many.', (real) => `${real}0`],
  ['session-not-hexadecimal', 'session_id has a letter beyond f.', (real) => `g${real.slice(1)}`],
  ['session-number', 'session_id is a number.', (_, index) => 1000 + index],
  ['session-ulid', 'session_id is a ULID.', (_, index) => `01HQZX3V8K9T2M4N6P7R5S1W${String(index).padStart(2, '0')}`],
  ['session-with-space', 'A space follows session_id.', (real) => `${real} `],
  ['session-with-newline', 'A newline follows session_id.', (real) => `${real}\n`],
]

/** Every upload is answered with the first session identifier; which upload is confirmed, the key decides. */
function sameSession(until = Number.POSITIVE_INFINITY): Wrapper {
  const sessions = new Map<unknown, unknown>()
  let first: unknown
  return compose(
    upload((body) => {
      sessions.set(body.key, body.session_id)
      if (sessions.size <= until) first ??= body.session_id
      return sessions.size <= until ? { ...body, session_id: first } : body
    }),
    onCalls(['confirmUpload'], async (request, inner) => {
      const body = await request.clone().json()
      const session_id =
        body.session_id === first ? (sessions.get(body.completed_files?.[0]?.key) ?? first) : body.session_id
      const headers = new Headers(request.headers)
      headers.delete('Content-Length')
      return inner(new Request(request.url, { method: 'POST', headers, body: JSON.stringify({ ...body, session_id }) }))
    }),
  )
}

const showsKey = (variants: Choice) => variants['storage-key'] !== 'url-only'

const prefixes: [id: string, prefix: string, appliesTo?: (variants: Choice) => boolean][] = [
  ['key-slash-tenants', '/tenants/', showsKey],
  ['key-tenant', 'tenant/'],
  ['key-tenants-in-capitals', 'Tenants/'],
  ['key-uploads-tenants', 'uploads/tenants/', showsKey],
  ['key-dot-tenants', './tenants/', showsKey],
  ['key-bucket-address', 's3://bucket/tenants/', showsKey],
  ['key-tenants-hyphen', 'tenants-'],
  ['key-without-prefix', ''],
]

const ends: [id: string, breaks: string, end: (name: string) => string][] = [
  ['key-in-lower-case', 'The key ends with the file name in lower case.', (name) => name.toLowerCase()],
  ['key-suffixed', 'The key ends with a suffix behind the file name.', (name) => `${name}.bin`],
  [
    'key-numbered',
    'A number stands before the extension at the end of the key.',
    (name) => name.replace(/(\.[^.]*)?$/, '-1$1'),
  ],
  [
    'key-without-extension',
    'The key ends with the file name without its extension.',
    (name) => name.replace(/\.[^.]*$/, ''),
  ],
  ['key-without-name', 'The key ends without the file name.', () => '7f3c9a'],
  [
    'key-only-extension',
    'The key ends with the extension of the file name only.',
    (name) => `7f3c9a${/\.[^.]*$/.exec(name)?.[0] ?? ''}`,
  ],
  [
    'key-spaces-encoded',
    'Spaces in the file name are %20 at the end of the key.',
    (name) => name.replaceAll(' ', '%20'),
  ],
  ['key-spaces-plus', 'Spaces in the file name are + at the end of the key.', (name) => name.replaceAll(' ', '+')],
  [
    'key-spaces-underscores',
    'Spaces in the file name are _ at the end of the key.',
    (name) => name.replaceAll(' ', '_'),
  ],
  ['key-spaces-lost', 'Spaces in the file name are lost at the end of the key.', (name) => name.replaceAll(' ', '')],
  ['key-name-cut', 'The file name is cut to 12 characters at the end of the key.', (name) => name.slice(0, 12)],
  ['key-slash-at-end', 'The key ends with a slash behind the file name.', (name) => `${name}/`],
  [
    'key-extension-lower',
    'The extension is in lower case at the end of the key.',
    (name) => name.replace(/\.[^.]*$/, (extension) => extension.toLowerCase()),
  ],
]

const refused: [id: string, breaks: string, RequirementId, () => Wrapper][] = [
  [
    'refuses-file-name',
    'An upload request with file_name is refused.',
    'upload.file-name',
    () => refusesField('requestUpload', 'file_name', () => 'file.bin'),
  ],
  [
    'refuses-content-type',
    'An upload request with content_type is refused.',
    'upload.content-type',
    () => refusesField('requestUpload', 'content_type', () => 'application/pdf'),
  ],
  [
    'refuses-file-size',
    'An upload request with file_size is refused.',
    'upload.file-size',
    () => refusesField('requestUpload', 'file_size', () => 1),
  ],
  [
    'size-as-text',
    'file_size is taken as a text only.',
    'upload.file-size',
    () => wantsOtherwise('requestUpload', 'file_size', isText, Number, () => 1),
  ],
  [
    'type-as-extension',
    'content_type is taken as an extension only.',
    'upload.content-type',
    () =>
      wantsOtherwise(
        'requestUpload',
        'content_type',
        (value) => value === 'pdf',
        () => 'application/pdf',
        () => 'application/pdf',
      ),
  ],
  [
    'name-as-object',
    'file_name is taken as an object only.',
    'upload.file-name',
    () =>
      wantsOtherwise(
        'requestUpload',
        'file_name',
        (value) => typeof value === 'object',
        () => 'file.bin',
        () => 'file.bin',
      ),
  ],
]

const shownOtherwise: [id: string, breaks: string, RequirementId, name: string, change: (value: unknown) => unknown][] =
  [
    [
      'size-shown-otherwise',
      'file_size is shown as one more than was sent.',
      'upload.file-size',
      'file_size',
      (size) => Number(size) + 1,
    ],
    [
      'type-shown-as-octets',
      'content_type is shown as application/octet-stream.',
      'upload.content-type',
      'content_type',
      () => 'application/octet-stream',
    ],
    ['name-shown-otherwise', 'file_name is shown as upload.bin.', 'upload.file-name', 'file_name', () => 'upload.bin'],
  ]

const showsDocument = (variants: Choice) => !variants['document-id']

export const uploadMutants: readonly Mutant[] = [
  ...refused.map(([id, breaks, kills, create]) => mutant(`upload-${id}`, breaks, [kills], create)),
  ...urls.map(([id, breaks, change]) => mutant(id, breaks, ['upload.answers-upload-url'], () => upload(change))),
  ...sessionNames.map(([id, breaks, change]) =>
    mutant(id, breaks, ['upload.answers-session-id'], () => upload(change)),
  ),
  ...noUuids.map(([id, breaks, alias]) =>
    mutant(id, breaks, ['upload.session-id-is-uuid'], () => aliasSessions(alias), {
      appliesTo: ({ uuid }) => uuid === undefined,
    }),
  ),
  mutant(
    'session-always-the-same',
    'Every upload gets the same session identifier.',
    ['upload.session-ids-differ'],
    () => sameSession(),
  ),
  ...prefixes.map(([id, prefix, appliesTo]) =>
    mutant(
      id,
      `The key begins with '${prefix}' in place of 'tenants/'.`,
      ['completed-file.key-begins-with-tenants'],
      () => aliasKeys((key) => key.replace(/^tenants\//, prefix)),
      { appliesTo: (variants) => variants['key-middle'] === undefined && (appliesTo?.(variants) ?? true) },
    ),
  ),
  ...ends.map(([id, breaks, end]) =>
    mutant(
      id,
      breaks,
      ['completed-file.key-ends-with-file-name'],
      () => aliasKeys((key, name) => key.slice(0, -name.length) + end(name)),
      { appliesTo: (variants) => variants['key-middle'] === undefined },
    ),
  ),
  ...shownOtherwise.map(([id, breaks, kills, name, change]) =>
    mutant(id, breaks, [kills], () => changeAnswer('confirmUpload', (body) => mapNamed(body, name, change)), {
      appliesTo: showsDocument,
      ...(name === 'file_name' && { mayKill: ['completed-file.file-name'] }),
    }),
  ),
]
