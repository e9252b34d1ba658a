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
export function service(options: MockOptions = {}) {
  const mock = create({ startTime: start, clockSpeed: 0, approvers: 'manual', ...options })
  const key = freshKey()

  async function send(request: Request): Promise<Answer> {
    const response = await mock.fetch(request)
    await mustKeepContract(request, response)
    const text = await response.text()
    const json = response.headers.get('Content-Type')?.includes('json') && text ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, text, json }
  }

  /** Calls the service with this test's key. */
  function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return send(
      new Request(origin + path, {
        method,
        headers: { Authorization: key, ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: text }),
      }),
    )
  }

  function put(url: string, bytes: BodyInit | null, headers: Record<string, string> = {}, method = 'PUT') {
    return send(new Request(url, { method, headers, ...(bytes !== null && { body: bytes }) }))
  }

  return { mock, key, world: mock.tenants.ofKey(key), send, call, put, ...flow(call, put) }
}

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
type Put = (url: string, bytes: BodyInit | null, headers?: Record<string, string>) => Promise<Answer>

/** Returns functions that bring a mock to each step of the documented flow. */
function flow(call: Call, put: Put) {
  const pdf = new Uint8Array(256).map((_, index) => index)

  async function requested(fileName = 'contract.pdf', size: number = pdf.byteLength, type = 'application/pdf') {
    return (await call('POST', '/api/v1/upload/', { file_name: fileName, content_type: type, file_size: size })).json
  }

  async function stored(fileName = 'contract.pdf') {
    const upload = await requested(fileName)
    await put(upload.upload_url, pdf, upload.headers)
    return { ...upload, file_name: fileName }
  }

  function confirmation(upload: { session_id: string; key: string }, fileName = 'contract.pdf') {
    return { session_id: upload.session_id, completed_files: [{ key: upload.key, file_name: fileName }] }
  }

  async function confirmed() {
    return (await call('POST', '/api/v1/upload/confirm', confirmation(await stored()))).json
  }

  async function created(change: object = {}) {
    return (await call('POST', '/api/v1/workflows', { ...workflow(), ...change })).json
  }

  async function executed(change: object = {}) {
    const { workflow_id } = await created(change)
    const { document_id } = await confirmed()
    return (await call('POST', `/api/v1/workflows/${workflow_id}/execute`, execution(document_id))).json
  }

  return { pdf, requested, stored, confirmation, confirmed, created, executed }
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
