/** Makes up the files of a session that a recording only describes. */
import { digestsOf, type SentBytes } from '../../src/session/digests.ts'

/** The largest file that is made up, in bytes. */
const largestFile = 64 * 1024 * 1024

/** The beginning of a PDF file, with the comment that says that it is binary (ISO 32000-1 section 7.5.2). */
const beginning = [...'%PDF-1.4\n%'].map((character) => character.charCodeAt(0)).concat(0xe2, 0xe3, 0xcf, 0xd3, 0x0a)

/** Returns a file of a size, or undefined if it would be too large. */
export function fileOfSize(size: number): Uint8Array<ArrayBuffer> | undefined {
  if (size > largestFile) return undefined
  const file = new Uint8Array(size).fill(0x20)
  file.set(beginning.slice(0, size))
  return file
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
