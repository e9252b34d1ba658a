import type { ValidateFunction } from 'ajv'
import { expect } from 'vitest'
import { type Node, operationsOf, readYaml, resolve } from '../../scripts/contract.ts'
import { contractAjv, withContractReferences } from '../../scripts/generate-validators.ts'

/** Reads a contract to compare answers with. */
export function readContract(path: string) {
  const document = readYaml(path)
  const ajv = contractAjv(document, { useDefaults: false })
  ajv.addFormat('binary', true)
  const calls = operationsOf(document).map(({ path, ...call }) => ({ ...call, template: templateOf(path) }))

  /** Compiled schemas: compiling takes milliseconds, and tests check thousands of answers. */
  const compiled = new WeakMap<object, ValidateFunction>()

  /** Returns the violations of a schema by a value; an empty list if it is valid. */
  function flawsOf(schema: object, value: unknown): string[] {
    const validate = compiled.get(schema) ?? ajv.compile(withContractReferences(schema))
    compiled.set(schema, validate)
    return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
  }

  /** Fails unless the contract lists the answer for the call. */
  async function mustBeKept(method: string, path: string, response: Response): Promise<void> {
    const operation = calls.find((call) => call.method === method.replace('HEAD', 'GET') && call.template.test(path))
    // The contract has no entry for unknown paths and methods.
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
    // The settings may inject a fault with any of the listed statuses; its code is not in the contract.
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

/** Fails unless an answer matches the contract of the service. Every test of the service over HTTP calls this. */
export function mustKeepContract(request: Request, response: Response): Promise<void> {
  return service.mustBeKept(request.method, new URL(request.url).pathname, response)
}
