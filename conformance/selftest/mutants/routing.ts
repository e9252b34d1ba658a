/** Calls with another path, method or format than interface.md sections 1 and 4 state. */
import { operations, type ServiceOperationId } from '../../../src/contract/operations.ts'
import type { RequirementId } from '../../catalogue/catalogue.ts'
import { faultRows, type MutantRow, mutantsOf } from '../mutant.ts'
import {
  bodyCalls,
  bytesOf,
  changeRequest,
  isCall,
  isServicePath,
  onCalls,
  problem,
  serviceCalls,
  type Wrapper,
  wrap,
} from '../wrapper.ts'

/** The check of each call's method and path. */
export const methodAndPath: Record<ServiceOperationId, RequirementId> = {
  createWorkflow: 'create-workflow.method-and-path',
  executeWorkflow: 'execute-workflow.method-and-path',
  getWorkflow: 'get-workflow.method-and-path',
  requestUpload: 'request-upload.method-and-path',
  confirmUpload: 'confirm-upload.method-and-path',
}

/** Answers only under another prefix. */
function moveTo(prefix: string): Wrapper {
  return wrap(async (request, inner) => {
    const url = new URL(request.url)
    if (url.pathname.startsWith(`${prefix}/`)) {
      url.pathname = `/api/v1${url.pathname.slice(prefix.length)}`
      return inner(await changeRequest(request, { url: url.href }))
    }
    return url.pathname.startsWith('/api/v1/') ? problem(404) : inner(request)
  })
}

function redirect(status: number, location: string): Response {
  return new Response(null, { status, headers: { Location: location } })
}

/** Adds or removes the trailing slash of a call's path, contrary to the document. */
function changeSlash(id: ServiceOperationId, answer: (there: string) => Response): Wrapper {
  return wrap(async (request, inner) => {
    const url = new URL(request.url)
    url.pathname = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : `${url.pathname}/`
    if (isCall(request, id)) return answer(url.href)
    const there = await changeRequest(request, { url: url.href })
    return inner(isCall(there, id) ? there : request)
  })
}

function changeMethod(id: ServiceOperationId): Wrapper {
  const { method } = operations[id]
  const other = method === 'GET' ? 'POST' : 'PUT'
  return wrap(async (request, inner) => {
    if (isCall(request, id)) return problem(405, { Allow: other })
    const meant = request.method === other ? await changeRequest(request, { method }) : request
    return inner(isCall(meant, id) ? meant : request)
  })
}

const page = () =>
  new Response('<!doctype html><title>Sign in</title><form></form>', { headers: { 'Content-Type': 'text/html' } })

/** The faults of each call's method and path. */
const faults: readonly [id: string, breaks: string, wrapper: (id: ServiceOperationId) => Wrapper][] = [
  ['missing-', 'does not exist.', (id) => onCalls([id], async () => problem(404))],
  ['other-method-', 'accepts only another method.', changeMethod],
  ['broken-', 'answers 500 to everything.', (id) => onCalls([id], async () => problem(500))],
  ['page-for-', 'answers 200 with a login page.', (id) => onCalls([id], async () => page())],
  ['slash-', 'exists only with the opposite trailing slash.', (id) => changeSlash(id, () => problem(404))],
  [
    'slash-redirect-',
    'redirects to the path with the opposite trailing slash.',
    (id) => changeSlash(id, (there) => redirect(307, there)),
  ],
]

/** Accepts bodies only with a matching media type. */
function wantsType(wanted: RegExp): Wrapper {
  return onCalls(bodyCalls, async (request, inner) => {
    if (!wanted.test(request.headers.get('Content-Type') ?? '')) return problem(415)
    return inner(await changeRequest(request, { headers: { 'Content-Type': 'application/json' } }))
  })
}

/** Accepts bodies only in another format. */
function wantsFormat(decode: (text: string) => unknown): Wrapper {
  return onCalls(bodyCalls, async (request, inner) => {
    const text = new TextDecoder().decode(await bytesOf(request))
    const json = text.trimStart().startsWith('{') ? undefined : decode(text)
    if (json === undefined) return problem(400)
    return inner(await changeRequest(request, { json, headers: { 'Content-Type': 'application/json' } }))
  })
}

function fromBase64(text: string): unknown {
  try {
    return JSON.parse(atob(text))
  } catch {
    return undefined
  }
}

/** Refuses to read a workflow unless the request has a matching media type. */
const readWantsType = (status: number, wanted: RegExp) =>
  onCalls(['getWorkflow'], async (request, inner) =>
    wanted.test(request.headers.get('Content-Type') ?? '') ? inner(request) : problem(status),
  )

export const routingMutants = mutantsOf([
  ...['/api/v2', '/api', '/v1', '/api/V1', '/service/api/v1'].map(
    (prefix): MutantRow => [
      `lives-under${prefix.replaceAll('/', '-')}`,
      `The service answers only under ${prefix}.`,
      'api.under-api-v1',
      moveTo(prefix),
    ],
  ),
  ...[301, 308].map(
    (status): MutantRow => [
      `redirected-elsewhere-${status}`,
      `Every service call is redirected to another host with ${status}.`,
      'api.paths-relative-to-base',
      wrap(async (request, inner) => {
        const { pathname } = new URL(request.url)
        return isServicePath(request) ? redirect(status, `https://elsewhere.example${pathname}`) : inner(request)
      }),
    ],
  ),
  ...serviceCalls.flatMap((id) =>
    faults.map(
      ([prefix, breaks, wrapper]): MutantRow => [`${prefix}${id}`, `${id} ${breaks}`, methodAndPath[id], wrapper(id)],
    ),
  ),
  [
    'slash-redirect-301',
    'The upload request is redirected with 301 to its path without the slash.',
    'request-upload.method-and-path',
    changeSlash('requestUpload', (there) => redirect(301, there)),
  ],
  ...faultRows(
    'api.json-content-type',
    [
      ['vendor-type-only', 'JSON is accepted only as application/vnd.api+json.', /^application\/vnd\.api\+json/],
      ['charset-wanted', 'JSON is accepted only with a charset.', /^application\/json *; *charset=/i],
      ['text-json-only', 'JSON is accepted only as text/json or text/plain.', /^text\//],
    ],
    wantsType,
  ),
  // A workflow cannot be encoded as a form, so no experiment can tell this apart from other refusals.
  [
    'form-only',
    'Bodies are accepted only as forms.',
    'create-workflow.method-and-path',
    wantsFormat((text) => Object.fromEntries(new URLSearchParams(text))),
  ],
  ['encoded-only', 'Bodies are accepted only in Base64.', 'api.request-bodies-are-json', wantsFormat(fromBase64)],
  [
    'read-wants-type',
    'Reading a workflow is refused without a Content-Type.',
    'get-workflow.no-request-body',
    readWantsType(415, /./),
  ],
  [
    'read-wants-type-400',
    'Reading a workflow is refused with 400 without the Content-Type of JSON.',
    'get-workflow.no-request-body',
    readWantsType(400, /^application\/json$/),
  ],
])
