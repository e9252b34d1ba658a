import type { ValidateFunction } from 'ajv'
import { expect } from 'vitest'
import { type Node, operationsOf, readYaml, resolve } from '../../scripts/contract.ts'
import { contractAjv, withContractReferences } from '../../scripts/generate-validators.ts'

/** A contract that answers can be held to. */
export function readContract(path: string) {
  const document = readYaml(path)
  const ajv = contractAjv(document, { useDefaults: false })
  ajv.addFormat('binary', true)
  const calls = operationsOf(document).map(({ path, ...call }) => ({ ...call, template: templateOf(path) }))

  /** Compiling takes milliseconds, and tests look at thousands of answers. */
  const compiled = new WeakMap<object, ValidateFunction>()

  /** What is wrong with a value by a schema of the contract; nothing where it is valid. */
  function flawsOf(schema: object, value: unknown): string[] {
    const validate = compiled.get(schema) ?? ajv.compile(withContractReferences(schema))
    compiled.set(schema, validate)
    return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
  }

  /** Fails unless an answer is one that the contract lists for the call. */
  async function mustBeKept(method: string, path: string, response: Response): Promise<void> {
    const operation = calls.find((call) => call.method === method.replace('HEAD', 'GET') && call.template.test(path))
    // Only the calls of the contract promise anything; a wrong path or method has no entry to compare with.
    if (!operation) return
    const answer: Node = resolve(document, operation.definition.responses[response.status])
    expect(
      answer,
      `${operation.operationId} answers ${response.status}, which the contract does not list`,
    ).toBeDefined()
    const missing = Object.keys(answer.headers ?? {}).filter((name) => !response.headers.has(name))
    expect(missing, `headers that ${operation.operationId} promises with ${response.status}`).toEqual([])
    const text = await response.clone().text()
    if (!answer.content) return expect(text).toBe('')
    const type = response.headers.get('Content-Type') ?? ''
    expect(Object.keys(answer.content)).toContain(type)
    if (method === 'HEAD') return
    const value = type.endsWith('json') ? JSON.parse(text) : text
    // A fault of the settings is answered with any status, and a code that the contract does not know.
    if (value.code === 'injected-fault') return
    expect(flawsOf(answer.content[type].schema, value), text).toEqual([])
  }

  return { document, flawsOf, mustBeKept }
}

function templateOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

const service = readContract('openapi.yaml')

export const contract = service.document
export const flawsOf = service.flawsOf

/** Fails unless an answer keeps the service's contract. Every test that speaks HTTP goes through here. */
export function mustKeepContract(request: Request, response: Response): Promise<void> {
  return service.mustBeKept(request.method, new URL(request.url).pathname, response)
}
