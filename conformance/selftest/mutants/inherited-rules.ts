/** Poor behaviour that breaks no sentence of interface.md, so that no documented check may fail. */
import {
  bodyOf,
  bytesOf,
  changeAnswers,
  changeRequest,
  isCall,
  isServicePath,
  onCalls,
  problem,
  refuseWhen,
  type Wrapper,
  wrap,
} from '../wrapper.ts'
import { inheritedOf, undocumented } from './inherited.ts'

/** Changes every answer of the service. */
const everyAnswer = (change: (response: Response, request: Request) => Response | Promise<Response>) =>
  wrap(async (request, inner) => (isServicePath(request) ? change(await inner(request), request) : inner(request)))

function refuseRepeated(
  call: 'executeWorkflow' | 'requestUpload',
  what: (request: Request, body: Record<string, unknown>) => string,
): Wrapper {
  const seen = new Set<string>()
  return onCalls([call], async (request, inner) => {
    const subject = what(request, (await bodyOf(request)) ?? {})
    if (seen.has(subject)) return problem(409)
    const response = await inner(request)
    if (response.ok) seen.add(subject)
    return response
  })
}

export const executesDocumentsOnce = () =>
  refuseRepeated('executeWorkflow', (_, { document_id }) => String(document_id))

function putsAnyType(): Wrapper {
  const types = new Map<string, string>()
  return wrap(async (request, inner) => {
    const type = isCall(request, 'putObject') ? types.get(new URL(request.url).pathname) : undefined
    if (type) return inner(await changeRequest(request, { headers: { 'Content-Type': type } }))
    const declared = isCall(request, 'requestUpload') ? (await bodyOf(request))?.content_type : undefined
    const response = await inner(request)
    if (declared && response.ok)
      types.set(new URL((await response.clone().json()).upload_url).pathname, String(declared))
    return response
  })
}

/** Takes a PUT whose address lacks something of the upload URL, as if it had all of it. */
function takesUnsigned(): Wrapper {
  const issued = new Map<string, string>()
  return wrap(async (request, inner) => {
    const { origin, pathname, search } = new URL(request.url)
    const whole = isCall(request, 'putObject') ? issued.get(origin + pathname) : undefined
    if (whole && search.length < new URL(whole).search.length)
      return inner(await changeRequest(request, { url: whole }))
    const response = await inner(request)
    const upload = isCall(request, 'requestUpload') && response.ok ? await response.clone().json() : {}
    if (URL.canParse(upload.upload_url)) issued.set(upload.upload_url.split('?')[0], upload.upload_url)
    return response
  })
}

export const inheritedRuleMutants = inheritedOf([
  [
    'confirm-without-upload',
    'A confirmation is accepted before the file is uploaded.',
    undocumented('the states of uploads'),
    () =>
      onCalls(['confirmUpload'], async (request, inner) => {
        const response = await inner(request)
        return response.status === 409 ? Response.json({ document_id: 'doc_too_early' }) : response
      }),
  ],
  [
    'confirm-any-session',
    'A confirmation of an unknown session is accepted.',
    undocumented('what an unknown session leads to'),
    () =>
      onCalls(['confirmUpload'], async (request, inner) => {
        const response = await inner(request)
        return response.status === 404 ? Response.json({ document_id: 'doc_of_nobody' }) : response
      }),
  ],
  [
    'any-workflow-readable',
    'Reading an unknown workflow answers 200 with an empty object.',
    undocumented('what an unknown workflow leads to'),
    () =>
      onCalls(['getWorkflow'], async (request, inner) => {
        const response = await inner(request)
        return response.status === 404 ? Response.json({}) : response
      }),
  ],
  [
    'put-any-type',
    'The PUT is accepted with any Content-Type.',
    undocumented('what another Content-Type leads to'),
    putsAnyType,
  ],
  [
    'put-takes-key',
    'The PUT is accepted with the key as well.',
    'The document says that the PUT carries no key, which binds the client.',
    () =>
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
    () =>
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
    () => refuseRepeated('executeWorkflow', ({ url }) => url),
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
    () => refuseRepeated('requestUpload', (_, { file_name }) => String(file_name)),
  ],
  [
    'markup-refused',
    'A description with markup is refused.',
    undocumented('what a description may not hold'),
    () => refuseWhen(['createWorkflow'], (_, { description }) => /<[a-z]/i.test(String(description))),
  ],
  [
    'created-at-lost',
    'The time of creation is not shown.',
    undocumented('the response of creating'),
    () => changeAnswers(['createWorkflow', 'getWorkflow'], ({ created_at, ...body }) => body),
  ],
  [
    'success-203',
    'Every success is answered with 203.',
    undocumented('the status of a success'),
    () =>
      everyAnswer((response) =>
        response.ok ? new Response(response.body, { status: 203, headers: response.headers }) : response,
      ),
  ],
])
