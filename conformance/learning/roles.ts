/** Finds the identifiers in a session by following the data: what an answer introduced and a later request used. */

import type { AnswerName } from '../../src/contract/operations.ts'
import { decodePercent, membersOf, valueAt } from '../reading/locate.ts'
import { storageKeyIn } from '../reading/storage-key.ts'
import { asksForList, callIn, servicePath, type TimedExchange } from '../session/calls.ts'
import { type Exchange, sentJson } from '../wire/exchange.ts'
import { candidatesIn, executionPlace, lastPart, longestCommon, scalarsOf } from '../wire/introduced.ts'
import { SoundAnswers } from './sound-answers.ts'
import { isListOfWorkflows } from './workflow-list.ts'

/** An exchange with its call, and what its answer introduced. */
export interface Introduced {
  readonly exchange: TimedExchange
  /** Lists of workflows and reads of single executions count as calls if the deployment has them. */
  readonly call: AnswerName | undefined
  readonly isSuccess: boolean
  /** The identifiers in the path. */
  readonly workflowId?: string
  readonly executionId?: string
  /** The identifiers that the answer introduced, or for a PUT, those of its upload. Some deployments name the document before it is stored. */
  readonly roles: Readonly<Partial<Record<IdentifierRole, string>>>
}

export type IdentifierRole = 'workflow' | 'execution' | 'session' | 'key' | 'document' | 'uploadUrl'

/** Follows the identifiers through a session, in the order in which the requests were sent. */
export function followIdentifiers(exchanges: readonly TimedExchange[], places = new Places()): Introduced[] {
  const isToStorage = storageIn(exchanges)
  const hasList = exchanges.some(isListOfWorkflows)
  const named = exchanges.map(
    (exchange): Pick<Introduced, 'exchange' | 'call' | 'workflowId'> => ({
      exchange,
      ...(hasList && asksForList(exchange.request)
        ? { call: 'listWorkflows' }
        : callIn(exchange.request, () => isToStorage(exchange.request))),
    }),
  )
  for (const { call, exchange } of named) places.sound.add(call, exchange)
  const calls = named.map((one) => ({ ...one, isSuccess: places.sound.isSuccess(one.call, one.exchange) }))
  const used = usedLater(calls)
  const answersTo = (call: AnswerName) =>
    calls.flatMap((one) => (one.call === call && one.isSuccess ? [one.exchange] : []))
  places.count('workflow', answersTo('createWorkflow'), used.workflows)
  places.count('document', answersTo('confirmUpload'), used.documents)
  places.count('early document', answersTo('requestUpload'), used.documents)
  const uploads: FollowedUpload[] = []
  const rolesOf = ({ exchange, call, isSuccess }: (typeof calls)[number]): Introduced['roles'] => {
    if (call === 'putObject') return some({ session: uploadAt(exchange.request.url, uploads)?.session })
    if (!isSuccess) return {}
    if (call === 'createWorkflow')
      return some({ workflow: places.find('workflow', exchange, used.workflows, scalarsOf(sentJson(exchange))) })
    if (call === 'requestUpload') {
      const upload = uploadOf(exchange)
      uploads.push(upload)
      return some({ session: upload.session, key: upload.key, uploadUrl: upload.url })
    }
    return call === 'confirmUpload' ? confirmedIn(exchange, { uploads, places, documents: used.documents }) : {}
  }
  const introduced = calls.map((one): Introduced => ({ ...one, roles: rolesOf(one) }))
  const found = withExecutionReads(withExecutions(introduced.map((one) => withMissing(one, places))))
  const executions = found.flatMap(({ roles: { execution = '' } }) =>
    execution.length > longestCommon ? execution : [],
  )
  const details = found.filter(({ call, isSuccess }) => call === 'getWorkflow' && isSuccess)
  const shown = new Set(details.flatMap(({ exchange }) => [...scalarsOf(exchange.json)]))
  places.showsExecutions ||= executions.some((id) => shown.has(id))
  return found
}

