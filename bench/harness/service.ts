import { type Connection, fileType, requestBytes } from './connection.ts'

/** A valid workflow of three steps, like the one in the interface document. */
const workflow = {
  name: 'Supplier contract',
  description: 'Legal reads first, then finance, then the board signs.',
  isSequential: true,
  steps: [
    step(1, 'legal', 'Legal review', 'lena', 'marc'),
    step(2, 'finance', 'Finance sign-off', 'ines', 'omar'),
    step(3, 'board', 'Board signature', 'vera'),
  ],
}

export function step(order: number, step_id: string, name: string, ...people: string[]) {
  const approvers = people.map((person) => ({ email: `${person}@example.com`, name: person }))
  return { step_id, name, order, type: 'approval', approvers, estimated_duration: 60 * order }
}

export const createRequest = (url: string, body: object = workflow) =>
  requestBytes('POST', `${url}/api/v1/workflows`, body)

type Send = Pick<Connection, 'send'>

/** Creates a workflow. Returns the address of its details. */
export async function create(connection: Send, url: string, body?: object): Promise<string> {
  return `${url}/api/v1/workflows/${JSON.parse(await connection.send(createRequest(url, body))).workflow_id}`
}

export async function requestUpload(connection: Send, url: string, file_size: number) {
  const file = { file_name: 'a.bin', content_type: fileType, file_size }
  return JSON.parse(await connection.send(requestBytes('POST', `${url}/api/v1/upload/`, file)))
}

/** Uploads and confirms a document. Returns the request that executes the workflow at `details` for it. */
export async function prepareExecution(connection: Send, url: string, details: string, file = Buffer.from('file')) {
  const { upload_url, session_id, key } = await requestUpload(connection, url, file.length)
  await connection.send(requestBytes('PUT', upload_url, file))
  const confirmation = { session_id, completed_files: [{ key, file_name: 'a.bin' }] }
  const confirmed = await connection.send(requestBytes('POST', `${url}/api/v1/upload/confirm`, confirmation))
  return requestBytes('POST', `${details}/execute`, {
    document_id: JSON.parse(confirmed).document_id,
    submitter_email: 'sam@example.com',
    execution_mode: 'standard',
    priority: 'normal',
  })
}

/** Creates a workflow and executes it `count` times. Returns the address of its details and the request that executes it. */
export async function executeOften(connection: Send, url: string, count: number, body?: object) {
  const details = await create(connection, url, body)
  const execute = await prepareExecution(connection, url, details)
  for (let index = 0; index < count; index += 1) await connection.send(execute)
  return { details, execute }
}
