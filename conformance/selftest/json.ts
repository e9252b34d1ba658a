import { isObject } from '../../src/contract/json.ts'
import type { Members } from './wrapper.ts'

/** Replaces the name and value of each member at every depth by the result of `change`. */
export function mapMembers(json: unknown, change: (name: string, value: unknown) => [string, unknown]): unknown {
  if (Array.isArray(json)) return json.map((value) => mapMembers(value, change))
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      const [newName, newValue] = change(name, value)
      return [newName, mapMembers(newValue, change)]
    }),
  )
}

/** Creates a change of each value at every depth, the innermost first. */
export function changeValues(change: (name: string, value: unknown) => unknown): (body: unknown) => Members {
  return (body) => JSON.parse(JSON.stringify(body), change)
}

/** Creates a change of all members with a name, at every depth. */
export function changeNamed<Value>(name: string, change: (value: Value) => unknown): (body: unknown) => Members {
  return changeValues((found, value) => (found === name ? change(value as Value) : value))
}

/** Creates a change of the values at a path such as `steps.*.name`. What has no such value stays as it is. */
export function changeAt<Value>(
  path: string,
  change: (value: Value, index: number, all: readonly Value[]) => unknown,
): (body: unknown) => Members {
  const changed = (value: unknown, [name, ...rest]: readonly string[], index = 0, all: unknown[] = []): unknown => {
    if (name === undefined) return change(value as Value, index, all as Value[])
    if (name === '*') return Array.isArray(value) ? value.map((one, at) => changed(one, rest, at, value)) : value
    return isObject(value) && name in value ? { ...value, [name]: changed(value[name], rest) } : value
  }
  return (body) => changed(body, path.split('.')) as Members
}

/** Creates a change that adds members. */
export const adds = (more: Members) => (body: object) => ({ ...body, ...more })

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
  const inner = (holder: unknown, segment: string) => {
    if (segment === '*') return Array.isArray(holder) ? holder : []
    return isObject(holder) ? [holder[segment]] : []
  }
  const holders = segments.reduce<unknown[]>((found, segment) => found.flatMap((one) => inner(one, segment)), [body])
  return { holders: holders.filter(isObject), name }
}
