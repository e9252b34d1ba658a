import { escapePointer } from '../src/contract/json.ts'
import { type Node, operationsOf } from './contract.ts'

/** A place of the contract that cites a requirement or a gap. */
export interface Citation {
  readonly id: string
  /** JSON Pointer (RFC 6901) into the contract. */
  readonly pointer: string
  /** The same for a reader: `createWorkflow`, `createWorkflow 201`, `Step.name`. */
  readonly place: string
}

/** Lists all citations of requirements (`x-requirement`) or gaps (`x-gap`) in the contract. */
export function citationsOf(document: Node, extension: 'x-requirement' | 'x-gap'): Citation[] {
  const cited = (node: unknown, keys: readonly string[]): Citation[] => {
    if (node === null || typeof node !== 'object') return []
    const here = [(node as Node)[extension] ?? []].flat().map((id: string) => ({
      id,
      pointer: `/${keys.map((key) => escapePointer(key)).join('/')}`,
      place: placeOf(document, keys),
    }))
    return [...here, ...Object.entries(node).flatMap(([key, value]) => cited(value, [...keys, key]))]
  }
  return cited(document, [])
}

/** Words of a pointer that a reader does not need. */
const silent = new Set(['properties', 'items', 'allOf', 'responses', 'schemas', 'securitySchemes'])

function placeOf(document: Node, [root = '', ...keys]: readonly string[]): string {
  const [first = '', second = '', ...rest] = keys
  switch (root) {
    case 'paths': {
      const operation = operationsOf(document).find(
        ({ path, method }) => path === first && (second === 'servers' || method === second.toUpperCase()),
      )
      const parameter = rest[0] === 'parameters' ? operation?.definition.parameters[Number(rest[1])].name : undefined
      const part = second === 'servers' ? 'address' : (parameter ?? rest.filter((key) => !silent.has(key)).join(' '))
      return [operation?.operationId, part.replace('requestBody', 'body')].filter(Boolean).join(' ')
    }
    case 'components':
      return keys.filter((key) => !silent.has(key) && !/^\d+$/.test(key)).join('.')
    default:
      return root
  }
}
