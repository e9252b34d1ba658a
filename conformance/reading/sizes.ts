import { at, type Located, membersOf } from './locate.ts'
import { isNamed } from './vocabulary.ts'

/**
 * Sizes of a file: members that are called a size, whatever the word for it, and stand beside what names the file, such as
 * its name or key. Any other may be that of a page, or a limit.
 */
export function fileSizes(json: unknown, marks: readonly string[]): Located[] {
  return membersOf(json).filter(({ name, pointer, value }) => {
    const beside = Object.values(at(json, pointer.slice(0, pointer.lastIndexOf('/'))) ?? {})
    const isSize = (typeof value === 'number' || typeof value === 'string') && isNamed(name, 'size')
    return isSize && beside.some((one) => marks.includes(String(one)))
  })
}
