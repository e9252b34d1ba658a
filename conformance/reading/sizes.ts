import { type Located, membersOf, valueAt } from './locate.ts'
import { isNamed } from './vocabulary.ts'

/**
 * Finds the sizes of a file: members with a name that means size, beside a value that identifies the file, such as its name or
 * key. Other sizes may be those of a page or a limit.
 */
export function fileSizes(json: unknown, marks: readonly string[]): Located[] {
  return membersOf(json).filter(({ name, pointer, value }) => {
    // Check the name first, since that is fastest.
    if ((typeof value !== 'number' && typeof value !== 'string') || !isNamed(name, 'size')) return false
    const beside = Object.values(valueAt(json, pointer.slice(0, pointer.lastIndexOf('/'))) ?? {})
    return beside.some((one) => marks.includes(String(one)))
  })
}
