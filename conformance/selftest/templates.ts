/** Templates of values as they are, and changes of templates. */
import { escapePointer, isObject } from '../../src/contract/json.ts'
import type { Json, MemberTemplate } from '../../src/profile/template.ts'

/** The members of a template, or the template of an object. */
export type Templates = Readonly<Record<string, Json>>

/** A template that is left out. */
export const leftOut: Json = { $case: '/now', values: {} }

/** Returns the template that renders all samples of the value at a pointer as they are. */
export function templateOf(samples: readonly unknown[], pointer: string): Json {
  const values = samples.filter((value) => value !== null && value !== undefined)
  const present = presentOf(values, pointer)
  return present === undefined ? { $: pointer } : { $if: pointer, present, absent: { $: pointer } }
}

/** Returns the template of objects or of lists; undefined for other values. */
function presentOf(values: readonly unknown[], pointer: string): Json | undefined {
  if (values.length === 0) return undefined
  if (values.every(isObject)) return templatesOf(values, pointer)
  if (!values.every((value) => Array.isArray(value))) return undefined
  const items: unknown[] = values.flat()
  const item = items.length > 0 && items.every(isObject) ? templatesOf(items, '0') : { $: '0' }
  return { $each: pointer, item }
}

/** Returns the templates of the members of all samples of the object at a pointer. What not all have is left out if it is missing. */
export function templatesOf(samples: readonly Readonly<Record<string, unknown>>[], pointer: string): Templates {
  const names = [...new Set(samples.flatMap((sample) => Object.keys(sample)))]
  return Object.fromEntries(
    names.map((name) => {
      const at = `${pointer}/${escapePointer(name)}`
      const having = samples.filter((sample) => Object.hasOwn(sample, name))
      const present = templateOf(
        having.map((sample) => sample[name]),
        at,
      )
      const isOptional = having.length < samples.length
      return [name, isOptional ? { $if: at, present, absent: { $: at, or: leftOut } } : present]
    }),
  )
}

/** Replaces the name and the template of each member at every depth by the result of `change`. */
export function mapTemplates(template: Json, change: (name: string, member: Json) => [string, Json]): Json {
  const map = (inner: Json) => mapTemplates(inner, change)
  if (template === null || typeof template !== 'object') return template
  if (isList(template)) return template.map(map)
  const names = Object.keys(template)
  if (names.some((name) => name.startsWith('$'))) {
    // The members of an instruction are not those of the answer; these hold templates of the answer.
    const inner = names.filter((name) => ['item', 'present', 'absent', 'value'].includes(name))
    const { also = [] } = template as { readonly also?: readonly MemberTemplate[] }
    return {
      ...template,
      ...Object.fromEntries(inner.map((name) => [name, map(template[name] ?? null)])),
      ...(also.length > 0 && { also: also.map((entry) => ({ ...entry, value: map(entry.value) })) }),
    }
  }
  return Object.fromEntries(
    Object.entries(template).map(([name, member]) => {
      const [newName, changed] = change(name, member)
      return [newName, map(changed)]
    }),
  )
}

/** Changes the templates of all members with a name, at every depth. */
export function mapNamedTemplates(template: Json, name: string, change: (member: Json) => Json): Json {
  return mapTemplates(template, (found, member) => [found, found === name ? change(member) : member])
}

function isList(template: Json): template is readonly Json[] {
  return Array.isArray(template)
}
