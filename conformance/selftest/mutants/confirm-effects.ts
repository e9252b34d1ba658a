/** Confirmations with a wrong effect: interface.md sections 4.6 and 4, flow order. */
import type { RequirementId } from '../../catalogue/catalogue.ts'
import { mapNamed } from '../json.ts'
import { type Choice, type Mutant, mutant } from '../mutant.ts'
import {
  bodyOf,
  changeAnswer,
  changeRequest,
  compose,
  isCall,
  type Members,
  onCalls,
  problem,
  type Wrapper,
  wrap,
} from '../wrapper.ts'

const showsDocument = (variants: Choice) => !variants['document-id']
const shows = (change: (body: Members) => unknown) => changeAnswer('confirmUpload', (body) => change(body as Members))

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
]

/** Answers every confirmation with the first confirmed document. */
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

/** Shows the identifier of the first document for all documents but the first two. */
function laterDocumentsAreFirst(): Wrapper {
  const known = new Set<unknown>()
  return shows(({ document_id, ...body }) => {
    known.add(document_id)
    const [first, second] = known
    return { ...body, document_id: document_id === second ? second : first }
  })
}

/** Accepts a confirmation before the file is uploaded, and refuses it afterwards. */
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

/** Refuses the PUT once another upload was requested. */
function acceptOnlyLatestUpload(): Wrapper {
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

function secondCallConfirms(): Wrapper {
  const tried = new Set<unknown>()
  return onCalls(['confirmUpload'], async (request, inner) => {
    const session = (await bodyOf(request))?.session_id
    if (tried.has(session) || !request.headers.has('Authorization')) return inner(request)
    tried.add(session)
    return inner(await changeRequest(request, { json: { session_id: crypto.randomUUID(), completed_files: [] } }))
  })
}

export const confirmEffectMutants: readonly Mutant[] = [
  ...shownOtherwise.map(([id, breaks, kills, create]) =>
    mutant(`confirm-shows-${id}`, breaks, [kills], create, { appliesTo: showsDocument }),
  ),
  mutant(
    'accents-lost-by-another-name',
    'Confirming shows file names without their accented letters, under another name.',
    ['completed-file.file-name'],
    () => shows(({ file_name, ...body }: Members) => ({ ...body, label: String(file_name).replaceAll(/[^ -~]/g, '') })),
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'confirm-mixes-sessions',
    'Every confirmation is answered with the first confirmed document.',
    ['flow.document-id-refers-to-upload'],
    mixesSessions,
    {
      mayKill: [
        'confirm-upload.method-and-path',
        'confirm.session-id',
        'completed-file.key',
        'completed-file.file-name',
        'upload.file-name',
        'upload.file-size',
        'storage.raw-bytes',
      ],
      appliesTo: showsDocument,
    },
  ),
  mutant(
    'third-document-is-first',
    'From the third on, confirmations show the identifier of the first document.',
    ['flow.document-id-refers-to-upload'],
    laterDocumentsAreFirst,
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'confirm-only-before-put',
    'A confirmation is accepted before the file is uploaded, and refused afterwards.',
    ['confirm-upload.method-and-path'],
    confirmsOnlyBefore,
  ),
  mutant(
    'put-only-latest-upload',
    'A file can be uploaded only until another upload is requested.',
    ['storage.put-to-upload-url'],
    acceptOnlyLatestUpload,
  ),
  mutant(
    'confirm-needs-second-call',
    'The first confirmation of every upload is refused.',
    ['flow.request-put-confirm'],
    secondCallConfirms,
    { mayKill: ['confirm-upload.method-and-path'] },
  ),
]
