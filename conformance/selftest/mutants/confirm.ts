/** Fields of a confirmation that are refused, or accepted only in another form: interface.md section 2. */
import type { RequirementId } from '../../catalogue/catalogue.ts'
import { type Mutant, mutant, refusesField, wantsOtherForm } from '../mutant.ts'
import { bodyOf, compose, onCalls, type Wrapper } from '../wrapper.ts'

interface Known {
  readonly session_id: string
  readonly key: string
  readonly file_name: string
}

/** Remembers the latest upload, for calls without the field that identifies it. */
function withUploads(make: (latest: () => Known) => Wrapper): Wrapper {
  let latest: Known = { session_id: crypto.randomUUID(), key: 'tenants/none', file_name: 'none' }
  const remember = onCalls(['requestUpload'], async (request, inner) => {
    const { file_name } = (await bodyOf(request)) ?? {}
    const response = await inner(request)
    if (response.ok) latest = { ...(await response.clone().json()), file_name }
    return response
  })
  return compose(
    remember,
    make(() => latest),
  )
}

const refuses = (path: string, name: keyof Known) =>
  withUploads((latest) => refusesField('confirmUpload', path, () => latest()[name]))
const files = ({ key, file_name }: Known) => [{ key, file_name }]

const refused: [id: string, breaks: string, RequirementId, () => Wrapper][] = [
  [
    'session',
    'A confirmation with session_id is refused.',
    'confirm.session-id',
    () => refuses('session_id', 'session_id'),
  ],
  [
    'files',
    'A confirmation with completed_files is refused.',
    'confirm.completed-files',
    () => withUploads((latest) => refusesField('confirmUpload', 'completed_files', () => files(latest()))),
  ],
  [
    'key',
    'A completed file with a key is refused.',
    'completed-file.key',
    () => refuses('completed_files.*.key', 'key'),
  ],
  [
    'file-name',
    'A completed file with file_name is refused.',
    'completed-file.file-name',
    () => refuses('completed_files.*.file_name', 'file_name'),
  ],
]

const otherForms: [id: string, breaks: string, RequirementId, () => Wrapper][] = [
  [
    'files-as-object',
    'completed_files is accepted only as one object.',
    'confirm.completed-files',
    () =>
      withUploads((latest) =>
        wantsOtherForm(
          'confirmUpload',
          'completed_files',
          (value) => !Array.isArray(value),
          (file: unknown) => [file],
          () => files(latest()),
        ),
      ),
  ],
  [
    'files-as-keys',
    'completed_files is accepted only as a list of keys.',
    'confirm.completed-files',
    () =>
      withUploads((latest) =>
        wantsOtherForm(
          'confirmUpload',
          'completed_files',
          (value) => Array.isArray(value) && value.every((key) => typeof key === 'string'),
          () => files(latest()),
          () => files(latest()),
        ),
      ),
  ],
  [
    'key-with-slash',
    'The key is accepted only with a slash in front.',
    'completed-file.key',
    () =>
      withUploads((latest) =>
        wantsOtherForm(
          'confirmUpload',
          'completed_files.*.key',
          (value) => String(value).startsWith('/'),
          (key: string) => key.slice(1),
          () => latest().key,
        ),
      ),
  ],
  [
    'key-encoded',
    'The key is accepted only with its slashes encoded.',
    'completed-file.key',
    () =>
      withUploads((latest) =>
        wantsOtherForm(
          'confirmUpload',
          'completed_files.*.key',
          (value) => String(value).includes('%2F'),
          (key: string) => decodeURIComponent(key),
          () => latest().key,
        ),
      ),
  ],
  [
    'key-without-prefix',
    'The key is accepted only without its prefix.',
    'completed-file.key',
    () =>
      withUploads((latest) =>
        wantsOtherForm(
          'confirmUpload',
          'completed_files.*.key',
          (value) => !String(value).startsWith('tenants/'),
          () => latest().key,
          () => latest().key,
        ),
      ),
  ],
  [
    'file-name-without-extension',
    'file_name is accepted only without its extension.',
    'completed-file.file-name',
    () =>
      withUploads((latest) =>
        wantsOtherForm(
          'confirmUpload',
          'completed_files.*.file_name',
          (value) => !String(value).includes('.'),
          () => latest().file_name,
          () => latest().file_name,
        ),
      ),
  ],
  [
    'session-as-number',
    'session_id is accepted only as a number.',
    'confirm.session-id',
    () =>
      withUploads((latest) =>
        wantsOtherForm(
          'confirmUpload',
          'session_id',
          (value) => typeof value === 'number',
          () => latest().session_id,
          () => latest().session_id,
        ),
      ),
  ],
]

export const confirmMutants: readonly Mutant[] = [
  ...refused.map(([id, breaks, kills, create]) => mutant(`confirm-refuses-${id}`, breaks, [kills], create)),
  ...otherForms.map(([id, breaks, kills, create]) => mutant(`confirm-wants-${id}`, breaks, [kills], create)),
]
