import { inheritedOf, undocumented } from '../mutant.ts'
import { bodyCalls, changeHeaders, changeRequest, isServicePath, onCalls, withState, wrap } from '../wrapper.ts'
import { keyIn } from './auth.ts'

/** Treats keys that meet a condition like the first key. */
const mapsKeysToFirst = (isLike: (key: string, first: string) => boolean) =>
  withState(() => {
    let first: string | undefined
    return wrap(async (request, inner) => {
      const key = isServicePath(request) ? keyIn(request) : null
      if (!key) return inner(request)
      first ??= key
      return inner(isLike(key, first) ? await changeRequest(request, { headers: { Authorization: first } }) : request)
    })
  })

/** Changes the headers of every answer of the service. */
const everyAnswer = (change: (headers: Headers, response: Response, request: Request) => void) =>
  wrap(async (request, inner) => {
    const response = await inner(request)
    return isServicePath(request) ? changeHeaders(response, (headers) => change(headers, response, request)) : response
  })

export const inheritedHttpMutants = inheritedOf([
  ['any-key', 'Any key is accepted.', undocumented('what an invalid key leads to'), mapsKeysToFirst(() => true)],
  [
    'key-prefix-compared',
    'Keys are compared by their first eight characters.',
    undocumented('what an invalid key leads to'),
    mapsKeysToFirst((key, first) => key.slice(0, 8) === first.slice(0, 8)),
  ],
  [
    'bearer-too',
    'The key is also accepted after the word Bearer.',
    'The document says how the key is sent, not what else is accepted.',
    wrap(async (request, inner) => {
      const key = /^Bearer (.*)$/.exec(keyIn(request) ?? '')?.[1]
      return inner(key ? await changeRequest(request, { headers: { Authorization: key } }) : request)
    }),
  ],
  [
    'key-echoed',
    'A refusal of the key repeats it.',
    'Secrets in answers are a matter of good practice (OWASP), not of the document.',
    everyAnswer((headers, { status }, request) => {
      if (status >= 400) headers.set('X-Denied-Key', keyIn(request) ?? '')
    }),
  ],
  [
    'challenge-lost',
    'A 401 has no WWW-Authenticate.',
    'RFC 9110 section 15.5.2 requires it.',
    everyAnswer((headers) => headers.delete('WWW-Authenticate')),
  ],
  [
    'allow-lost',
    'A 405 has no Allow.',
    'RFC 9110 section 15.5.6 requires it.',
    everyAnswer((headers) => headers.delete('Allow')),
  ],
  [
    'any-media-type',
    'JSON is accepted with any Content-Type.',
    undocumented('what another Content-Type leads to'),
    onCalls(bodyCalls, async (request, inner) =>
      inner(await changeRequest(request, { headers: { 'Content-Type': 'application/json' } })),
    ),
  ],
  [
    'text-answers',
    'JSON answers are declared to be text/plain.',
    undocumented('the response bodies'),
    everyAnswer((headers, { ok }) => {
      if (ok) headers.set('Content-Type', 'text/plain')
    }),
  ],
])
