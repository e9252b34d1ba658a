/** The contract as a deployment answers it. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Overlay, type OverlayAction, type OverlayLesson, overlayOf } from '../../conformance/learning/overlay.ts'
import { isObject } from '../contract/json.ts'
import type { Profile } from '../profile/profile.ts'

/** The contract's file. The package finds itself by its name, from the sources and from the bundle. */
const contractFile = () => createRequire(import.meta.url).resolve('countersign/openapi.yaml')

/** Loads the YAML library when it is needed, since most commands start without it. */
const yaml = () => import('yaml')

/** Reads the contract. */
export async function readContract(): Promise<object> {
  const { parse } = await yaml()
  return parse(await readFile(contractFile(), 'utf8')) as object
}

/** Returns the overlay of a profile, which also takes out what nothing refers to any more, and the contract with it. */
export function learnedContract(
  document: object,
  profile: Profile,
  lesson?: OverlayLesson,
): { overlay: Overlay; contract: object } {
  let overlay = overlayOf(profile, lesson)
  for (;;) {
    const contract = applyOverlay(document, overlay)
    const unused = unusedComponents(contract)
    if (unused.length === 0) return { overlay, contract }
    overlay = { ...overlay, actions: [...overlay.actions, ...unused] }
  }
}

/** The open questions about what answers contain, for components that name none of their own. */
const shapeGaps = ['workflow', 'execution', 'details', 'upload', 'confirm'].map((name) => `gap.${name}-response`)

/** Makes the actions that remove the components to which nothing refers. */
function unusedComponents(contract: object): OverlayAction[] {
  const text = JSON.stringify(contract)
  const { components = {} } = contract as {
    components?: Record<string, Record<string, { 'x-gap'?: string | string[] }>>
  }
  return (['schemas', 'responses', 'examples', 'requestBodies', 'parameters'] as const).flatMap((kind) =>
    Object.entries(components[kind] ?? {})
      .filter(([name]) => !text.includes(`"#/components/${kind}/${name}"`))
      .map(([name, component]) => ({
        target: `$.components.${kind}.${name}`,
        description: `Take out ${name}, to which no answer refers any more.`,
        remove: true as const,
        'x-gap': [component['x-gap'] ?? shapeGaps].flat(),
      })),
  )
}

/** Writes YAML without anchors, since other tools need not know them. */
export async function toYaml(value: object): Promise<string> {
  const { stringify } = await yaml()
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 })
}

/**
 * Applies an overlay of ours to a document: `remove`, and `update` as OpenAPI Overlay 1.1 defines it, in which objects are
 * merged and lists are extended. Throws a `TypeError` for a target that the document does not have.
 */
export function applyOverlay(document: object, { actions }: Pick<Overlay, 'actions'>): object {
  const changed = structuredClone(document)
  for (const { target, remove, update } of actions) {
    const names = namesIn(target)
    const parent = names.slice(0, -1).reduce<unknown>((value, name) => memberOf(value, name, target), changed)
    const name = names.at(-1) ?? ''
    const found = memberOf(parent, name, target)
    if (remove) delete (parent as Record<string, unknown>)[name]
    if (update) (parent as Record<string, unknown>)[name] = merge(found, update)
  }
  return changed
}

/** Returns the names in a JSONPath that has nothing but names and indices. */
function namesIn(target: string): string[] {
  const found = [...target.matchAll(/\['([^']*)'\]|\[(\d+)\]|\.([\w-]+)/g)]
  if (`$${found.map(([part]) => part).join('')}` !== target) throw new TypeError(`The target ${target} is not known.`)
  return found.map(([, quoted, index, name]) => quoted ?? index ?? name ?? '')
}

function memberOf(value: unknown, name: string, target: string): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) {
    throw new TypeError(`The contract does not have ${target}.`)
  }
  return (value as Record<string, unknown>)[name]
}

function merge(old: unknown, update: unknown): unknown {
  if (Array.isArray(old) && Array.isArray(update)) return [...old, ...update]
  if (!isObject(old) || !isObject(update)) return structuredClone(update)
  const members = Object.entries(update).map(([name, value]) => [
    name,
    Object.hasOwn(old, name) ? merge(old[name], value) : structuredClone(value),
  ])
  return { ...old, ...Object.fromEntries(members) }
}
