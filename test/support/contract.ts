import { expect } from 'vitest'
import { operationsOf, readYaml, resolve } from '../../scripts/contract.ts'
import { contractAjv, inContract } from '../../scripts/generate-validators.ts'

export const contract = readYaml('openapi.yaml')

const ajv = contractAjv(contract, { useDefaults: false })
ajv.addFormat('binary', true)

/** What is wrong with a value by a schema of the contract; nothing where it is valid. */
export function flawsOf(schema: object, value: unknown): string[] {
  const validate = ajv.compile(inContract(schema))
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}

/** Fails unless an answer is one that the contract lists for the call. Every test that speaks HTTP goes through here. */
export async function mustKeepContract(request: Request, response: Response): Promise<void> {
  const path = new URL(request.url).pathname
  const operation = operationsOf(contract).find(
    (candidate) => candidate.method === request.method.replace('HEAD', 'GET') && templateOf(candidate.path).test(path),
  )
  // Only the calls of the contract promise anything; a wrong path or method has no entry to compare with.
  if (!operation) return
  const answer = resolve(contract, operation.definition.responses[response.status])
  if (!answer && response.status === 405) return
  expect(answer, `${operation.operationId} answers ${response.status}, which the contract does not list`).toBeDefined()
  const type = response.headers.get('Content-Type')
  const bytes = await response.clone().arrayBuffer()
  if (!answer.content) return expect(bytes.byteLength).toBe(0)
  expect(Object.keys(answer.content)).toContain(type)
  const text = new TextDecoder().decode(bytes)
  const value = type?.endsWith('json') && request.method !== 'HEAD' ? JSON.parse(text) : text
  if (request.method !== 'HEAD') expect(flawsOf(answer.content[type ?? ''].schema, value), text).toEqual([])
}

function templateOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}
