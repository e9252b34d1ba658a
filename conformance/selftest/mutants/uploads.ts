/** Broken upload requests and session identifiers: interface.md sections 2 and 4.4. */
import type { RequirementId } from '../../catalogue/catalogue.ts'
import { aliasSessions } from '../aliases.ts'
import { adds, changeAt, changeNamed, renameMembers, without } from '../json.ts'
import {
  type Choice,
  type FaultRow,
  type FormRow,
  faultRows,
  formRows,
  isPlain,
  type MutantRow,
  mutantsOf,
  showsDocument,
} from '../mutant.ts'
import {
  bodyOf,
  changeAnswer,
  changeAnswers,
  changeBody,
  changeByPast,
  changeRequest,
  compose,
  type Members,
  onCalls,
  problem,
  withState,
} from '../wrapper.ts'

type Change = (body: Members) => object

const upload = (change: Change) => changeAnswers(['requestUpload'], change)

/** Changes the answers to upload requests, given what was sent. */
const uploadFor = (change: (body: Members, sent: Members) => object) =>
  changeByPast(['requestUpload'], (body, past) => change(body, past.at(-1)?.sent ?? {}))

/** Upload answers without a usable `upload_url`. */
const urls: readonly FaultRow<Change>[] = [
  ['url-lost', 'The upload answer has no upload_url.', (body) => without(body, 'upload_url')],
  ['url-called-url', 'The upload URL is called url.', (body) => renameMembers(body, { upload_url: 'url' })],
  [
    'url-called-camel',
    'The upload URL is called uploadUrl.',
    (body) => renameMembers(body, { upload_url: 'uploadUrl' }),
  ],
  [
    'url-called-presigned',
    'The upload URL is called presigned_url.',
    (body) => renameMembers(body, { upload_url: 'presigned_url' }),
  ],
  ['url-null', 'upload_url is null.', adds({ upload_url: null })],
  ['url-empty', 'upload_url is an empty string.', adds({ upload_url: '' })],
  ['url-relative', 'upload_url is a path without a host.', changeAt('upload_url', pathOf)],
  ['url-garbage', 'upload_url is not a URL.', adds({ upload_url: 'not available' })],
  [
    'url-without-scheme',
    'upload_url has no scheme.',
    changeAt('upload_url', (url: string) => url.replace(/^https?:\/\//, '')),
  ],
  ['url-object', 'upload_url is an object.', changeAt('upload_url', (href) => ({ href }))],
]

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

const sessionNames: readonly FaultRow<Change>[] = [
  ['session-lost', 'The upload answer has no session_id.', (body) => without(body, 'session_id')],
  [
    'session-called-camel',
    'The session identifier is called sessionId.',
    (body) => renameMembers(body, { session_id: 'sessionId' }),
  ],
  ['session-called-id', 'The session identifier is called id.', (body) => renameMembers(body, { session_id: 'id' })],
  [
    'session-called-upload-id',
    'The session identifier is called upload_id.',
    (body) => renameMembers(body, { session_id: 'upload_id' }),
  ],
  ['session-null', 'session_id is null.', adds({ session_id: null })],
]

const noUuids: readonly FaultRow<(real: string, index: number) => unknown>[] = [
  ['session-prefixed', 'session_id is a UUID with a prefix.', (real) => `sess_${real}`],
  ['session-without-hyphens', 'session_id has no hyphens.', (real) => real.replaceAll('-', '')],
  ['session-in-braces', 'session_id is in braces.', (real) => `{${real}}`],
  ['session-short', 'session_id lacks its last digit.', (real) => real.slice(0, -1)],
  ['session-long', 'session_id has one digit too many.', (real) => `${real}0`],
  ['session-not-hexadecimal', 'session_id has a letter beyond f.', (real) => `g${real.slice(1)}`],
  ['session-number', 'session_id is a number.', (_, index) => 1000 + index],
  ['session-ulid', 'session_id is a ULID.', (_, index) => `01HQZX3V8K9T2M4N6P7R5S1W${String(index).padStart(2, '0')}`],
  ['session-with-space', 'A space follows session_id.', (real) => `${real} `],
  ['session-with-newline', 'A newline follows session_id.', (real) => `${real}\n`],
]

/** Returns true if the variant makes no session identifiers of its own. */
export const hasOwnUuids = ({ uuid }: Choice) => uuid === undefined

/** Answers every upload with the first session identifier. The storage key selects the upload to confirm. */
const repeatsSession = withState(() => {
  const sessions = new Map<unknown, string>()
  const first = () => sessions.values().next().value
  return compose(
    upload((body) => {
      sessions.set(body.key, String(body.session_id))
      return { ...body, session_id: first() }
    }),
    changeBody('confirmUpload', (body) => {
      const meant = sessions.get(body.completed_files?.[0]?.key)
      return body.session_id === first() && meant ? { ...body, session_id: meant } : body
    }),
  )
})

const forms: readonly FormRow[] = [
  ['refuses-file-name', 'An upload request with file_name is refused.', 'upload.file-name', 'file_name', 'file.bin'],
  [
    'refuses-content-type',
    'An upload request with content_type is refused.',
    'upload.content-type',
    'content_type',
    'application/pdf',
  ],
  ['refuses-file-size', 'An upload request with file_size is refused.', 'upload.file-size', 'file_size', 1],
  [
    'size-as-text',
    'file_size is accepted only as a string.',
    'upload.file-size',
    'file_size',
    1,
    (value) => typeof value === 'string',
    Number,
  ],
  [
    'type-as-extension',
    'content_type is accepted only as an extension.',
    'upload.content-type',
    'content_type',
    'application/pdf',
    (value) => value === 'pdf',
  ],
  [
    'name-as-object',
    'file_name is accepted only as an object.',
    'upload.file-name',
    'file_name',
    'file.bin',
    (value) => typeof value === 'object',
  ],
]

const shownOtherwise: [id: string, breaks: string, RequirementId, name: string, change: (value: unknown) => unknown][] =
  [
    [
      'size-shown-otherwise',
      'file_size is shown as the sent value plus one.',
      'storage.raw-bytes',
      'file_size',
      (size) => Number(size) + 1,
    ],
    [
      'size-of-one-block',
      'A file_size above 1,024 is shown as 1,024.',
      'storage.raw-bytes',
      'file_size',
      (size) => Math.min(Number(size), 1024),
    ],
    [
      'name-shown-otherwise',
      'file_name is shown as another name.',
      'completed-file.file-name',
      'file_name',
      () => 'other.pdf',
    ],
  ]

/** Fields that the upload answer shows with another value. The reference shows none of them. */
const echoed: [name: string, RequirementId, value: unknown][] = [
  ['file_name', 'upload.file-name', 'other.pdf'],
  ['content_type', 'upload.content-type', 'text/plain'],
  ['file_size', 'upload.file-size', 12_345],
]

export const uploadMutants = mutantsOf([
  ...echoed.map(
    ([name, kills, value]): MutantRow => [
      `upload-echoes-other-${name.replace('_', '-')}`,
      `The upload answer shows another ${name} than was sent.`,
      kills,
      upload(adds({ [name]: value })),
    ],
  ),
  [
    'upload-size-of-two-bytes',
    'The upload answer shows only the last two bytes of file_size, under another name.',
    'upload.file-size',
    uploadFor((answer, { file_size }) => ({ ...answer, volume: Number(file_size) % 65_536 })),
    isPlain,
  ],
  [
    'upload-url-renamed-for-texts',
    'For files other than PDFs, the upload URL has another name.',
    'upload.answers-upload-url',
    uploadFor((answer, { content_type }) =>
      content_type === 'application/pdf' ? answer : renameMembers(answer, { upload_url: 'presigned_url' }),
    ),
    isPlain,
  ],
  ...formRows(
    'requestUpload',
    forms.map(([id, ...form]) => [`upload-${id}`, ...form]),
  ),
  [
    'upload-wants-size-as-text',
    'file_size is required, and accepted only as a string.',
    'upload.file-size',
    onCalls(['requestUpload'], async (request, inner) => {
      const body = (await bodyOf(request)) ?? {}
      if (typeof body.file_size !== 'string') return problem(400)
      return inner(await changeRequest(request, { json: { ...body, file_size: Number(body.file_size) } }))
    }),
  ],
  [
    'upload-size-refused-by-name',
    'Every file_size is refused, and required. The refusal names the field.',
    'upload.file-size',
    onCalls(['requestUpload'], async () =>
      Response.json({ detail: 'The body is invalid: `file_size` is not a size.' }, { status: 422 }),
    ),
  ],
  ...faultRows('upload.answers-upload-url', urls, upload),
  ...faultRows('upload.answers-session-id', sessionNames, upload),
  ...faultRows('upload.session-id-is-uuid', noUuids, aliasSessions, hasOwnUuids),
  [
    'session-always-the-same',
    'Every upload gets the same session identifier.',
    'upload.session-ids-differ',
    repeatsSession,
    // The answer to the confirmation shows the true session identifier.
    { mayKill: ['confirm.session-id'] },
  ],
  ...shownOtherwise.map(
    ([id, breaks, kills, name, change]): MutantRow => [
      id,
      breaks,
      kills,
      changeAnswer('confirmUpload', changeNamed(name, change)),
      showsDocument,
    ],
  ),
])
