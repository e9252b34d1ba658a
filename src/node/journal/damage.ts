import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, writeFileSync } from 'node:fs'
import { ArchiveError } from '../../world/archive.ts'
import type { Damage } from './errors.ts'
import { beginsHeader, formatVersion, labelOf, verify, versionIn } from './format.ts'
import { Ledger } from './ledger.ts'
import { linesOf, withBreaks } from './lines.ts'

/** The lines of a journal of this version, up to its end or its first damaged line. */
interface Scan {
  readonly ledger: Ledger
  /** Size of an incomplete last line, in bytes; 0 if there is none. */
  readonly torn: number
  /** True if only the line break of the last line is missing or wrong. */
  readonly lacksLineBreak: boolean
  readonly damage?: Damage
}

/** Throws an `ArchiveError` if a file is not a journal of this version. */
export function requireJournal(path: string, file: number): void {
  const [first] = linesOf(file)
  if (!first || (!first.isWhole && beginsHeader(first.bytes))) return
  const { bytes } = first
  const version = versionIn(bytes)
  if (bytes.at(-1) === carriageReturn && version !== undefined) {
    throw new ArchiveError(`The lines of ${path} end with CRLF. Change them back to LF.`)
  }
  if (version === undefined) {
    throw new ArchiveError(`${path} is not a Countersign journal. Choose another file.`)
  }
  if (version !== formatVersion) {
    throw new ArchiveError(
      `${path} is a journal of version ${version}, and this Countersign reads version ${formatVersion}. Choose another file, or the Countersign that wrote it.`,
    )
  }
}

const carriageReturn = 0x0d

/** Verifies a journal of this version line by line, without parsing the lines. */
export function scan(file: number): Scan {
  const ledger = new Ledger()
  const found = { ledger, torn: 0, lacksLineBreak: false }
  for (const { bytes, offset, number, isWhole } of linesOf(file)) {
    const line = isWhole || verify(bytes, ledger.sum) !== undefined ? bytes : bytes.subarray(0, -1)
    const sum = verify(line, ledger.sum)
    if (sum !== undefined) ledger.add(line, sum)
    else if (!isWhole) return { ...found, torn: bytes.length }
    else {
      const reason = 'does not match its checksum, or a line before it is missing'
      return { ...found, damage: { line: number, offset, reason } }
    }
    if (!isWhole) return { ...found, lacksLineBreak: true }
  }
  return found
}

/** Moves the lines of a journal, from the first damaged one on, to another file. Returns a message about what was kept. */
export function moveAside(path: string, file: number, { line, offset, reason }: Damage): string {
  const aside = findFreeName(`${path}.damaged`)
  const target = openSync(aside, 'wx')
  const tenants = new Set<string>()
  let [lines, size] = [0, 0]
  try {
    for (const { bytes, isWhole } of linesOf(file, offset)) {
      const moved = isWhole ? withBreaks([bytes]) : bytes
      writeFileSync(target, moved)
      lines += 1
      size += moved.length
      const { tenant } = labelOf(bytes)
      if (tenant !== '') tenants.add(tenant)
    }
    fsyncSync(target)
  } finally {
    closeSync(target)
  }
  ftruncateSync(file, offset)
  fsyncSync(file)
  const kept = line === 1 ? 'Nothing was kept' : `Lines 1 to ${line - 1} were kept`
  const lost = `${lines} ${lines === 1 ? 'line' : 'lines'} of ${tenants.size} ${tenants.size === 1 ? 'key' : 'keys'}`
  return `${path} was repaired: line ${line} ${reason}. ${kept}. Line ${line} and all lines after it (${size} bytes: ${lost}) were moved to ${aside}.`
}

function findFreeName(name: string): string {
  if (!existsSync(name)) return name
  let number = 2
  while (existsSync(`${name}-${number}`)) number += 1
  return `${name}-${number}`
}
