import type { Choice } from '../../../conformance/selftest/mutant.ts'
import type { ServerFunction } from '../../../conformance/selftest/wrapper.ts'

type Json = Record<string, unknown>

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
  readonly ok: boolean
}

const bare = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Returns the first member with one of these names in any spelling, at any depth, the outermost first. */
export function member(json: unknown, ...names: readonly string[]): unknown {
  for (let level: unknown[] = [json]; level.length > 0; ) {
    const next: unknown[] = []
    for (const value of level) {
      if (value === null || typeof value !== 'object') continue
      for (const [name, inner] of Object.entries(value)) {
        if (!Array.isArray(value) && names.some((wanted) => bare(wanted) === bare(name))) return inner
        next.push(inner)
      }
    }
    level = next
  }
  return undefined
}

/** A client that knows the variants of its server, so it never has to guess. */
export class KnowingClient {
  readonly #fetch: ServerFunction
  readonly #choice: Choice

  constructor(fetch: ServerFunction, choice: Choice) {
    this.#fetch = fetch
    this.#choice = choice
  }

  /** Calls the service, and retries after 429. */
  async call(method: string, path: string, body?: unknown, key: string | null = 'test_client'): Promise<Answered> {
    const headers = {
      ...(key && { Authorization: key }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    }
    const url = `http://selftest.test/api/v1${path}`
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await this.#fetch(new Request(url, init))
    if (response.status === 429) return this.call(method, path, body, key)
    const json = parse(await response.text())
    const { status, headers: answered } = response
    const failed = this.#isFailure(json)
    return { status, headers: answered, body: failed ? json : this.#opened(json), ok: response.ok && !failed }
  }

  put(url: string, type: string, bytes: Uint8Array<ArrayBuffer>): Promise<Response> {
    return this.#fetch(new Request(url, { method: 'PUT', headers: { 'Content-Type': type }, body: bytes }))
  }

  /** Returns true if an answer is an error, for variants that report errors with 2xx. */
  #isFailure(json: Json): boolean {
    const { success, code } = json
    switch (this.#choice['error-status']) {
      case 'code-in-head':
        return !['0000', undefined].includes(member(json, 'return_code') as string | undefined)
      case 'success-false':
        return success === false
      case 'code-and-null':
        return Number(code) >= 40_000
      default:
        return false
    }
  }

  /** Returns the storage key from the answer to the upload request. */
  key(upload: Json, fileName: string): unknown {
    switch (this.#choice['storage-key']) {
      case 'folder-and-url':
        return `${member(upload, 'key_prefix')}${fileName}`
      case 'other-address':
        return String(member(upload, 'location')).replace('s3://documents/', '')
      case 'by-file-name':
        return member(upload, fileName)
      default:
        return member(upload, 'key', 'storage_key', 'object_key', 'path')
    }
  }

  /** Reads a workflow until the server shows it completely. */
  async read(id: unknown, isDone: (body: Json) => boolean = () => true): Promise<Answered> {
    for (let tries = 0; tries < 6; tries += 1) {
      const answer = await this.call('GET', `/workflows/${encodeURIComponent(String(id))}`)
      const isEarly = answer.headers.has('Retry-After')
      if (!isEarly && answer.ok && isDone(answer.body)) return answer
      if (!isEarly && !answer.ok) return answer
    }
    throw new Error('The workflow was not there in time.')
  }

  workflowId({ headers, body }: Answered): unknown {
    const where = this.#choice['workflow-id']
    if (where === 'location-only') return headers.get('Location')?.split('/').at(-1)
    return (
      body.id ??
      body.Id ??
      (where === 'nested' ? member(body.workflow ?? body.Workflow, 'id') : member(body, 'workflow_id'))
    )
  }

  documentId(confirmed: Json, upload: Json): unknown {
    switch (this.#choice['document-id']) {
      case undefined:
        if (this.#choice['storage-key'] === 'by-file-name') return Object.values(member(confirmed, 'docs') ?? {})[0]
        return confirmed.id ?? confirmed.Id ?? member(confirmed, 'document_id')
      case 'upload-answer':
      case 'upload-answer-204':
        return (this.#choice.envelope === 'json-api' && upload.id) || member(upload, 'document_id')
      case 'session-id':
      case 'session-id-204':
        return upload.session_id
      case 'any-string':
        return 'whatever'
      case 'file-id':
        return confirmed.id ?? confirmed.Id ?? member(confirmed, 'file_id')
      case 'id':
      case 'serial':
      case 'nested':
        return confirmed.id ?? confirmed.Id ?? member(confirmed, 'id')
      case 'list':
        return member(confirmed, 'document_id')
      default:
        return (member(confirmed, 'document_ids') as unknown[])[0]
    }
  }

  /** Removes the envelope of an answer. For JSON:API, merges the identifier with the attributes. */
  #opened(answer: Json): Json {
    const isEnclosed = this.#choice['error-status'] === 'code-in-head'
    const json = ((isEnclosed ? member(answer, 'response_body') : undefined) ?? answer) as Json
    const inner: Record<string, (json: Json) => unknown> = {
      data: ({ data }) => data,
      result: ({ result }) => result,
      'success-data': ({ data }) => data,
      'status-payload': ({ payload }) => payload,
      'array-of-one': (list) => (list as unknown as Json[])[0],
      'json-api': ({ data }) =>
        data && { ...(data as { attributes: Json }).attributes, ...(member(data, 'id') !== undefined && idOf(data)) },
    }
    return (inner[this.#choice.envelope ?? '']?.(json) ?? json) as Json
  }
}

function idOf(data: unknown): Json {
  const { id } = data as Json
  return id === undefined ? {} : { id }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
