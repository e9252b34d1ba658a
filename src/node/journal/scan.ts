import { ArchiveError } from '../../world/archive.ts'
import { Completions } from './completions.ts'
import type { Damage } from './errors.ts'
import {
  beginsHeader,
  completedIn,
  formatVersion,
  type Header,
  labelOf,
  readHeader,
  verify,
  versionIn,
} from './format.ts'
import { Ledger } from './ledger.ts'
import { linesOf } from './lines.ts'

/** The state of a journal of this version, up to its end or its first damaged line. */
export interface Scan {
  /** The header, with its size in bytes and its checksum; undefined if there is none. */
  readonly header: (Header & { readonly bytes: number; readonly sum: number }) | undefined
  readonly ledger: Ledger
  /** The completed executions in live lines. */
  readonly completions: Completions
  /** Total size of all sound lines, in bytes. */
  readonly size: number
  /** Checksum of the last line, from which the next one continues. */
  readonly sum: number
  /** True if the last line is the closing line of a clean stop. */
  readonly isEnded: boolean
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
  const completions = new Completions()
  let header: Scan['header']
  let size = 0
  let sum = 0
  let isEnded = false
  const upToHere = () => ({ header, ledger, completions, size, sum, isEnded, torn: 0, lacksLineBreak: false })
  for (const { bytes, offset, number, isWhole } of linesOf(file)) {
    const line = isWhole || verify(bytes, sum) !== undefined ? bytes : bytes.subarray(0, -1)
    const found = verify(line, sum)
    if (found === undefined) {
      if (!isWhole) return { ...upToHere(), torn: bytes.length }
      const reason = 'does not match its checksum, or a line before it is missing'
      return { ...upToHere(), damage: { line: number, offset, reason } }
    }
    sum = found
    size = offset + line.length + 1
    if (number === 1) {
      const content = readHeader(line)
      header = content && { ...content, bytes: size, sum }
    } else {
      const { kind, tenant } = labelOf(line)
      ledger.add(kind, tenant, offset, line.length + 1)
      isEnded = kind === 'end'
      const workflowId = kind === 'event' ? completedIn(line) : undefined
      if (workflowId !== undefined) completions.add(tenant, workflowId)
      if (kind === 'forget') completions.forget(tenant)
    }
    if (!isWhole) return { ...upToHere(), lacksLineBreak: true }
  }
  return upToHere()
}
