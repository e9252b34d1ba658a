import { createMock, type Mock, type MockOptions } from '../../src/index.ts'
import { mustKeepContract } from './contract.ts'

export const origin = 'http://mock.test'
export const start = Date.UTC(2026, 2, 1, 9)

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the contract has been checked by then, and tests look at single fields
  readonly json: any
}

let keys = 0

/** Returns a key that no other test uses. */
export function freshKey(): string {
  keys += 1
  return `test_${keys}_${Math.random().toString(36).slice(2)}`
}

/** Returns the code of an error in its answer, in JSON or in XML. */
export function errorCodeIn(text: string): string | undefined {
  const [, inJson, inXml] = text.match(/"code":"([^"]*)"|<Code>([^<]*)<\/Code>/) ?? []
  return inJson ?? inXml
}

/** Creates the mock that answers a test. */
let create: (options?: MockOptions) => Mock = createMock

/** Replaces the function that creates the mocks of tests. Without `other`, restores the mock in memory. */
export function answerWith(other: (options?: MockOptions) => Mock = createMock): void {
  create = other
}

/** Creates a mock for a test. Its clock is stopped, approvers are manual, and every answer must match the contract. */
export function service(options: MockOptions = {}, ownKey = freshKey()) {
  const mock = create({ startTime: start, clockSpeed: 0, approvers: 'manual', ...options })
  const checked: Send = async (request) => {
    const response = await mock.fetch(request)
    await mustKeepContract(request, response)
    return response
  }
  const client = clientOf({ fetch: checked }, ownKey, origin)
  const decide = (executionId: string, stepId: string, decision: Decision = 'approved') =>
    mock.decide({ execution_id: executionId, step_id: stepId, decision }, client.key)
  return { mock, world: mock.tenants.ofKey(client.key), decide, ...client }
}

type Decision = Parameters<Mock['decide']>[0]['decision']

type Send = (request: Request) => Promise<Response>

/** Returns the calls of one tenant at a mock: at its address, or if it has none, at its function, as from the same machine. */
export function clientOf(
  mock: { readonly url: string } | { readonly fetch: Send },
  key = freshKey(),
  base = 'url' in mock ? mock.url : 'http://localhost',
) {
  const sendTo: Send = 'url' in mock ? fetch : mock.fetch

  async function send(request: Request): Promise<Answer> {
    const response = await sendTo(request)
    const text = await response.text()
    const json = response.headers.get('Content-Type')?.includes('json') && text ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, text, json }
  }

  /** Calls the service with the key. */
  function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return send(
      new Request(base + path, {
        method,
        headers: { Authorization: key, ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: text }),
      }),
    )
  }

  const get = (path: string, headers?: Record<string, string>) => call('GET', path, undefined, headers)
  const post = (path: string, body: unknown, headers?: Record<string, string>) => call('POST', path, body, headers)

  function put(url: string, bytes: BodyInit | null, headers: Record<string, string> = {}, method = 'PUT') {
    return send(new Request(url, { method, headers, ...(bytes !== null && { body: bytes }) }))
  }

  return { key, send, call, get, post, put, ...flow(call, put) }
}

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
type Put = (url: string, bytes: BodyInit | null, headers?: Record<string, string>) => Promise<Answer>

/** An upload session. */
export interface Upload {
  readonly upload_url: string
  readonly session_id: string
  readonly key: string
  readonly headers: Record<string, string>
}

/** Returns functions that bring a mock to each step of the documented flow. */
function flow(call: Call, put: Put) {
  const pdf = new Uint8Array(256).map((_, index) => index)

  async function requested(fileName = 'contract.pdf', size: number = pdf.byteLength, type = 'application/pdf') {
    return (await call('POST', '/api/v1/upload/', { file_name: fileName, content_type: type, file_size: size })).json
  }

  async function stored(fileName = 'contract.pdf') {
    const upload = await requested(fileName)
    await store(upload)
    return { ...upload, file_name: fileName }
  }

  /** Sends a file to its upload URL. */
  function store({ upload_url, headers }: Upload, bytes: BodyInit = pdf, more: Record<string, string> = {}) {
    return put(upload_url, bytes, { ...headers, ...more })
  }

  /** Requests the upload of a text, and sends it. */
  async function storedText(text: string): Promise<Upload> {
    const upload = await requested('a.txt', new TextEncoder().encode(text).byteLength, 'text/plain')
    await store(upload, text)
    return upload
  }

  /** Returns the body that confirms a file, whose name ends its key. */
  function confirmation(
    { session_id, key }: Pick<Upload, 'session_id' | 'key'>,
    fileName = key.slice(key.lastIndexOf('/') + 1),
  ) {
    return { session_id, completed_files: [{ key, file_name: fileName }] }
  }

  function confirm(upload: Upload, fileName?: string) {
    return call('POST', '/api/v1/upload/confirm', confirmation(upload, fileName))
  }

  /** Reads a stored file through the admin API. */
  function download({ session_id }: Upload) {
    return call('GET', `/__admin/uploads/${session_id}/content`)
  }

  async function confirmed() {
    return (await confirm(await stored())).json
  }

  function create(change: object = {}) {
    return call('POST', '/api/v1/workflows', { ...workflow(), ...change })
  }

  async function created(change: object = {}) {
    return (await create(change)).json
  }

  function execute(workflowId: string, documentId: string, change: object = {}) {
    return call('POST', `/api/v1/workflows/${workflowId}/execute`, { ...execution(documentId), ...change })
  }

  async function executed(change: object = {}) {
    const { workflow_id } = await created(change)
    const { document_id } = await confirmed()
    return (await execute(workflow_id, document_id)).json
  }

  function details(workflowId: string, headers?: Record<string, string>) {
    return call('GET', `/api/v1/workflows/${workflowId}`, undefined, headers)
  }

  const files = { requested, stored, store, storedText, confirmation, confirm, confirmed, download }
  return { pdf, ...files, create, created, execute, executed, details }
}

/** Returns a valid workflow of two steps. */
export function workflow() {
  return {
    name: 'Supplier contract',
    description: 'Legal reads first.',
    steps: [
      {
        step_id: 'legal',
        name: 'Legal review',
        order: 1,
        type: 'approval' as const,
        approvers: [
          { email: 'lena@example.com', name: 'Lena' },
          { email: 'marc@example.com', name: 'Marc' },
        ],
        estimated_duration: 120,
      },
      {
        step_id: 'finance',
        name: 'Finance sign-off',
        order: 2,
        type: 'approval' as const,
        approvers: [{ email: 'ines@example.com', name: 'Ines' }],
        estimated_duration: 45,
      },
    ],
  }
}

export function execution(documentId: string) {
  return { document_id: documentId, submitter_email: 'sam@example.com', execution_mode: 'standard', priority: 'high' }
}
