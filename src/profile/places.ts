/** The parts of a profile's templates that make the value at a place of an answer. */
import { isObject, pointerSteps } from '../contract/json.ts'
import { isList, type Json } from './template.ts'

/** Returns a part of a template in the place of another one. */
type Change = (part: Json) => Json

/** The members of instructions whose values are templates of the same place. */
const branches = ['present', 'absent', 'else', 'or'] as const

/**
 * Returns a template with another part at a place of what it makes; `*` in the pointer stands for every item of a list. All parts are
 * changed that may make the value there, such as those of several cases.
 *
 * @example changedPart({ items: { $each: '/answer/steps', item: { title: 'x' } } }, '/items/0/title', () => 'y')
 */
export function changedPart(template: Json, pointer: string, change: Change): Json {
  return changedAt(template, pointerSteps(pointer), change)
}

/** Returns the first part of a template that makes the value at a place; undefined if none does. */
export function partAt(template: Json, pointer: string): Json | undefined {
  let found: Json | undefined
  changedPart(template, pointer, (part) => {
    found ??= part
    return part
  })
  return found
}

function changedAt(template: Json, steps: readonly string[], change: Change): Json {
  const [step, ...rest] = steps
  if (step === undefined) return change(template)
  if (template === null || typeof template !== 'object') return template
  const into = (part: Json, left: readonly string[] = rest) => changedAt(part, left, change)
  const intoAll = (parts: Readonly<Record<string, Json>>, left: readonly string[]) =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, into(part, left)]))
  if (isList(template))
    return template.map((part, index) => (step === '*' || step === String(index) ? into(part) : part))
  const here = (name: string, left: readonly string[] = steps) =>
    Object.hasOwn(template, name) ? { [name]: into(template[name] ?? null, left) } : {}
  if ('$each' in template) return { ...template, ...here('item', rest) }
  if ('$entries' in template) return { ...template, ...here('value', rest) }
  if ('$members' in template && isObject(template.$members))
    return { ...template, $members: changedAt(template.$members as Json, steps, change) }
  if ('$concat' in template && isList(template.$concat ?? null))
    return {
      ...template,
      $concat: (template.$concat as readonly Json[]).map((part) => into(part, steps)),
      ...here('or'),
    }
  if ('$case' in template || '$if' in template) {
    const values = isObject(template.values) ? { values: intoAll(template.values as Record<string, Json>, steps) } : {}
    return { ...template, ...values, ...Object.assign({}, ...branches.map((name) => here(name))) }
  }
  return Object.hasOwn(template, step) ? { ...template, [step]: into(template[step] ?? null) } : template
}
