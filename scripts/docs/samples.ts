import { type ContractOperation, jsonBodyOf, type Node, parametersOf, resolve } from '../contract.ts'
import { curlOf, environment, type ShellCall } from './shell.ts'

/** The languages of the samples, in the order of the tabs. */
export const sampleLanguages = [
  { lang: 'Shell', label: 'curl', sampleOf: curlSample },
  { lang: 'TypeScript', label: 'Typed client', sampleOf: clientSample },
] as const

/** A sample as Redoc shows it (`x-codeSamples`). */
export interface CodeSample {
  readonly lang: string
  readonly label: string
  readonly source: string
}

/** Writes the samples of an operation, from the contract's own examples. */
export function samplesOf(document: Node, operation: ContractOperation): CodeSample[] {
  // The typed client has the operations of the service only.
  const languages = sampleLanguages.filter(({ lang }) => lang === 'Shell' || !operation.path.startsWith('/__admin/'))
  return languages.map(({ lang, label, sampleOf }) => ({ lang, label, source: sampleOf(document, operation) }))
}

/** Returns the example of the JSON body, or undefined if the operation has none. */
export function exampleBody(document: Node, operation: ContractOperation): unknown {
  const [example] = Object.values(jsonBodyOf(document, operation)?.examples ?? {})
  return resolve(document, example)?.value
}

/** Returns true if the body of an operation is a file. */
export function takesFile(document: Node, { definition }: ContractOperation): boolean {
  return resolve(document, definition.requestBody)?.content['application/octet-stream'] !== undefined
}

/** Returns the contract's examples of the path parameters. */
function examplePathParameters(document: Node, operation: ContractOperation): Record<string, string> {
  const inPath = parametersOf(document, operation).filter((one) => one.in === 'path')
  return Object.fromEntries(inPath.map(({ name, example }) => [name, example]))
}

/** Returns the path of an operation with the contract's examples of its parameters. */
export function examplePath(document: Node, operation: ContractOperation): string {
  const values = examplePathParameters(document, operation)
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? '')
}

/** Returns the contract's example of the answer to an upload request. It determines the whole call of storage. */
export function exampleUpload(document: Node): { upload_url: string; method: string; headers: Record<string, string> } {
  return document.components.examples.Upload.value
}

/** Returns true if an operation is one of storage, which takes no key. */
export function isStorage({ definition }: ContractOperation): boolean {
  return definition.security?.length === 0
}

function curlSample(document: Node, operation: ContractOperation): string {
  if (isStorage(operation)) {
    const { upload_url, method, headers } = exampleUpload(document)
    return curlOf({ method, address: upload_url, headers, body: { file: 'contract.pdf' } })
  }
  const body = exampleBody(document, operation)
  const call: ShellCall = {
    method: operation.method,
    address: examplePath(document, operation),
    headers: { Authorization: environment.key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body, null, 2) }),
    ...(takesFile(document, operation) && { body: { file: 'contract.pdf' } }),
  }
  return curlOf(call)
}

const client = `import { createClient } from 'countersign/client'

const { COUNTERSIGN_URL = '', COUNTERSIGN_API_KEY = '' } = process.env
const client = createClient({ baseUrl: COUNTERSIGN_URL, apiKey: COUNTERSIGN_API_KEY })
`

function clientSample(document: Node, operation: ContractOperation): string {
  if (isStorage(operation)) return storageSample(document)
  const { method, path } = operation
  const values = examplePathParameters(document, operation)
  const body = exampleBody(document, operation)
  const options = {
    ...(Object.keys(values).length > 0 && { params: { path: values } }),
    ...(body !== undefined && { body }),
  }
  return `${client}
const { data, error } = await client.${method}('${path}', ${toLiteral(options)})
if (error) throw new Error(error.detail)
console.log(data)
`
}

/** Writes the sample of an upload: plain `fetch` with the unchanged presigned URL, and without the key. */
function storageSample(document: Node): string {
  const { upload_url, method, headers } = exampleUpload(document)
  return `import { openAsBlob } from 'node:fs'

// The answer of client.POST('/api/v1/upload/').
const upload = ${toLiteral({ upload_url, method, headers })}
const stored = await fetch(upload.upload_url, {
  method: upload.method,
  headers: upload.headers,
  body: await openAsBlob('contract.pdf'),
})
if (!stored.ok) throw new Error(await stored.text())
`
}

/** Writes a value as a TypeScript literal. */
function toLiteral(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_, text) => `'${JSON.parse(`"${text}"`).replaceAll(/['\\]/g, '\\$&')}'`)
}
