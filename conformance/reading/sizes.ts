import { type Located, membersOf, valueAt } from './locate.ts'
import { leavesOf, numberOf } from './places.ts'
import { hasRole, isNamed, mentionsRole, termsOf } from './vocabulary.ts'

/** Returns true if a name means the size of a file: `size`, `file_size`, `contentLength`. */
export function isCalledSize(name: string): boolean {
  const terms = termsOf(name)
  if (isNamed(name, 'size')) return true
  return mentionsRole(terms, 'size') && terms.every((term) => hasRole(term, 'size', 'document', 'linking'))
}

/** Returns true if the object around a member has another value that identifies the file, such as its name or key. */
export function isBesideFile(json: unknown, pointer: string, marks: readonly string[]): boolean {
  const beside = Object.values(valueAt(json, pointer.slice(0, pointer.lastIndexOf('/'))) ?? {})
  return beside.some((one) => marks.includes(String(one)))
}

/**
 * Finds the sizes of a file: members with a name that means size, beside a value that identifies the file, such as its name or
 * key. Other sizes may be those of a page or a limit.
 */
export function fileSizes(json: unknown, marks: readonly string[]): Located[] {
  return membersOf(json).filter(({ name, pointer, value }) => {
    // Check the name first, since that is fastest.
    if ((typeof value !== 'number' && typeof value !== 'string') || !isCalledSize(name)) return false
    return isBesideFile(json, pointer, marks)
  })
}

/** An answer about a file, with the size of the file in bytes. */
export interface Sized {
  readonly json: unknown
  readonly size: number
}

/**
 * Finds an answer with a wrong size, at a place that shows the right ones of files with different sizes, under any name. If the answer
 * shows the right size elsewhere, the place may be that of a part of the file.
 */
export function sizeOfAnother<One extends Sized>(files: readonly One[]): { of: One; shown: Located } | undefined {
  const right = files.flatMap(({ json, size }) =>
    leavesOf(json).flatMap(({ pointer, value }) => (numberOf(value) === size ? [{ pointer, size }] : [])),
  )
  const sizesAt = (pointer: string) => new Set(right.flatMap((one) => (one.pointer === pointer ? [one.size] : [])))
  for (const of of files) {
    const numbers = leavesOf(of.json).filter(({ value }) => numberOf(value) !== undefined)
    if (numbers.some(({ value }) => numberOf(value) === of.size)) continue
    const shown = numbers.find(({ pointer }) => sizesAt(pointer).size > 1)
    if (shown) return { of, shown }
  }
  return undefined
}
