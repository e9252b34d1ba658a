/** Poor behaviour that breaks no sentence of interface.md, so that no documented check may fail. */
import { inheritedOf, undocumented } from '../mutant.ts'
import {
  bytesOf,
  changeRequest,
  changeStatus,
  changeWorkflows,
  isCall,
  type Members,
  onCalls,
  onRepeats,
  refuseWhen,
  remembering,
  serviceCalls,
} from '../wrapper.ts'
import { takesTypes, uploadRequestOf } from './storage.ts'

/** Answers a refusal with success. */
const takesRefused = (call: 'confirmUpload' | 'getWorkflow', status: number, answer: Members) =>
  onCalls([call], async (request, inner) => {
    const response = await inner(request)
    return response.status === status ? Response.json(answer) : response
  })

export const executesDocumentsOnce = onRepeats('executeWorkflow', (_, { document_id }) => document_id)

/** Takes a PUT whose address lacks something of the upload URL, as if it had all of it. */
const takesUnsigned = remembering(async (request, inner, past) => {
  const { answer } = (isCall(request, 'putObject') && uploadRequestOf(request, past)) || {}
  const url = String(answer?.upload_url)
  return inner(answer && request.url.length < url.length ? await changeRequest(request, { url }) : request)
})

export const inheritedRuleMutants = inheritedOf([
  [
    'confirm-without-upload',
    'A confirmation is accepted before the file is uploaded.',
    undocumented('the states of uploads'),
    takesRefused('confirmUpload', 409, { document_id: 'doc_too_early' }),
  ],
  [
    'confirm-any-session',
    'A confirmation of an unknown session is accepted.',
    undocumented('what an unknown session leads to'),
    takesRefused('confirmUpload', 404, { document_id: 'doc_of_nobody' }),
  ],
  [
    'any-workflow-readable',
    'Reading an unknown workflow answers 200 with an empty object.',
    undocumented('what an unknown workflow leads to'),
    takesRefused('getWorkflow', 404, {}),
  ],
  [
    'put-any-type',
    'The PUT is accepted with any Content-Type.',
    undocumented('what another Content-Type leads to'),
    takesTypes(() => true),
  ],
  [
    'put-takes-key',
    'The PUT is accepted with the key as well.',
    'The document says that the PUT carries no key, which binds the client.',
    onCalls(['putObject'], async (request, inner) =>
      inner(await changeRequest(request, { headers: { Authorization: null } })),
    ),
  ],
  [
    'put-unsigned',
    'The PUT is accepted without the signature of its upload URL.',
    undocumented('what another upload URL leads to'),
    takesUnsigned,
  ],
  [
    'put-any-bytes',
    'The PUT accepts fewer bytes than announced.',
    undocumented('what another size leads to'),
    onCalls(['putObject'], async (request, inner) => {
      const { byteLength } = await bytesOf(request)
      const response = await inner(request)
      const short = response.status === 403 && byteLength < 16
      return short ? new Response(null) : response
    }),
  ],
  [
    'executes-once',
    'A workflow can be executed only once.',
    undocumented('whether a workflow can be executed again'),
    onRepeats('executeWorkflow', ({ url }) => url),
  ],
  [
    'document-used-once',
    'A document can be executed only once.',
    undocumented('whether a document can be used again'),
    executesDocumentsOnce,
  ],
  [
    'file-name-once',
    'A file name can be uploaded only once.',
    undocumented('whether a file name can be used again'),
    onRepeats('requestUpload', (_, { file_name }) => file_name),
  ],
  [
    'markup-refused',
    'A description with markup is refused.',
    undocumented('what a description may not hold'),
    refuseWhen(['createWorkflow'], (_, { description }) => /<[a-z]/i.test(String(description))),
  ],
  [
    'created-at-lost',
    'The time of creation is not shown.',
    undocumented('the response of creating'),
    changeWorkflows(({ created_at, ...body }) => body),
  ],
  [
    'success-203',
    'Every success is answered with 203.',
    undocumented('the status of a success'),
    changeStatus(serviceCalls, 203),
  ],
])
