import { type Connection, requestBytes } from './client.ts'
import { expectStatus } from './load.ts'
import { workflowBody } from './sample-bodies.ts'

export const key = 'test_bench'
const headers = { Authorization: key, 'Content-Type': 'application/json' }

/** Prepares the bytes of a service call with a JSON body. */
export function jsonRequest(method: 'POST' | 'PUT', url: string, body: unknown): Buffer {
  return requestBytes(method, url, headers, Buffer.from(JSON.stringify(body)))
}

export function getRequest(url: string): Buffer {
  return requestBytes('GET', url, headers)
}

export const createWorkflowRequest = (url: string) => jsonRequest('POST', `${url}/api/v1/workflows`, workflowBody)

export interface Upload {
  readonly upload_url: string
  readonly session_id: string
  readonly key: string
}

export async function requestUpload(connection: Connection, url: string, name: string, size: number): Promise<Upload> {
  const file = { file_name: name, content_type: type, file_size: size }
  return JSON.parse(expectStatus(200, await connection.send(jsonRequest('POST', `${url}/api/v1/upload/`, file))).body)
}

const type = 'application/octet-stream'

export function putRequest(url: string, bytes: Uint8Array): Buffer {
  return requestBytes('PUT', url, { 'Content-Type': type }, bytes)
}

export const confirmationBody = ({ session_id, key }: Upload, file_name: string) => ({
  session_id,
  completed_files: [{ key, file_name }],
})

export const executionBody = (document_id: string) => ({
  document_id,
  submitter_email: 'sam@example.com',
  execution_mode: 'standard',
  priority: 'normal',
})

/** Uploads and confirms a document. Returns its id. */
export async function confirmDocument(connection: Connection, url: string, bytes: Uint8Array): Promise<string> {
  const upload = await requestUpload(connection, url, 'a.bin', bytes.byteLength)
  expectStatus(200, await connection.send(putRequest(upload.upload_url, bytes)))
  const confirm = jsonRequest('POST', `${url}/api/v1/upload/confirm`, confirmationBody(upload, 'a.bin'))
  return JSON.parse(expectStatus(200, await connection.send(confirm)).body).document_id
}
