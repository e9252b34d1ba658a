/** Variants of the identifiers of workflows, documents, uploads and objects, and of their places in answers. */
import type { Json } from '../../../src/profile/template.ts'
import { renameMembers, without } from '../json.ts'
import { changeBodies, changeTemplates, identify, inTurn, type ProfileChange } from '../profile-changes.ts'
import { leftOut, mapNamedTemplates, type Templates } from '../templates.ts'
import { serviceCalls } from '../wrapper.ts'
import { type Axis, shapes } from './axis.ts'

const confirmed = (change: (body: Templates) => Json) => changeBodies(['confirmUpload'], change)
const nested = ({ document_id = leftOut, ...body }: Templates) => ({ ...body, id: document_id })
const confirmedWithoutBody = changeTemplates(['confirmUpload'], ({ headers }) => ({
  status: 204,
  headers: without(headers, 'content-type'),
}))
const confirmedAsState = confirmed(() => ({ status: 'confirmed' }))

/** Writes a bound value in a form. A value that it does not fit stays as it is. */
const written = (as: 'number' | 'upper') => (member: Json) =>
  isBound(member) ? { $: member.$, as, or: { $: member.$ } } : member
const isBound = (template: Json): template is { readonly $: string } =>
  template !== null && typeof template === 'object' && '$' in template

/** Shows the identifier of the document in the answer to the upload request. */
export const showDocumentEarly = changeBodies(['requestUpload'], (body) => ({
  ...body,
  document_id: { $: '/answer/document_id' },
}))

const namedEarly = inTurn(
  identify('document', { $text: ['doc-early-', { $new: 'counter', from: 0 }] }),
  showDocumentEarly,
)
const namedLikeSession = identify('document', { $: '/session_id' })

/** Numbers documents from 1 on, as databases do, and takes numbers too. */
const serialDocuments = inTurn(
  identify('document', { $new: 'counter', from: 1 }),
  changeBodies(serviceCalls, (body) => mapNamedTemplates(body, 'document_id', written('number'))),
  confirmed(nested),
  (profile) => ({ ...profile, accepts: ['executeWorkflow type /document_id'] }),
)

export const documentAxes: readonly Axis[] = [
  shapes('document-id', {
    'upload-answer': inTurn(namedEarly, confirmedAsState),
    'upload-answer-204': inTurn(namedEarly, confirmedWithoutBody),
    'session-id': inTurn(namedLikeSession, confirmedAsState),
    'session-id-204': inTurn(namedLikeSession, confirmedWithoutBody),
    'any-string': inTurn((profile) => ({ ...profile, accepts: ['document-not-confirmed'] }), confirmedAsState),
    id: confirmed(nested),
    'file-id': confirmed((body) => renameMembers(body, { document_id: 'file_id' })),
    nested: confirmed((body) => ({ status: 'confirmed', document: nested(body) })),
    list: confirmed((body) => ({ documents: [body], total: 1 })),
    serial: serialDocuments,
    'list-of-texts': confirmed(({ document_id = leftOut }) => ({ status: 'confirmed', document_ids: [document_id] })),
  }),
]

const workflows = (names: Readonly<Record<string, string>>) =>
  changeBodies(['createWorkflow', 'getWorkflow'], (body) => renameMembers(body, names))

const numbered = (from: number) =>
  inTurn(
    identify('workflow', { $new: 'counter', from }),
    changeBodies(serviceCalls, (body) => mapNamedTemplates(body, 'workflow_id', written('number'))),
  )

/** Numbers workflows and executions from 1 on, each kind by itself, and calls both identifiers `id`, as databases do. */
const serial = inTurn(
  numbered(1),
  identify('execution', { $new: 'counter', from: 1 }),
  changeBodies(serviceCalls, (body) => mapNamedTemplates(body, 'execution_id', written('number'))),
  workflows({ workflow_id: 'id' }),
  changeBodies(['executeWorkflow'], (body) => renameMembers(body, { execution_id: 'id' })),
)

const upperCase: ProfileChange = inTurn(
  changeBodies(['requestUpload', 'confirmUpload'], (body) => mapNamedTemplates(body, 'session_id', written('upper'))),
  // A document may have the identifier of its session.
  ({ identifiers = {}, ...profile }) => ({
    ...profile,
    identifiers: { ...identifiers, ...(identifiers.document && { document: written('upper')(identifiers.document) }) },
  }),
)

const key = (...parts: readonly Json[]) =>
  identify('key', {
    $text: ['uploads/', { $new: 'lower-digits', length: 16 }, ...parts, { $: '/request/file_name' }],
  })

export const identifierAxes: readonly Axis[] = [
  shapes('workflow-id', {
    id: workflows({ workflow_id: 'id' }),
    'camel-case': workflows({ workflow_id: 'workflowId' }),
    uuid: identify('workflow', { $new: 'uuid' }),
    integer: numbered(4001),
    counter: numbered(1),
    serial,
    nested: changeBodies(['createWorkflow'], (body) => ({
      message: 'created',
      workflow: renameMembers(body, { workflow_id: 'id' }),
    })),
    'location-only': changeTemplates(['createWorkflow'], ({ status, headers }) => ({
      status,
      headers: without(headers, 'content-type'),
    })),
  }),
  shapes('uuid', {
    'upper-case': upperCase,
    v1: identify('session', { $new: 'uuid-v1' }),
    v7: identify('session', { $new: 'uuid-v7' }),
  }),
  shapes('key-middle', {
    dates: key('/2026/03/01/'),
    'name-after-hyphen': key('-'),
    spaces: key('/Acme & Co/'),
  }),
]
