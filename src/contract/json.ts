/** Helpers for JSON values and JSON Pointers (RFC 6901). */

/** Returns true if a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** The deepest nesting of lists and objects that is accepted. HAR, profiles and reports have about ten levels. */
export const deepestJson = 500

/** Returns true if a value is nested more deeply than that. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (value === null || typeof value !== 'object') return false
  return depth === deepestJson || Object.values(value).some((member) => isTooDeep(member, depth + 1))
}

/** Escapes a member's name for a JSON Pointer: `a/b` becomes `a~1b`. */
export function escapePointer(name: string): string {
  // Hardly any name has such a character, and every member of every answer has a name.
  return name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name
}

/** Returns the names and indices of a JSON Pointer: `/a~1b/0` becomes `['a/b', '0']`. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => (step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step))
}

/** Returns the pointer to the object or list that has a member. */
export const parentOf = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))

/** Returns the last name of a pointer, or the last segment of a path. */
export const lastName = (pointer: string): string => pointer.slice(pointer.lastIndexOf('/') + 1)

/** Returns true if a pointer is that of a part, or leads into it. */
export const isWithin = (pointer: string, part: string): boolean => pointer === part || pointer.startsWith(`${part}/`)

/** Returns the value at a JSON Pointer, or undefined. */
export function valueAt(json: unknown, pointer: string): unknown {
  let value = json
  for (const name of pointerSteps(pointer)) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
