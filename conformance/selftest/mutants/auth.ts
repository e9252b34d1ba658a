/** Broken authentication: interface.md section 5. */

import type { ServiceOperationId } from '../../../src/contract/operations.ts'
import type { RequirementId } from '../../catalogue/catalogue.ts'
import { type Mutant, mutant } from '../mutant.ts'
import {
  bodyOf,
  changeRequest,
  isCall,
  isServicePath,
  onCalls,
  problem,
  serviceCalls,
  type Wrapper,
  wrap,
} from '../wrapper.ts'

/** Accepts some calls without the key, as if they had the last key that was sent. */
function openCalls(...calls: readonly ServiceOperationId[]): Wrapper {
  let last = 'test_anybody'
  return wrap(async (request, inner) => {
    const key = request.headers.get('Authorization')
    if (key) last = key
    if (key || !isCall(request, ...calls)) return inner(request)
    return inner(await changeRequest(request, { headers: { Authorization: last } }))
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

const afterScheme =
  (scheme: string) =>
  ({ headers }: Request) => {
    const value = headers.get('Authorization') ?? ''
    return value.startsWith(`${scheme} `) ? value.slice(scheme.length + 1) : null
  }

const elsewhere: Record<string, [where: string, keyOf: (request: Request) => string | null]> = {
  bearer: ['after the word Bearer', afterScheme('Bearer')],
  'api-key-scheme': ['after the word ApiKey', afterScheme('ApiKey')],
  'token-scheme': ['after the word Token', afterScheme('Token')],
  'basic-scheme': [
    'as the user name of Basic',
    (request) => {
      const basic = afterScheme('Basic')(request)
      return basic ? (atob(basic).split(':')[0] ?? null) : null
    },
  ],
  'x-api-key': ['in the header X-API-Key', ({ headers }) => headers.get('X-API-Key')],
}

/** The requirement of each call. */
const callOf = {
  createWorkflow: 'create-workflow.method-and-path',
  executeWorkflow: 'execute-workflow.method-and-path',
  getWorkflow: 'get-workflow.method-and-path',
  requestUpload: 'request-upload.method-and-path',
  confirmUpload: 'confirm-upload.method-and-path',
} as const satisfies Record<(typeof serviceCalls)[number], RequirementId>

export const authMutants: readonly Mutant[] = [
  ...serviceCalls.map((id) =>
    mutant(`open-${id}`, `${id} answers without the key.`, ['auth.key-is-required'], () => openCalls(id)),
  ),
  mutant('open-everywhere', 'Every call answers without the key.', ['auth.key-is-required'], () =>
    openCalls(...serviceCalls),
  ),
  ...Object.entries(elsewhere).map(([id, [where, keyOf]]) =>
    mutant(
      `only-${id}`,
      `The key is accepted only ${where}.`,
      ['auth.raw-key'],
      () => acceptKeyElsewhere(serviceCalls, keyOf),
      {
        mayKill: ['auth.every-service-call'],
      },
    ),
  ),
  ...serviceCalls.map((id) =>
    mutant(
      `bearer-for-${id}`,
      `${id} alone accepts the key only after the word Bearer.`,
      ['auth.every-service-call'],
      () => acceptKeyElsewhere([id], afterScheme('Bearer')),
      { mayKill: ['auth.raw-key'] },
    ),
  ),
  mutant(
    'confirm-of-images-wants-scheme',
    'The confirmation of files that are no PDF accepts the key only after a scheme word.',
    ['auth.every-service-call'],
    () =>
      onCalls(['confirmUpload'], async (request, inner) => {
        const files = (await bodyOf(request))?.completed_files
        const isPdf = /\.pdf"/i.test(JSON.stringify(files) ?? '')
        return isPdf || request.headers.get('Authorization')?.includes(' ') ? inner(request) : problem(401)
      }),
  ),
  ...serviceCalls.map((id) =>
    mutant(
      `key-refused-by-${id}`,
      `${id} refuses any Authorization header, and answers without it.`,
      [callOf[id]],
      () => {
        const opened = openCalls(id)
        return (inner) => {
          const fetch = opened(inner)
          return async (request) => {
            // Record the key, so that the same call without it is answered for the same tenant.
            if (!isCall(request, id) || !request.headers.has('Authorization')) return fetch(request)
            await opened(async () => new Response())(request)
            return problem(400)
          }
        }
      },
      { mayKill: ['auth.key-is-required', 'auth.raw-key'] },
    ),
  ),
]
