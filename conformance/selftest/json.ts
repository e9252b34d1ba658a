import { isObject } from '../../src/contract/json.ts'
import type { Members } from './wrapper.ts'

/** Replaces the name and value of each member at every depth by the result of `change`. */
export function mapMembers(json: unknown, change: (name: string, value: unknown) => [string, unknown]): unknown {
  if (Array.isArray(json)) return json.map((value) => mapMembers(value, change))
  if (json === null || typeof json !== 'object') return json
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      const [newName, newValue] = change(name, value)
      return [newName, mapMembers(newValue, change)]
    }),
  )
}

/** Changes the values of all members with a name, at every depth. */
export function mapNamed(json: unknown, name: string, change: (value: unknown) => unknown): unknown {
  return mapMembers(json, (found, value) => [found, found === name ? change(value) : value])
}

/** Changes all texts, at every depth. */
export function mapTexts(json: unknown, change: (text: string) => string): unknown {
  if (typeof json === 'string') return change(json)
  if (Array.isArray(json)) return json.map((value) => mapTexts(value, change))
  if (json === null || typeof json !== 'object') return json
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, mapTexts(value, change)]))
}

/** Returns a copy of an object without some members. */
export function without<Value>(
  object: Readonly<Record<string, Value>>,
  ...names: readonly string[]
): Record<string, Value> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** Returns a copy of an object with some members renamed. */
export function renameMembers<Value>(
  object: Readonly<Record<string, Value>>,
  names: Readonly<Record<string, string>>,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [names[name] ?? name, value]))
}

/** Finds the objects in a body that can have the last member of a path such as `steps.*.name`, and that member's name. */
export function holdersAt(body: Members, path: string): { holders: Members[]; name: string } {
  const segments = path.split('.')
  const name = segments.pop() ?? ''
  let holders: unknown[] = [body]
  for (const segment of segments) {
    holders = holders.flatMap((holder) => {
      if (segment === '*') return Array.isArray(holder) ? holder : []
      return holder !== null && typeof holder === 'object' ? [(holder as Members)[segment]] : []
    })
  }
  return { holders: holders.filter(isObject), name }
}
