import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** A schema, or any other object of the contract, as parsed. */
// biome-ignore lint/suspicious/noExplicitAny: the contract is parsed text; its shape is what the generator checks
export type Node = any

/** A call of the contract. */
export interface ContractOperation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly definition: Node
}

const methods = ['get', 'put', 'post', 'delete', 'patch']

/** Reads a YAML file of this repository. */
export function readYaml(path: string): Node {
  return parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
}

/** Follows a local reference. Returns a node without `$ref` unchanged. */
export function resolve(document: Node, node: Node): Node {
  if (!node?.$ref) return node
  const steps = node.$ref.slice(2).split('/')
  return resolve(
    document,
    steps.reduce((at: Node, step: string) => at[step], document),
  )
}

/** Changes each member of an object. */
export function mapValues(object: Node, change: (member: Node, name: string) => unknown): Node {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, change(member, name)]))
}

/** Lists the calls of a contract in its own order. */
export function operationsOf(document: Node): ContractOperation[] {
  return Object.entries<Node>(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method])
      .map((method) => ({
        operationId: item[method].operationId,
        method: method.toUpperCase(),
        path,
        definition: item[method],
      })),
  )
}

/** Lists the parameters of a call: those of its path, then its own. */
export function parametersOf(document: Node, { path, definition }: ContractOperation): Node[] {
  const all: Node[] = [...(document.paths[path].parameters ?? []), ...(definition.parameters ?? [])]
  return all.map((node) => resolve(document, node))
}

/** Returns the JSON body of a call, with its schema and examples; undefined if it has none. */
export function jsonBodyOf(document: Node, { definition }: ContractOperation): Node {
  return resolve(document, definition.requestBody)?.content['application/json']
}
