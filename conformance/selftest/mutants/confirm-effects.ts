/** Confirmations with a wrong effect: interface.md sections 4.6 and 4, flow order. */
import { changeNamed } from '../json.ts'
import { isPlain, mutantsOf, showsDocument } from '../mutant.ts'
import {
  answersTo,
  bodyOf,
  changeAnswer,
  changeByPast,
  changeRequest,
  isCall,
  onCalls,
  problem,
  remembering,
  withState,
} from '../wrapper.ts'
import { uploadRequestOf } from './storage.ts'
import { repeatsFirstAnswer } from './workflow-identity.ts'

/** Shows the identifier of the first document for all documents but the first two. */
const laterDocumentsAreFirst = changeByPast(['confirmUpload'], ({ document_id, ...body }, past) => {
  const [first, second] = new Set(answersTo('confirmUpload', past).map((one) => one.document_id))
  return { ...body, document_id: document_id === second ? second : first }
})

/** Accepts a confirmation before the file is uploaded, and refuses it afterwards. */
const confirmsOnlyBefore = remembering(async (request, inner, past) => {
  const response = await inner(request)
  if (!isCall(request, 'confirmUpload')) return response
  const { completed_files } = ((await bodyOf(request)) ?? {}) as { completed_files?: { key: string }[] }
  const key = completed_files?.[0]?.key ?? ''
  const isStored = past.some(
    (one) => one.call === 'putObject' && one.answer && uploadRequestOf(one.request, past)?.answer?.key === key,
  )
  if (response.ok) return isStored ? problem(409) : response
  return response.status === 409 && !isStored ? Response.json({ status: 'confirmed' }) : response
})

/** Refuses the PUT once another upload was requested. */
const acceptsOnlyLatestUpload = remembering(async (request, inner, past) =>
  isCall(request, 'putObject') && uploadRequestOf(request, past)?.answer !== answersTo('requestUpload', past).at(-1)
    ? new Response(null, { status: 403 })
    : inner(request),
)

const secondCallConfirms = withState(() => {
  const tried = new Set<unknown>()
  return onCalls(['confirmUpload'], async (request, inner) => {
    const session = (await bodyOf(request))?.session_id
    if (tried.has(session) || !request.headers.has('Authorization')) return inner(request)
    tried.add(session)
    return inner(await changeRequest(request, { json: { session_id: crypto.randomUUID(), completed_files: [] } }))
  })
})

export const confirmEffectMutants = mutantsOf([
  [
    'confirm-shows-session-otherwise',
    'Confirming shows another session_id.',
    'confirm.session-id',
    changeAnswer(
      'confirmUpload',
      changeNamed('session_id', () => '3c0e9f6a-51d2-4b7e-9a44-6f1d2f0c8b11'),
    ),
    showsDocument,
  ],
  [
    'confirm-shows-key-otherwise',
    'Confirming shows another key.',
    'completed-file.key',
    changeAnswer(
      'confirmUpload',
      changeNamed('key', (key) => `${key}.moved`),
    ),
    showsDocument,
  ],
  [
    'accents-lost-by-another-name',
    'Confirming shows file names without their accented letters, under another name.',
    'completed-file.file-name',
    changeAnswer('confirmUpload', ({ file_name, ...body }) => ({
      ...body,
      label: file_name.replaceAll(/[^ -~]/g, ''),
    })),
    isPlain,
  ],
  [
    'confirm-mixes-sessions',
    'Every confirmation is answered with the first confirmed document.',
    'flow.document-id-refers-to-upload',
    repeatsFirstAnswer('confirmUpload'),
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
  ],
  [
    'third-document-is-first',
    'From the third on, confirmations show the identifier of the first document.',
    'flow.document-id-refers-to-upload',
    laterDocumentsAreFirst,
    isPlain,
  ],
  [
    'confirm-only-before-put',
    'A confirmation is accepted before the file is uploaded, and refused afterwards.',
    'confirm-upload.method-and-path',
    confirmsOnlyBefore,
  ],
  [
    'put-only-latest-upload',
    'A file can be uploaded only until another upload is requested.',
    'storage.put-to-upload-url',
    acceptsOnlyLatestUpload,
  ],
  [
    'confirm-needs-second-call',
    'The first confirmation of every upload is refused.',
    'flow.request-put-confirm',
    secondCallConfirms,
    { mayKill: ['confirm-upload.method-and-path'] },
  ],
])
