/** What a deployment shows again of a workflow that it was sent. The document asks for none of it, but what is shown must be right. */
import { bare, type Located, membersOf } from './locate.ts'
import { isSameName } from './names.ts'
import { isNamed, mention, type Role, termsOf } from './vocabulary.ts'

/** A workflow as an answer shows it: the members beside its steps, and each step. */
export interface Echo {
  readonly fields: readonly Located[]
  readonly steps?: readonly object[]
}

/** Finds the workflow in an answer: the outermost `steps` array, and what stands outside of every array. */
export function echoOf(json: unknown): Echo {
  const root = Array.isArray(json) && json.length === 1 ? json[0] : json
  const members = membersOf(root)
  const list = members.find(
    ({ value, pointer }) =>
      isListOfObjects(value) &&
      listName(pointer) === 'steps' &&
      !mention(pointer.split('/').flatMap(termsOf), ...notTheirs),
  )
  const fields = members.filter(({ pointer }) => pointer.split('/').slice(1, -1).every(isWrapping))
  return { fields, ...(list && { steps: list.value as object[] }) }
}

/** What a list is called, behind the names that platforms put around its items: `Steps__r/records`. */
function listName(pointer: string): string {
  const names = pointer.split('/')
  const [own = '', around = ''] = [names.at(-1), names.at(-2)]
  return bare(isNamed(own, 'envelope') && bare(around) === 'steps' ? around : own)
}

/** What has steps that are not the workflow's, or not all of them. */
const notTheirs: readonly Role[] = ['measure', 'bottleneck', 'slow', 'execution', 'advice', 'open', 'state']

/** Names that wrap the record itself; behind any other name stands something of its own, such as an owner. */
export function isWrapping(name: string): boolean {
  return name === '0' || isNamed(name, 'envelope')
}

/** The workflow's own member of a name; nothing where the answer has none. */
export function fieldOf({ fields }: Echo, name: string): Located | undefined {
  return fields.find((member) => isSameName(member.name, name))
}

/**
 * The member of a name that shows what was sent, or else one that stands beside something else that was sent: an envelope
 * may have a name and a description of its own.
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

/** A step's own member of a name, in any case. */
export function stepMember(step: object, name: string): unknown {
  return Object.entries(step).find(([member]) => isSameName(member, name))?.[1]
}

/** Texts anywhere within a value. */
export function textsIn(value: unknown): Set<string> {
  return new Set(
    membersOf([value]).flatMap((member) => (typeof member.value === 'string' ? [member.value.toLowerCase()] : [])),
  )
}

/** Whether a value is a list of nothing but objects. */
export function isListOfObjects(value: unknown): value is object[] {
  return Array.isArray(value) && value.every((item) => item !== null && typeof item === 'object')
}
