/** Broken confirmations: interface.md section 4.6. */
import type { RequirementId } from '../../catalogue.ts'
import { mapNamed } from '../json.ts'
import { type Choice, type Mutant, mutant, refusesField, wantsOtherwise } from '../mutant.ts'
import { bodyOf, changeAnswer, changed, compose, isCall, onCalls, problem, type Wrapper, wrap } from '../wrapper.ts'

interface Known {
  readonly session_id: string
  readonly key: string
  readonly file_name: string
}

/** Remembers uploads, for calls that leave out what says which one is meant. */
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
    'completed_files is taken as one object only.',
    'confirm.completed-files',
    () =>
      withUploads((latest) =>
        wantsOtherwise(
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
    'completed_files is taken as a list of keys only.',
    'confirm.completed-files',
    () =>
      withUploads((latest) =>
        wantsOtherwise(
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
    'The key is taken with a slash in front only.',
    'completed-file.key',
    () =>
      withUploads((latest) =>
        wantsOtherwise(
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
    'The key is taken with its slashes encoded only.',
    'completed-file.key',
    () =>
      withUploads((latest) =>
        wantsOtherwise(
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
    'The key is taken without its prefix only.',
    'completed-file.key',
    () =>
      withUploads((latest) =>
        wantsOtherwise(
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
    'file_name is taken without its extension only.',
    'completed-file.file-name',
    () =>
      withUploads((latest) =>
        wantsOtherwise(
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
    'session_id is taken as a number only.',
    'confirm.session-id',
    () =>
      withUploads((latest) =>
        wantsOtherwise(
          'confirmUpload',
          'session_id',
          (value) => typeof value === 'number',
          () => latest().session_id,
          () => latest().session_id,
        ),
      ),
  ],
]

const showsDocument = (variants: Choice) => !variants['document-id']
const shows = (change: (body: object) => unknown) => changeAnswer('confirmUpload', change)

const shownOtherwise: [id: string, breaks: string, RequirementId, () => Wrapper][] = [
  [
    'session-otherwise',
    'Confirming shows another session_id.',
    'confirm.session-id',
    () => shows((body) => mapNamed(body, 'session_id', () => '3c0e9f6a-51d2-4b7e-9a44-6f1d2f0c8b11')),
  ],
  [
    'key-otherwise',
    'Confirming shows another key.',
    'completed-file.key',
    () => shows((body) => mapNamed(body, 'key', (key) => `${key}.moved`)),
  ],
  [
    'no-files',
    'Confirming shows an empty list of completed_files.',
    'confirm.completed-files',
    () => shows((body) => ({ ...body, completed_files: [] })),
  ],
  [
    'name-otherwise',
    'Confirming shows another file_name.',
    'completed-file.file-name',
    () => shows((body) => mapNamed(body, 'file_name', (name) => `copy of ${name}`)),
  ],
]

/** Every confirmation is answered with the first confirmed document. */
function mixesSessions(): Wrapper {
  let first: { text: string; headers: Headers; status: number } | undefined
  return onCalls(['confirmUpload'], async (request, inner) => {
    const response = await inner(request)
    if (!response.ok) return response
    const { headers, status } = response
    first ??= { text: await response.clone().text(), headers, status }
    return new Response(first.text, { headers: first.headers, status: first.status })
  })
}

/** Confirming works before the file is put, and is refused afterwards. */
function confirmsOnlyBefore(): Wrapper {
  const stored = new Set<string>()
  const keyOf = (url: string) => decodeURIComponent(new URL(url).pathname.slice('/storage/'.length))
  return wrap(async (request, inner) => {
    if (isCall(request, 'putObject')) {
      const response = await inner(request)
      if (response.ok) stored.add(keyOf(request.url))
      return response
    }
    if (!isCall(request, 'confirmUpload')) return inner(request)
    const body = (await bodyOf(request)) as { completed_files?: { key: string }[] } | undefined
    const key = body?.completed_files?.[0]?.key ?? ''
    const response = await inner(request)
    if (response.ok) return stored.has(key) ? problem(409) : response
    return response.status === 409 && !stored.has(key) ? Response.json({ status: 'confirmed' }) : response
  })
}

/** Putting the file is refused once another upload was requested. */
function oneUploadAtATime(): Wrapper {
  let latest = ''
  return compose(
    changeAnswer('requestUpload', (body) => {
      latest = new URL(body.upload_url).pathname
      return body
    }),
    onCalls(['putObject'], async (request, inner) =>
      new URL(request.url).pathname === latest ? inner(request) : new Response(null, { status: 403 }),
    ),
  )
}

export const confirmMutants: readonly Mutant[] = [
  ...refused.map(([id, breaks, kills, create]) => mutant(`confirm-refuses-${id}`, breaks, [kills], create)),
  ...otherForms.map(([id, breaks, kills, create]) => mutant(`confirm-wants-${id}`, breaks, [kills], create)),
  ...shownOtherwise.map(([id, breaks, kills, create]) =>
    mutant(`confirm-shows-${id}`, breaks, [kills], create, { appliesTo: showsDocument }),
  ),
  mutant(
    'confirm-mixes-sessions',
    'Every confirmation is answered with the first confirmed document.',
    ['confirm.session-id'],
    mixesSessions,
    {
      mayKill: [
        'confirm-upload.method-and-path',
        'completed-file.key',
        'completed-file.file-name',
        'upload.file-name',
        'upload.file-size',
      ],
      appliesTo: showsDocument,
    },
  ),
  mutant(
    'confirm-only-before-put',
    'Confirming works before the file is put, and is refused afterwards.',
    ['flow.request-put-confirm'],
    confirmsOnlyBefore,
  ),
  mutant(
    'put-only-latest-upload',
    'A file can be put only until another upload is requested.',
    ['flow.request-put-confirm'],
    oneUploadAtATime,
    { mayKill: ['storage.put-to-upload-url'] },
  ),
  mutant(
    'confirm-needs-second-call',
    'The first confirmation of every upload is refused.',
    ['flow.request-put-confirm'],
    secondCallConfirms,
    { mayKill: ['confirm-upload.method-and-path'] },
  ),
]

function secondCallConfirms(): Wrapper {
  const tried = new Set<unknown>()
  return onCalls(['confirmUpload'], async (request, inner) => {
    const session = (await bodyOf(request))?.session_id
    if (tried.has(session) || !request.headers.has('Authorization')) return inner(request)
    tried.add(session)
    return inner(await changed(request, { json: { session_id: crypto.randomUUID(), completed_files: [] } }))
  })
}