/** Returns a function that tells whether a request went to storage: to an upload URL, or to one with changes. */
function storageIn(exchanges: readonly TimedExchange[]): (request: TimedExchange['request']) => boolean {
  const urls = exchanges.flatMap(({ json }) => {
    const url = membersOf(json).find(({ name }) => name === 'upload_url')?.value
    return typeof url === 'string' && URL.canParse(url) ? [new URL(url).href] : []
  })
  const folder = (url: string) => bare(url).slice(0, bare(url).lastIndexOf('/') + 1)
  const [uploadUrls, uploadFolders] = [new Set(urls.map(bare)), new Set(urls.map(folder))]
  const origins = new Set(urls.map((url) => new URL(url).origin))
  return ({ method, url }) =>
    uploadUrls.has(bare(url)) ||
    // An address may be changed in its path too; then it is that of no upload.
    (!servicePath.test(bare(url)) && uploadFolders.has(folder(url))) ||
    // A changed address on the origin of storage, in a folder that no other upload has.
    (method === 'PUT' && origins.has(new URL(url).origin) && !/\/api\/v1\//.test(new URL(url).pathname))
}

/** An upload that was requested. */
interface FollowedUpload {
  readonly session?: string
  readonly key?: string
  readonly url?: string
  readonly exchange: TimedExchange
}

function uploadOf(exchange: TimedExchange): FollowedUpload {
  const members = membersOf(exchange.json)
  const shown = members.find(({ name }) => name === 'upload_url')?.value
  const session = members.find(({ name }) => name === 'session_id')?.value
  const fileName = String(valueAt(sentJson(exchange), '/file_name') ?? '')
  const url = typeof shown === 'string' && URL.canParse(shown) ? new URL(shown).href : undefined
  const key = url && storageKeyIn(exchange.json, url, fileName)?.value
  const text = (value: unknown) => (value === undefined ? undefined : String(value))
  return { ...some({ session: text(session), key: text(key), url }), exchange }
}

interface ConfirmContext {
  readonly uploads: readonly FollowedUpload[]
  readonly places: Places
  /** The identifiers that executions use as documents. */
  readonly documents: ReadonlySet<string>
}

/** Returns the session and the document of a confirmation. Some deployments name the document when the upload is requested. */
function confirmedIn(exchange: TimedExchange, { uploads, places, documents }: ConfirmContext): Introduced['roles'] {
  const session = String(valueAt(sentJson(exchange), '/session_id') ?? '')
  const upload = uploads.find((each) => each.session === session)
  const within = new Set([session, upload?.key, ...(upload ? scalarsOf(upload.exchange.json) : [])])
  const early = upload && places.find('early document', upload.exchange, documents, new Set())
  const alias = [...documents].find((id) => within.has(id))
  if (alias !== undefined && alias === session) places.isSession = true
  return some({ session, document: places.find('document', exchange, documents, new Set()) ?? early ?? alias })
}

const bare = (url: string) => url.split('?')[0] ?? url

/** Returns the upload with an address, or the most similar one: some differ in their query alone, which reports leave out. */
function uploadAt<Upload extends { readonly url?: string }>(
  url: string,
  uploads: readonly Upload[],
): Upload | undefined {
  const alike = (known = '') => {
    let length = 0
    while (length < known.length && known[length] === url[length]) length += 1
    return length
  }
  return uploads
    .filter((upload) => upload.url !== undefined && bare(upload.url) === bare(url))
    .reduce<Upload | undefined>((best, one) => (best && alike(best.url) > alike(one.url) ? best : one), undefined)
}

/** Fills in an identifier that no later request used, from the place where the others were. */
function withMissing(one: Introduced, places: Places): Introduced {
  const { call, exchange, roles, isSuccess } = one
  if (!isSuccess) return one
  if (call === 'createWorkflow' && roles.workflow === undefined) {
    return { ...one, roles: some({ ...roles, workflow: places.guess('workflow', exchange) }) }
  }
  if (call === 'requestUpload') {
    return { ...one, roles: some({ ...roles, document: places.guess('early document', exchange) }) }
  }
  if (call === 'confirmUpload' && roles.document === undefined) {
    return { ...one, roles: some({ ...roles, document: places.guess('document', exchange) }) }
  }
  return one
}

function usedLater(calls: readonly Pick<Introduced, 'exchange' | 'call' | 'isSuccess' | 'workflowId'>[]) {
  const workflows = new Set<string>()
  const documents = new Set<string>()
  for (const { exchange, call, isSuccess, workflowId } of calls) {
    if (!isSuccess) continue
    if (workflowId !== undefined) workflows.add(workflowId)
    const id = call === 'executeWorkflow' ? valueAt(sentJson(exchange), '/document_id') : undefined
    if (id !== undefined && id !== null) documents.add(String(id))
  }
  return { workflows, documents }
}

/** The places where identifiers were found: a JSON Pointer into the body, or the name of a header. */
export class Places {
  /** By role and place, the most identifiers that any session has shown there. */
  readonly #found = new Map<string, Map<string, number>>()

  /** Counts the identifiers that each place of a session's answers shows. Other small numbers may equal one by chance, but seldom several. */
  count(role: string, answers: readonly Exchange[], identifiers: ReadonlySet<string>): void {
    const shown = new Map<string, Set<string>>()
    for (const answer of answers) {
      for (const { place, value } of candidatesIn(answer)) {
        if (identifiers.has(value)) shown.set(place, (shown.get(place) ?? new Set()).add(value))
      }
    }
    const places = this.#found.get(role) ?? new Map<string, number>()
    for (const [place, values] of shown) places.set(place, Math.max(places.get(place) ?? 0, values.size))
    this.#found.set(role, places)
  }

  /** Returns the identifier that an answer shows; of several, the one at the place that has shown most of them. */
  find(
    role: string,
    exchange: Exchange,
    identifiers: ReadonlySet<string>,
    sent: ReadonlySet<string>,
  ): string | undefined {
    const shown = (place: string) => this.#found.get(role)?.get(place) ?? 0
    return candidatesIn(exchange)
      .filter(
        ({ place, value }) =>
          identifiers.has(value) && (shown(place) > 1 || value.length > longestCommon || !sent.has(value)),
      )
      .toSorted((a, b) => shown(b.place) - shown(a.place))[0]?.value
  }

  /** True if the session of an upload names its document; otherwise the storage key does. */
  isSession = false

  /** True if details show the identifiers of executions. */
  showsExecutions = false

  /** What calls that were carried out answer. */
  readonly sound = new SoundAnswers()

  /** Returns the place where an identifier was found most often, if it is the whole value of a member. */
  pointerOf(role: string): string | undefined {
    const [best] = [...(this.#found.get(role) ?? [])].toSorted(([, a], [, b]) => b - a)
    return best?.[0].startsWith('/') && !best[0].endsWith(lastPart) ? best[0] : undefined
  }

  guess(role: string, exchange: Exchange): string | undefined {
    const places = [...(this.#found.get(role) ?? [])].toSorted(([, a], [, b]) => b - a)
    const values = new Map(candidatesIn(exchange).map(({ place, value }) => [place, value]))
    return places.map(([place]) => values.get(place)).find((value) => value !== undefined)
  }
}

/** Fills in the executions' identifiers, each from the place where the answers introduce them. */
function withExecutions(calls: readonly Introduced[]): Introduced[] {
  const carriedOut = (call: AnswerName) => calls.filter((one) => one.call === call && one.isSuccess)
  const known = new Set([
    ...calls.flatMap(({ exchange }) => [...scalarsOf(sentJson(exchange))]),
    ...calls.flatMap(({ roles, workflowId }) => [...Object.values(roles), workflowId ?? '']),
  ])
  const details = carriedOut('getWorkflow').map(({ exchange }) => exchange)
  const place = executionPlace(carriedOut('executeWorkflow'), known, details)
  if (place === undefined) return [...calls]
  return calls.map((one) => {
    const isStart = one.call === 'executeWorkflow' && one.isSuccess
    const value = isStart ? candidatesIn(one.exchange).find((candidate) => candidate.place === place)?.value : undefined
    return value === undefined ? one : { ...one, roles: { ...one.roles, execution: value } }
  })
}

/** Returns the paths at which a session reads single executions, with names in the place of identifiers. */
export function executionPathsIn(calls: readonly Introduced[]): string[] {
  const executions = new Set(calls.flatMap(({ roles }) => roles.execution ?? []))
  const workflows = new Set(calls.flatMap(({ roles }) => roles.workflow ?? []))
  const paths = calls.flatMap(({ exchange: { request }, isSuccess }) => {
    const path = servicePathOf(request.url)
    // Some write a slash at the end.
    const end = path.endsWith('/') ? '/' : ''
    const segments = path.replace(/\/$/, '').split('/').map(decodePercent)
    if (request.method !== 'GET' || !isSuccess || !executions.has(segments.at(-1) ?? '')) return []
    const named = segments.map((one) => (workflows.has(one) ? '{workflow_id}' : one))
    return [[...named.slice(0, -1), '{execution_id}'].join('/') + end]
  })
  return [...new Set(paths)].filter((path) => /^\/api\/v1\/[\w.~/{}-]+$/.test(path))
}

const servicePathOf = (url: string) => new URL(url).pathname.replace(/^.*(?=\/api\/v1\/)/, '')

/** Names the calls that read single executions, also those that were refused. */
function withExecutionReads(calls: readonly Introduced[]): Introduced[] {
  const paths = executionPathsIn(calls).map((path) => path.split('/'))
  return calls.map((one) => {
    const { method, url } = one.exchange.request
    const asked = servicePathOf(url).split('/')
    const path = paths.find(
      (names) => names.length === asked.length && names.every((name, index) => isAt(name, asked[index])),
    )
    if (one.call !== undefined || method !== 'GET' || !path) return one
    const idOf = (name: string) => {
      const index = path.indexOf(name)
      return index < 0 ? undefined : decodePercent(asked[index] ?? '')
    }
    const executionId = idOf('{execution_id}')
    const started = calls.find(({ roles }) => roles.execution === executionId)
    const workflowId = idOf('{workflow_id}') ?? started?.workflowId
    return { ...one, call: 'getExecution', ...some({ executionId, workflowId }) }
  })
}

/** Returns true if a segment of a path is that of a template, or an identifier where the template has one. */
const isAt = (name: string, segment = '') => (name.startsWith('{') ? segment !== '' : name === segment)

function some<Members extends Record<string, string | undefined>>(
  members: Members,
): { [Name in keyof Members]?: string } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: string
  }
}
