/** Finds the sent fields of a workflow in an answer. The document does not require an answer to show them, only correctly. */
import { bare, type Located, membersOf } from './locate.ts'
import { isSameName } from './names.ts'
import { isNamed, mentionsRole, type Role, termsOf } from './vocabulary.ts'

/** A workflow in an answer: the members beside its steps, and its steps. */
export interface Echo {
  readonly fields: readonly Located[]
  readonly steps?: readonly object[]
}

/** Finds the workflow in an answer: the outermost `steps` array, and the members outside of arrays. */
export function echoOf(json: unknown): Echo {
  const root = Array.isArray(json) && json.length === 1 ? json[0] : json
  const members = membersOf(root)
  const list = members.find(
    ({ value, pointer }) =>
      isListOfObjects(value) &&
      listName(pointer) === 'steps' &&
      !mentionsRole(pointer.split('/').flatMap(termsOf), ...notTheirs),
  )
  const fields = members.filter(({ pointer }) => pointer.split('/').slice(1, -1).every(isWrapping))
  return { fields, ...(list && { steps: list.value as object[] }) }
}

/** Returns the name of a list, without the wrappers that some platforms add: `Steps__r/records`. */
function listName(pointer: string): string {
  const names = pointer.split('/')
  const [own = '', around = ''] = [names.at(-1), names.at(-2)]
  return bare(isNamed(own, 'envelope') && bare(around) === 'steps' ? around : own)
}

/** Parts whose steps are not the workflow's, or not all of them. */
const notTheirs: readonly Role[] = ['measure', 'bottleneck', 'slow', 'execution', 'advice', 'open', 'state']

/** Returns whether a name wraps the record itself. Under other names are other objects, such as an owner. */
export function isWrapping(name: string): boolean {
  return name === '0' || isNamed(name, 'envelope')
}

/** Returns the workflow's own member with a name, or undefined. */
export function fieldOf({ fields }: Echo, name: string): Located | undefined {
  return fields.find((member) => isSameName(member.name, name))
}

/**
 * Returns the member with a name that shows the sent value, or else one beside another sent value: an envelope may have its
 * own name and description.
 */
export function sentField({ fields }: Echo, name: string, sent: object): Located | undefined {
  const of = (one: string) => Object.entries(sent).find(([member]) => isSameName(one, member))?.[1]
  const called = fields.filter((member) => isSameName(member.name, name))
  const parent = ({ pointer }: Located) => pointer.slice(0, pointer.lastIndexOf('/'))
  const isSent = (member: Located) => {
    const value = of(member.name)
    return Array.isArray(value) ? Array.isArray(member.value) : value !== undefined && value === member.value
  }
  return (
    called.find(isSent) ??
    called.find((one) => fields.some((other) => other !== one && parent(other) === parent(one) && isSent(other)))
  )
}

/** Returns a step's own member with a name, in any spelling. */
export function stepMember(step: object, name: string): unknown {
  return Object.entries(step).find(([member]) => isSameName(member, name))?.[1]
}

/** Returns all texts within a value, in lower case. */
export function textsIn(value: unknown): Set<string> {
  return new Set(
    membersOf([value]).flatMap((member) => (typeof member.value === 'string' ? [member.value.toLowerCase()] : [])),
  )
}

/** Returns whether a value is a list that has only objects. */
export function isListOfObjects(value: unknown): value is object[] {
  return Array.isArray(value) && value.every((item) => item !== null && typeof item === 'object')
}
