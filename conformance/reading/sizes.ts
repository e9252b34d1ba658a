import { at, type Located, membersOf } from './locate.ts'
import { isNamed } from './vocabulary.ts'

/**
 * Sizes of a file: members that are called a size, whatever the word for it, and stand beside what names the file, such as
 * its name or key. Any other may be that of a page, or a limit.
 */
export function fileSizes(json: unknown, marks: readonly string[]): Located[] {
  return membersOf(json).filter(({ name, pointer, value }) => {
    // Looking at the name first costs the least, however many members there are.
    if ((typeof value !== 'number' && typeof value !== 'string') || !isNamed(name, 'size')) return false
    const beside = Object.values(at(json, pointer.slice(0, pointer.lastIndexOf('/'))) ?? {})
    return beside.some((one) => marks.includes(String(one)))
  })
}
