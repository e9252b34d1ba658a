import { type Connection, requestBytes } from './client.ts'
import { mustHave } from './load.ts'
import { workflowBody } from './sample-bodies.ts'

export const key = 'test_bench'
const headers = { Authorization: key, 'Content-Type': 'application/json' }

/** A service call with a JSON body, ready to be sent. */
export function call(method: 'POST' | 'PUT', url: string, body: unknown): Buffer {
  return requestBytes(method, url, headers, Buffer.from(JSON.stringify(body)))
}

export function get(url: string): Buffer {
  return requestBytes('GET', url, headers)
}

export const createWorkflow = (url: string) => call('POST', `${url}/api/v1/workflows`, workflowBody)

export interface Upload {
  readonly upload_url: string
  readonly session_id: string
  readonly key: string
}

export async function requestUpload(connection: Connection, url: string, name: string, size: number): Promise<Upload> {
  const file = { file_name: name, content_type: type, file_size: size }
  return JSON.parse(mustHave(200, await connection.send(call('POST', `${url}/api/v1/upload/`, file))).body)
}

const type = 'application/octet-stream'

export function put(url: string, bytes: Uint8Array): Buffer {
  return requestBytes('PUT', url, { 'Content-Type': type }, bytes)
}

export const confirmation = ({ session_id, key }: Upload, file_name: string) => ({
  session_id,
  completed_files: [{ key, file_name }],
})

export const execution = (document_id: string) => ({
  document_id,
  submitter_email: 'sam@example.com',
  execution_mode: 'standard',
  priority: 'normal',
})

/** Uploads and confirms a document; gives its identifier. */
export async function confirmedDocument(connection: Connection, url: string, bytes: Uint8Array): Promise<string> {
  const upload = await requestUpload(connection, url, 'a.bin', bytes.byteLength)
  mustHave(200, await connection.send(put(upload.upload_url, bytes)))
  const confirm = call('POST', `${url}/api/v1/upload/confirm`, confirmation(upload, 'a.bin'))
  return JSON.parse(mustHave(200, await connection.send(confirm)).body).document_id
}
