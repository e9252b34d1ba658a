import { type ContractOperation, type Node, resolve } from '../contract.ts'
import { curlOf, environment, type ShellCall } from './shell.ts'

/** The samples of each operation, in the order in which they are offered. */
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

/** How an operation is called, made from the contract's own examples. */
export function samplesOf(document: Node, operation: ContractOperation): CodeSample[] {
  return sampleLanguages.map(({ lang, label, sampleOf }) => ({ lang, label, source: sampleOf(document, operation) }))
}

/** The example of a JSON body, if the operation has such a body. */
export function exampleBody(document: Node, { definition }: ContractOperation): unknown {
  const content = resolve(document, definition.requestBody)?.content['application/json']
  const [example] = Object.values(content?.examples ?? {})
  return resolve(document, example)?.value
}

/** The contract's examples of the parameters in the operation's path. */
export function examplePathParameters(document: Node, { path }: ContractOperation): Record<string, string> {
  const parameters: Node[] = (document.paths[path].parameters ?? []).map((node: Node) => resolve(document, node))
  return Object.fromEntries(parameters.map(({ name, example }) => [name, example]))
}

/** A path with values for its parameters. */
export function filled(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? '')
}

/** What the upload request was answered with, in the contract's example; storage is called with nothing else. */
function exampleUpload(document: Node): { upload_url: string; method: string; headers: Record<string, string> } {
  return document.components.examples.Upload.value
}

function isStorage({ definition }: ContractOperation): boolean {
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
    address: filled(operation.path, examplePathParameters(document, operation)),
    headers: { Authorization: environment.key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body, null, 2) }),
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
const { data, error } = await client.${method}('${path}', ${literal(options)})
if (error) throw new Error(error.detail)
console.log(data)
`
}

/** Storage is no part of the service: the address is used as it is, by fetch, and gets no key. */
function storageSample(document: Node): string {
  const { upload_url, method, headers } = exampleUpload(document)
  return `import { openAsBlob } from 'node:fs'

// What client.POST('/api/v1/upload/') answered.
const upload = ${literal({ upload_url, method, headers })}
const stored = await fetch(upload.upload_url, {
  method: upload.method,
  headers: upload.headers,
  body: await openAsBlob('contract.pdf'),
})
if (!stored.ok) throw new Error(await stored.text())
`
}

/** A value as TypeScript writes it. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_, text) => `'${JSON.parse(`"${text}"`).replaceAll(/['\\]/g, '\\$&')}'`)
}
