import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Archive, ArchiveError, type Spool } from '../world/archive.ts'
import type { RecordedEvent } from '../world/events.ts'
import { opening } from './opening.ts'

/** The first line of a journal of this version. */
const header = '{"countersign":"journal","version":1}'

export interface JournalFile extends Archive {
  close(): void
}

type Line = { readonly tenant: string } & ({ readonly forget: true } | RecordedEvent)

/**
 * Keeps journals as JSON lines in a file, and objects in a folder beside it, named by their digest. A last line that a
 * power cut has torn is dropped and reported; anything else that is not as it was written is a `ArchiveError`.
 */
export function openJournal(path: string, warn: (message: string) => void): JournalFile {
  const folder = `${path}.objects`
  const open = () => {
    const past = existsSync(path) ? read(path, warn) : begin(path)
    mkdirSync(folder, { recursive: true })
    dropUnnamed(folder, past)
    return { past, file: openSync(path, 'a') }
  }
  const { past, file } = opening(path, open, 'Choose a file that can be read and written.')
  let isClosed = false
  /** Who has lines in the file that count. */
  const kept = new Set(past.keys())

  function append(lines: readonly Line[]): void {
    // The system may have given its number to another file by then.
    if (isClosed) throw cannotWrite(path, new Error('it has been closed'))
    const { size } = fstatSync(file)
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    try {
      if (writeSync(file, text) < Buffer.byteLength(text)) throw new Error('the disk is full')
    } catch (error) {
      // Half a line in the middle would make the whole file unreadable.
      ftruncateSync(file, size)
      throw cannotWrite(path, error)
    }
  }

  return {
    tenants: () => [...past.keys()],
    past: (tenantId) => past.get(tenantId) ?? [],
    append(tenant, events) {
      if (events.length === 0) return
      append(events.map((event) => ({ tenant, ...event })))
      kept.add(tenant)
    },
    forget(tenant) {
      if (!kept.has(tenant)) return
      // Where nobody's lines count any more, the file need not grow by one.
      if (kept.size === 1 && !isClosed) ftruncateSync(file, header.length + 1)
      else append([{ tenant, forget: true }])
      kept.delete(tenant)
      past.delete(tenant)
    },
    bytes: (sha256) => (existsSync(join(folder, sha256)) ? readFileSync(join(folder, sha256)) : undefined),
    spool: () => spoolIn(folder),
    close() {
      if (!isClosed) closeSync(file)
      isClosed = true
    },
  }
}

/** Removes objects of ours that no event names any more, and what a mock that was killed left half written. */
function dropUnnamed(folder: string, past: ReadonlyMap<string, readonly RecordedEvent[]>): void {
  const named = new Set(
    [...past.values()].flatMap((events) =>
      events.flatMap((event) => (event.type === 'ObjectStored' ? event.sha256 : [])),
    ),
  )
  const isOurs = (name: string) => /^[\da-f]{64}$|^[\da-f-]{36}\.part$/.test(name)
  for (const name of readdirSync(folder)) if (isOurs(name) && !named.has(name)) rmSync(join(folder, name))
}

