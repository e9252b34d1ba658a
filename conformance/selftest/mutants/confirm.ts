/** Fields of a confirmation that are refused, or accepted only in another form: interface.md section 2. */
import { type FormRow, formRows, mutantsOf } from '../mutant.ts'
import type { PastCall } from '../wrapper.ts'

/** Finds a member of the latest upload, for calls without the field that identifies it. */
const latest = (name: 'session_id' | 'key' | 'file_name') => (_: number, past: readonly PastCall[]) => {
  const upload = past.findLast(({ call, answer }) => call === 'requestUpload' && answer)
  const none = { session_id: '3c0e9f6a-51d2-4b7e-9a44-6f1d2f0c8b11', key: 'tenants/none', file_name: 'none' }
  return { ...none, ...upload?.answer, ...upload?.sent }[name]
}

const files = (_: number, past: readonly PastCall[]) => [
  { key: latest('key')(_, past), file_name: latest('file_name')(_, past) },
]
const isText = (value: unknown) => typeof value === 'string'

const forms: readonly FormRow[] = [
  [
    'refuses-session',
    'A confirmation with session_id is refused.',
    'confirm.session-id',
    'session_id',
    latest('session_id'),
  ],
  [
    'refuses-files',
    'A confirmation with completed_files is refused.',
    'confirm.completed-files',
    'completed_files',
    files,
  ],
  [
    'refuses-key',
    'A completed file with a key is refused.',
    'completed-file.key',
    'completed_files.*.key',
    latest('key'),
  ],
  [
    'refuses-file-name',
    'A completed file with file_name is refused.',
    'completed-file.file-name',
    'completed_files.*.file_name',
    latest('file_name'),
  ],
  [
    'wants-files-as-object',
    'completed_files is accepted only as one object.',
    'confirm.completed-files',
    'completed_files',
    files,
    (value) => !Array.isArray(value),
    (file: unknown) => [file],
  ],
  [
    'wants-files-as-keys',
    'completed_files is accepted only as a list of keys.',
    'confirm.completed-files',
    'completed_files',
    files,
    (value) => Array.isArray(value) && value.every(isText),
  ],
  [
    'wants-key-with-slash',
    'The key is accepted only with a slash in front.',
    'completed-file.key',
    'completed_files.*.key',
    latest('key'),
    (value) => String(value).startsWith('/'),
    (key: string) => key.slice(1),
  ],
  [
    'wants-key-encoded',
    'The key is accepted only with its slashes encoded.',
    'completed-file.key',
    'completed_files.*.key',
    latest('key'),
    (value) => String(value).includes('%2F'),
    (key: string) => decodeURIComponent(key),
  ],
  [
    'wants-key-without-prefix',
    'The key is accepted only without its prefix.',
    'completed-file.key',
    'completed_files.*.key',
    latest('key'),
    (value) => !String(value).startsWith('tenants/'),
  ],
  [
    'wants-file-name-without-extension',
    'file_name is accepted only without its extension.',
    'completed-file.file-name',
    'completed_files.*.file_name',
    latest('file_name'),
    (value) => !String(value).includes('.'),
  ],
  [
    'wants-session-as-number',
    'session_id is accepted only as a number.',
    'confirm.session-id',
    'session_id',
    latest('session_id'),
    (value) => typeof value === 'number',
  ],
]

export const confirmMutants = mutantsOf(
  formRows(
    'confirmUpload',
    forms.map(([id, ...form]) => [`confirm-${id}`, ...form]),
  ),
)
