/** Calls with another path, method or format than interface.md sections 1 and 4 state. */
import { operations, type ServiceOperationId } from '../../../src/contract/operations.ts'
import type { RequirementId } from '../../catalogue/catalogue.ts'
import { type Mutant, mutant } from '../mutant.ts'
import {
  bodyCalls,
  bytesOf,
  callOf,
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
const methodAndPath: Record<ServiceOperationId, RequirementId> = {
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
    return isCall(there, id) ? inner(there) : inner(request)
  })
}

function changeMethod(id: ServiceOperationId): Wrapper {
  const { method } = operations[id]
  const other = method === 'GET' ? 'POST' : 'PUT'
  return wrap(async (request, inner) => {
    if (isCall(request, id)) return problem(405, { Allow: other })
    if (request.method !== other) return inner(request)
    const meant = await changeRequest(request, { method })
    return isCall(meant, id) ? inner(meant) : inner(request)
  })
}

const page = () =>
  new Response('<!doctype html><title>Sign in</title><form></form>', { headers: { 'Content-Type': 'text/html' } })

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

export const routingMutants: readonly Mutant[] = [
  ...['/api/v2', '/api', '/v1', '/api/V1', '/service/api/v1'].map((prefix) =>
    mutant(
      `lives-under${prefix.replaceAll('/', '-')}`,
      `The service answers only under ${prefix}.`,
      ['api.under-api-v1'],
      () => moveTo(prefix),
    ),
  ),
  ...[301, 308].map((status) =>
    mutant(
      `redirected-elsewhere-${status}`,
      `Every service call is redirected to another host with ${status}.`,
      ['api.paths-relative-to-base'],
      () =>
        wrap(async (request, inner) => {
          const { pathname } = new URL(request.url)
          return isServicePath(request) ? redirect(status, `https://elsewhere.example${pathname}`) : inner(request)
        }),
    ),
  ),
  ...serviceCalls.flatMap((id) => [
    mutant(`missing-${id}`, `${id} does not exist.`, [methodAndPath[id]], () =>
      onCalls([id], async () => problem(404)),
    ),
    mutant(`other-method-${id}`, `${id} accepts only another method.`, [methodAndPath[id]], () => changeMethod(id)),
    mutant(`broken-${id}`, `${id} answers 500 to everything.`, [methodAndPath[id]], () =>
      onCalls([id], async () => problem(500)),
    ),
    mutant(`page-for-${id}`, `${id} answers 200 with a login page.`, [methodAndPath[id]], () =>
      onCalls([id], async () => page()),
    ),
    mutant(`slash-${id}`, `${id} exists only with the opposite trailing slash.`, [methodAndPath[id]], () =>
      changeSlash(id, () => problem(404)),
    ),
    mutant(
      `slash-redirect-${id}`,
      `${id} redirects to the path with the opposite trailing slash.`,
      [methodAndPath[id]],
      () => changeSlash(id, (there) => redirect(307, there)),
    ),
  ]),
  mutant(
    'slash-redirect-301',
    'The upload request is redirected with 301 to its path without the slash.',
    ['request-upload.method-and-path'],
    () => changeSlash('requestUpload', (there) => redirect(301, there)),
  ),
  mutant('vendor-type-only', 'JSON is accepted only as application/vnd.api+json.', ['api.json-content-type'], () =>
    wantsType(/^application\/vnd\.api\+json/),
  ),
  mutant('charset-wanted', 'JSON is accepted only with a charset.', ['api.json-content-type'], () =>
    wantsType(/^application\/json *; *charset=/i),
  ),
  mutant('text-json-only', 'JSON is accepted only as text/json or text/plain.', ['api.json-content-type'], () =>
    wantsType(/^text\//),
  ),
  // A workflow cannot be encoded as a form, so no experiment can tell this apart from other refusals.
  mutant('form-only', 'Bodies are accepted only as forms.', ['create-workflow.method-and-path'], () =>
    wantsFormat((text) => Object.fromEntries(new URLSearchParams(text))),
  ),
  mutant('encoded-only', 'Bodies are accepted only in Base64.', ['api.request-bodies-are-json'], () =>
    wantsFormat((text) => {
      try {
        return JSON.parse(atob(text))
      } catch {
        return undefined
      }
    }),
  ),
  mutant(
    'read-wants-type',
    'Reading a workflow is refused without a Content-Type.',
    ['get-workflow.no-request-body'],
    () =>
      onCalls(['getWorkflow'], async (request, inner) =>
        request.headers.has('Content-Type') ? inner(request) : problem(415),
      ),
  ),
  mutant(
    'read-wants-type-400',
    'Reading a workflow is refused with 400 without the Content-Type of JSON.',
    ['get-workflow.no-request-body'],
    () =>
      wrap(async (request, inner) =>
        callOf(request) === 'getWorkflow' && request.headers.get('Content-Type') !== 'application/json'
          ? problem(400)
          : inner(request),
      ),
  ),
]