/** Under its digest there are all of an object's bytes, or none: until then they are in a file of another name. */
function spoolIn(folder: string): Spool {
  const at = join(folder, `${randomUUID()}.part`)
  const writing = <T>(write: () => T): T => {
    try {
      return write()
    } catch (error) {
      throw cannotWrite(at, error)
    }
  }
  let file: number | undefined = writing(() => openSync(at, 'wx'))
  const close = () => {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  return {
    add(chunk) {
      const into = file
      if (into === undefined) return
      writing(() => {
        for (let done = 0; done < chunk.byteLength; ) done += writeSync(into, chunk, done)
      })
    },
    keep(sha256) {
      close()
      writing(() => renameSync(at, join(folder, sha256)))
    },
    drop() {
      close()
      rmSync(at, { force: true })
    },
  }
}

function cannotWrite(path: string, error: unknown): ArchiveError {
  const reason = error instanceof Error ? error.message : String(error)
  return new ArchiveError(`Failed to write ${path}: because ${reason}. Make room, then try again.`)
}

function begin(path: string): Map<string, RecordedEvent[]> {
  writeFileSync(path, `${header}\n`)
  return new Map()
}

function read(path: string, warn: (message: string) => void): Map<string, RecordedEvent[]> {
  const bytes = readFileSync(path)
  // Every line is written with its line break, so what has none was cut off.
  const whole = bytes.lastIndexOf('\n') + 1
  const torn = bytes.length - whole
  const first = bytes.indexOf('\n') + 1
  if (whole > 0) mustBeOurs(path, bytes.toString('utf8', 0, first - 1))
  else if (!header.startsWith(bytes.toString())) mustBeOurs(path, bytes.toString())
  if (torn > 0) {
    warn(`The last line of ${path} was torn and is dropped: ${torn} bytes.`)
    truncateSync(path, whole)
  }
  if (whole === 0) return begin(path)
  const past = new Map<string, RecordedEvent[]>()
  let number = 1
  // One after the other, since a text can hold half a gibibyte only.
  for (let from = first, end = first; from < whole; from = end) {
    end = bytes.indexOf('\n', from) + 1
    number += 1
    const { tenant, ...event } = parse(path, bytes.toString('utf8', from, end - 1), number)
    if ('forget' in event) {
      past.delete(tenant)
      continue
    }
    const events = past.get(tenant) ?? []
    if (event.seq !== events.length + 1) throw outOfOrder(path, number, event.seq, events.length + 1)
    events.push(event)
    past.set(tenant, events)
  }
  return past
}

/** Events of a tenant are counted without a gap, so a line that is lost, or that another mock has written, shows. */
function outOfOrder(path: string, line: number, seq: number, expected: number): ArchiveError {
  return new ArchiveError(
    `Failed to open ${path}: because line ${line} is event ${seq} of its key, and ${expected} would be next. Put back what is missing before it, or choose another file.`,
  )
}

function mustBeOurs(path: string, line: string): void {
  if (line === header) return
  if (line.trimEnd() === header) {
    throw new ArchiveError(
      `Failed to open ${path}: because its lines end with CRLF, as some tools change them. Change them back to LF.`,
    )
  }
  let version: unknown
  try {
    const { countersign, version: found } = JSON.parse(line)
    if (countersign === 'journal') version = found
  } catch {
    // Not JSON, so not ours.
  }
  if (version === undefined) {
    throw new ArchiveError(
      `Failed to open ${path}: because it is not a Countersign journal. Choose another file with --journal.`,
    )
  }
  throw new ArchiveError(
    `Failed to open ${path}: because it is a journal of version ${version}, and this is version 1. Choose another file, or the Countersign that wrote it.`,
  )
}

const types = {
  WorkflowCreated: true,
  ExecutionStarted: true,
  StepAssigned: true,
  AssignmentWithdrawn: true,
  StepDecided: true,
  ExecutionCompleted: true,
  UploadRequested: true,
  ObjectStored: true,
  UploadConfirmed: true,
} satisfies Record<RecordedEvent['type'], true>

function isEvent({ type, seq, at }: { type?: unknown; seq?: unknown; at?: unknown }): boolean {
  return typeof type === 'string' && Object.hasOwn(types, type) && Number.isSafeInteger(seq) && typeof at === 'number'
}

function parse(path: string, line: string, number: number): Line {
  try {
    const parsed = JSON.parse(line)
    if (typeof parsed.tenant === 'string' && (parsed.forget === true || isEvent(parsed))) return parsed
  } catch {
    // The same as a line of another shape.
  }
  throw new ArchiveError(
    `Failed to open ${path}: because line ${number} is not an event. Mend the line, or choose another file.`,
  )
}
