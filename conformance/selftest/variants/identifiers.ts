/** Variants of the identifiers of workflows, documents, uploads and objects, and of their places in answers. */
import { aliasKeys, aliasSessions } from '../aliases.ts'
import { mapNamed, renameMembers, without } from '../json.ts'
import {
  bodyOf,
  changeAnswers,
  changeRequest,
  changeResponse,
  compose,
  jsonOf,
  type Members,
  onCalls,
  serviceCalls,
  type Wrapper,
  wrap,
} from '../wrapper.ts'
import type { Axis } from './axis.ts'

/** Replaces workflow identifiers in answers by aliases, and translates them back in paths. */
function aliasWorkflows(alias: (index: number) => string | number): Wrapper {
  const aliases = new Map<string, string | number>()
  const reals = new Map<string, string>()
  const aliasOf = (real: string) => {
    if (!aliases.has(real)) {
      aliases.set(real, alias(aliases.size))
      reals.set(String(aliases.get(real)), real)
    }
    return aliases.get(real)
  }
  return compose(
    onCalls(serviceCalls, async (request, inner) => {
      const response = await inner(request)
      if (!response.ok || response.headers.get('Content-Type') !== 'application/json') return response
      const json = mapNamed(await response.json(), 'workflow_id', (real) => aliasOf(String(real)))
      const location = response.headers.get('Location')
      const shown = location?.replace(/[^/]+$/, (real) => String(aliasOf(real)))
      return changeResponse(response, json, shown ? { headers: { Location: shown } } : {})
    }),
    wrap(async (request, inner) => {
      const url = request.url.replace(/(\/workflows\/)([^/?]+)/, (all, before, id) => {
        const real = reals.get(decodeURIComponent(id))
        return real ? before + real : all
      })
      return inner(url === request.url ? request : await changeRequest(request, { url }))
    }),
  )
}

const hex = (index: number, digits: number) => (index + 1).toString(16).padStart(digits, '0')
const changeWorkflows = (change: (body: Members) => unknown) => changeAnswers(['createWorkflow', 'getWorkflow'], change)

const answerOnlyLocation = () =>
  onCalls(['createWorkflow'], async (request, inner) => {
    const response = await inner(request)
    return response.ok ? changeResponse(response, undefined) : response
  })

/** Gives a document its identifier in the upload answer, or uses the session's identifier for it. */
function nameDocumentEarly(
  nameOf: (session: string, index: number) => string,
  confirmed: 'a state' | 'nothing',
): Wrapper {
  const sessions = new Map<string, string>()
  const shown = new Map<unknown, string>()
  const reals = new Map<unknown, string>()
  const name = nameOf('', 0) !== ''
  return compose(
    onCalls(['confirmUpload'], async (request, inner) => {
      const response = await inner(request)
      if (!response.ok) return response
      const { session_id = '', document_id } = (await jsonOf(response)) ?? {}
      const alias = sessions.get(String(session_id)) ?? String(session_id)
      shown.set(document_id, alias)
      reals.set(alias, String(document_id))
      return confirmed === 'nothing'
        ? new Response(null, { status: 204 })
        : changeResponse(response, { status: 'confirmed' })
    }),
    changeAnswers(['requestUpload'], (body) => {
      const alias = nameOf(String(body.session_id), sessions.size)
      sessions.set(String(body.session_id), alias || String(body.session_id))
      return name ? { ...body, document_id: alias } : body
    }),
    changeAnswers(serviceCalls, (body) => mapNamed(body, 'document_id', (real) => shown.get(real) ?? real)),
    onCalls(['executeWorkflow'], async (request, inner) => {
      const body = await bodyOf(request)
      const document_id = reals.get(body?.document_id)
      return inner(document_id ? await changeRequest(request, { json: { ...body, document_id } }) : request)
    }),
  )
}

/** Accepts any text as a document identifier, once there is a document. */
function acceptAnyDocument(): Wrapper {
  const documents = new Map<string | null, string>()
  return wrap(async (request, inner) => {
    const key = request.headers.get('Authorization')
    const body = await bodyOf(request)
    const document_id = documents.get(key)
    if (document_id && typeof body?.document_id === 'string') {
      const response = await inner(await changeRequest(request, { json: { ...body, document_id } }))
      const json = await jsonOf(response)
      return response.ok && json ? changeResponse(response, { ...json, document_id: body.document_id }) : response
    }
    const response = await inner(request)
    if (!/upload\/confirm$/.test(request.url) || !response.ok) return response
    documents.set(key, String((await jsonOf(response))?.document_id))
    return changeResponse(response, { status: 'confirmed' })
  })
}

const changeConfirmations = (change: (body: Members) => unknown) => changeAnswers(['confirmUpload'], change)
const nested = ({ document_id, ...body }: Members) => ({ ...body, id: document_id })

export const documentAxes: readonly Axis[] = [
  {
    axis: 'document-id',
    values: {
      'upload-answer': () => nameDocumentEarly((_, index) => `doc-early-${index}`, 'a state'),
      'upload-answer-204': () => nameDocumentEarly((_, index) => `doc-early-${index}`, 'nothing'),
      'session-id': () => nameDocumentEarly(() => '', 'a state'),
      'session-id-204': () => nameDocumentEarly(() => '', 'nothing'),
      'any-string': acceptAnyDocument,
      id: () => changeConfirmations(nested),
      'file-id': () => changeConfirmations((body) => renameMembers(body, { document_id: 'file_id' })),
      nested: () => changeConfirmations((body) => ({ status: 'confirmed', document: nested(body) })),
      list: () => changeConfirmations((body) => ({ documents: [body], total: 1 })),
      'list-of-texts': () => changeConfirmations((body) => ({ status: 'confirmed', document_ids: [body.document_id] })),
    },
  },
]

export const identifierAxes: readonly Axis[] = [
  {
    axis: 'workflow-id',
    values: {
      id: () => changeWorkflows((body) => renameMembers(body, { workflow_id: 'id' })),
      'camel-case': () => changeWorkflows((body) => renameMembers(body, { workflow_id: 'workflowId' })),
      uuid: () => aliasWorkflows((index) => `7f3c9a52-0d1e-4b6f-8a7c-${hex(index, 12)}`),
      integer: () => aliasWorkflows((index) => 4001 + index),
      counter: () => aliasWorkflows((index) => 1 + index),
      nested: () =>
        changeAnswers(['createWorkflow'], (body) => ({
          message: 'created',
          workflow: renameMembers(body, { workflow_id: 'id' }),
        })),
      'location-only': answerOnlyLocation,
    },
  },
  {
    axis: 'uuid',
    values: {
      'upper-case': () => aliasSessions((real) => real.toUpperCase()),
      v1: () => aliasSessions((_, index) => `${hex(index, 8)}-5b2e-11ef-9a3b-0242ac120002`),
      v7: () => aliasSessions((_, index) => `018f4c2a-${hex(index, 4)}-7abc-8def-0123456789ab`),
    },
  },
  {
    axis: 'key-middle',
    values: {
      dates: () => aliasKeys((key, name) => `${key.slice(0, -name.length)}2026/03/01/${name}`),
      'name-after-hyphen': () => aliasKeys((key, name) => `${key.slice(0, -name.length - 1)}-${name}`),
      spaces: () => aliasKeys((key, name) => `${key.slice(0, -name.length)}Acme & Co/${name}`),
    },
  },
]

/** Removes members from the upload answers. */
export const withoutInUpload = (...names: readonly string[]) =>
  changeAnswers(['requestUpload', 'confirmUpload'], (body) => without(body, ...names))
