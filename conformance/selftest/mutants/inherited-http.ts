import { changeRequest, isServicePath, onCalls, type Wrapper, wrap } from '../wrapper.ts'
import { inheritedOf, undocumented } from './inherited.ts'

/** Treats keys that meet a condition like the first key. */
function mapKeysToFirst(isLike: (key: string, first: string) => boolean): Wrapper {
  let first: string | undefined
  return wrap(async (request, inner) => {
    const key = isServicePath(request) ? request.headers.get('Authorization') : null
    if (!key) return inner(request)
    first ??= key
    return inner(isLike(key, first) ? await changeRequest(request, { headers: { Authorization: first } }) : request)
  })
}

/** Changes every answer of the service. */
const everyAnswer = (change: (response: Response, request: Request) => Response | Promise<Response>) =>
  wrap(async (request, inner) => (isServicePath(request) ? change(await inner(request), request) : inner(request)))

export const inheritedHttpMutants = inheritedOf([
  ['any-key', 'Any key is accepted.', undocumented('what an invalid key leads to'), () => mapKeysToFirst(() => true)],
  [
    'key-prefix-compared',
    'Keys are compared by their first eight characters.',
    undocumented('what an invalid key leads to'),
    () => mapKeysToFirst((key, first) => key.slice(0, 8) === first.slice(0, 8)),
  ],
  [
    'bearer-too',
    'The key is also accepted after the word Bearer.',
    'The document says how the key is sent, not what else is accepted.',
    () =>
      wrap(async (request, inner) => {
        const key = /^Bearer (.*)$/.exec(request.headers.get('Authorization') ?? '')?.[1]
        return inner(key ? await changeRequest(request, { headers: { Authorization: key } }) : request)
      }),
  ],
  [
    'key-echoed',
    'A refusal of the key repeats it.',
    'Secrets in answers are a matter of good practice (OWASP), not of the document.',
    () =>
      everyAnswer((response, request) => {
        const headers = new Headers(response.headers)
        if (response.status >= 400) headers.set('X-Denied-Key', request.headers.get('Authorization') ?? '')
        return new Response(response.body, { status: response.status, headers })
      }),
  ],
  [
    'challenge-lost',
    'A 401 has no WWW-Authenticate.',
    'RFC 9110 section 15.5.2 requires it.',
    () =>
      everyAnswer((response) => {
        const headers = new Headers(response.headers)
        headers.delete('WWW-Authenticate')
        return new Response(response.body, { status: response.status, headers })
      }),
  ],
  [
    'allow-lost',
    'A 405 has no Allow.',
    'RFC 9110 section 15.5.6 requires it.',
    () =>
      everyAnswer((response) => {
        const headers = new Headers(response.headers)
        headers.delete('Allow')
        return new Response(response.body, { status: response.status, headers })
      }),
  ],
  [
    'any-media-type',
    'JSON is accepted with any Content-Type.',
    undocumented('what another Content-Type leads to'),
    () =>
      onCalls(['createWorkflow', 'executeWorkflow', 'requestUpload', 'confirmUpload'], async (request, inner) =>
        inner(await changeRequest(request, { headers: { 'Content-Type': 'application/json' } })),
      ),
  ],
  [
    'text-answers',
    'JSON answers are declared to be text/plain.',
    undocumented('the response bodies'),
    () =>
      everyAnswer((response) => {
        const headers = new Headers(response.headers)
        if (response.ok) headers.set('Content-Type', 'text/plain')
        return new Response(response.body, { status: response.status, headers })
      }),
  ],
])
