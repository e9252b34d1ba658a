/** Broken authentication: interface.md section 5. */

import type { ServiceOperationId } from '../../../src/contract/operations.ts'
import { type MutantRow, mutantsOf } from '../mutant.ts'
import {
  bodyOf,
  changeRequest,
  changeResponse,
  isCall,
  isServicePath,
  jsonOf,
  onCalls,
  problem,
  type ServerFunction,
  serviceCalls,
  type Wrapper,
  withState,
  wrap,
} from '../wrapper.ts'
import { methodAndPath } from './routing.ts'

export const keyIn = ({ headers }: Request) => headers.get('Authorization')

type WithKey = (request: Request, inner: ServerFunction) => Promise<Response>

/** Accepts some calls without the key, as if they had the last key that was sent. Shows all members of their answers, or some. */
export function openCalls(
  calls: readonly ServiceOperationId[],
  shown?: readonly string[],
  withKey: WithKey = (request, inner) => inner(request),
): Wrapper {
  return withState(() => {
    let last = 'test_anybody'
    return wrap(async (request, inner) => {
      const key = keyIn(request)
      last = key || last
      if (!isCall(request, ...calls)) return inner(request)
      if (key) return withKey(request, inner)
      const response = await inner(await changeRequest(request, { headers: { Authorization: last } }))
      const body = shown && response.ok ? await jsonOf(response) : undefined
      return body
        ? changeResponse(response, Object.fromEntries(shown?.map((name) => [name, body[name]]) ?? []))
        : response
    })
  })
}

/** Accepts the key of some calls only where `keyOf` finds it, and refuses it otherwise. */
function acceptKeyElsewhere(calls: readonly ServiceOperationId[], keyOf: (request: Request) => string | null): Wrapper {
  return wrap(async (request, inner) => {
    if (!isServicePath(request) || !(calls.length === serviceCalls.length || isCall(request, ...calls))) {
      return inner(request)
    }
    const key = keyOf(request)
    return key ? inner(await changeRequest(request, { headers: { Authorization: key } })) : problem(401)
  })
}

const afterScheme = (scheme: string) => (request: Request) => {
  const value = keyIn(request) ?? ''
  return value.startsWith(`${scheme} `) ? value.slice(scheme.length + 1) : null
}

const elsewhere: Record<string, [where: string, keyOf: (request: Request) => string | null]> = {
  bearer: ['after the word Bearer', afterScheme('Bearer')],
  'api-key-scheme': ['after the word ApiKey', afterScheme('ApiKey')],
  'token-scheme': ['after the word Token', afterScheme('Token')],
  'basic-scheme': [
    'as the user name of Basic',
    (request) => atob(afterScheme('Basic')(request) ?? '').split(':')[0] ?? null,
  ],
  'x-api-key': ['in the header X-API-Key', ({ headers }) => headers.get('X-API-Key')],
}

export const authMutants = mutantsOf([
  ...serviceCalls.map(
    (id): MutantRow => [`open-${id}`, `${id} answers without the key.`, 'auth.key-is-required', openCalls([id])],
  ),
  ['open-everywhere', 'Every call answers without the key.', 'auth.key-is-required', openCalls(serviceCalls)],
  ...Object.entries(elsewhere).map(
    ([id, [where, keyOf]]): MutantRow => [
      `only-${id}`,
      `The key is accepted only ${where}.`,
      'auth.raw-key',
      acceptKeyElsewhere(serviceCalls, keyOf),
      { mayKill: ['auth.every-service-call'] },
    ],
  ),
  ...serviceCalls.map(
    (id): MutantRow => [
      `bearer-for-${id}`,
      `${id} alone accepts the key only after the word Bearer.`,
      'auth.every-service-call',
      acceptKeyElsewhere([id], afterScheme('Bearer')),
      { mayKill: ['auth.raw-key'] },
    ],
  ),
  [
    'confirm-of-images-wants-scheme',
    'The confirmation of files that are no PDF accepts the key only after a scheme word.',
    'auth.every-service-call',
    onCalls(['confirmUpload'], async (request, inner) => {
      const files = (await bodyOf(request))?.completed_files
      const isPdf = /\.pdf"/i.test(JSON.stringify(files) ?? '')
      return isPdf || keyIn(request)?.includes(' ') ? inner(request) : problem(401)
    }),
  ],
  ...serviceCalls.map(
    (id): MutantRow => [
      `key-refused-by-${id}`,
      `${id} refuses any Authorization header, and answers without it.`,
      methodAndPath[id],
      openCalls([id], undefined, async () => problem(400)),
      { mayKill: ['auth.key-is-required', 'auth.raw-key'] },
    ],
  ),
])
