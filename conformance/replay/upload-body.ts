/** Makes up the files of a session that a recording only describes. */
import { digestsOf, type SentBytes } from '../../src/session/digests.ts'
import { pdfOf } from '../flow/pdf.ts'

/** The largest file that is made up, in bytes. */
const largestFile = 64 * 1024 * 1024

/** Returns a file of a size, or undefined if it would be too large. Files of the size of a PDF are one. */
export function fileOfSize(size: number): Uint8Array<ArrayBuffer> | undefined {
  if (size > largestFile) return undefined
  const empty = pdfOf('countersign replay', '').byteLength
  const filled = size - empty > 0 ? pdfOf('countersign replay', ' '.repeat(size - empty)) : new Uint8Array()
  // The numbers in the file may need more digits than those of the empty one.
  const more = filled.byteLength - size
  const file = more > 0 && size - empty > more ? pdfOf('countersign replay', ' '.repeat(size - empty - more)) : filled
  return file.byteLength === size ? file : new Uint8Array(size).fill(0x20)
}

/** Returns the spellings of a file's digests, and those of the file in its place. */
export function replacedDigests(before: SentBytes, file: Uint8Array): (readonly [before: string, after: string])[] {
  const after = digestsOf(file)
  const pairs = [
    [before.sha256, after.sha256],
    [before.md5 ?? '', after.md5],
  ] as const
  return pairs
    .filter(([digest]) => digest !== '')
    .flatMap(([old, now]) => [[old, now] as const, [base64Of(old), base64Of(now)] as const])
}

function base64Of(hex: string): string {
  return btoa(hex.replaceAll(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16))))
}
