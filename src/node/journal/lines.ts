import { readSync } from 'node:fs'

/** A line of a file. Its bytes are valid until the next line is read. */
export interface FileLine {
  /** Without the line break. */
  readonly bytes: Buffer
  /** Start of the line, in bytes. */
  readonly offset: number
  /** Number of the line, from 1 at the position where reading began. */
  readonly number: number
  /** True if it ends with a line break. Only the last line can lack one. */
  readonly isWhole: boolean
}

const chunkBytes = 64 * 1024
const lineBreak = 0x0a

/** Reads a file line by line. Needs memory for one chunk or the longest line. */
export function* linesOf(file: number, from = 0): Generator<FileLine, void> {
  let buffer = Buffer.allocUnsafe(chunkBytes)
  /** Size of the incomplete line at the start of the buffer, in bytes. */
  let held = 0
  let offset = from
  let number = 0
  for (;;) {
    if (held === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2)
    const read = readSync(file, buffer, held, buffer.length - held, offset + held)
    if (read === 0) break
    const filled = buffer.subarray(0, held + read)
    let start = 0
    for (let end = filled.indexOf(lineBreak, held); end >= 0; end = filled.indexOf(lineBreak, start)) {
      number += 1
      yield { bytes: filled.subarray(start, end), offset: offset + start, number, isWhole: true }
      start = end + 1
    }
    buffer.copyWithin(0, start, filled.length)
    held = filled.length - start
    offset += start
  }
  if (held > 0) yield { bytes: buffer.subarray(0, held), offset, number: number + 1, isWhole: false }
}

const lineEnd = Buffer.from([lineBreak])

/** Ends each line with a line break. */
export function withBreaks(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [line, lineEnd]))
}
