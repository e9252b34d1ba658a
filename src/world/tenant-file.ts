import type { Upload } from '../domain/uploads/upload.ts'
import { endOfTime } from './clock.ts'
import type { RecordedEvent } from './events.ts'
import type { Content } from './files.ts'
import { JsonPieces, JsonPiecesError } from './json-pieces.ts'
import type { ObjectWriter } from './objects.ts'
import type { Work } from './slices.ts'
import { TenantFileError } from './tenant-file-error.ts'
import { type FlawOfRequest, ValidatedReplay } from './validated-replay.ts'
import type { World } from './world.ts'

const format = 'countersign-tenant'
const version = 1

/** A tenant as one file, which an export writes and an import reads. */
export interface TenantFile {
  readonly format: 'countersign-tenant'
  readonly version: 1
  /** The time of the tenant's clock (RFC 3339). */
  readonly exported_at: string
  /** All events, the oldest first, as the journal keeps them. */
  readonly events: readonly object[]
  /** The contents of objects in base64, by their SHA-256. */
  readonly objects: Readonly<Record<string, string>>
}

/** The largest event in a file, in bytes. That of a workflow with 100 steps of 100 approvers has less than half of it. */
const mostEventBytes = 4 * 1024 * 1024
/** The largest object in a file, in bytes of base64. */
const mostObjectBytes = 256 * 1024 * 1024
/** The part of an object that is encoded at a time, in bytes; a multiple of three, so that base64 needs no padding. */
const chunkBytes = 3 * 8192
/** The part of an object that is hashed at a time, in bytes. */
const hashedBytes = 256 * 1024
const chunkChars = (chunkBytes / 3) * 4

/** Writes a world as a tenant file: all its events, and at most `mostBytes` of the contents of its objects that are kept. */
export function* writeTenantFile(world: World, mostBytes: number): Work<string> {
  const { journal, clock } = world
  let left = mostBytes
  const events: string[] = []
  const contents = new Map<string, string>()
  /** The names of contents, by those of the world's files. */
  const named = new Map<string | undefined, string>()
  for (const upload of world.uploads()) {
    const content = world.content(upload)
    if (content && content.size <= left) {
      const name = upload.sha256 ?? (yield* sha256Of(content, world))
      const text = contents.get(name) ?? (yield* encode(content))
      // A file may have been replaced or removed in the meantime.
      if (text !== undefined) {
        named.set(upload.file, name)
        if (!contents.has(name)) left -= content.size
        contents.set(name, text)
      }
    }
    yield
  }
  for (const event of journal.read()) {
    events.push(JSON.stringify(portable(event, named)))
    yield
  }
  const exportedAt = new Date(clock.now()).toISOString()
  const head = JSON.stringify({ format, version, exported_at: exportedAt }).slice(0, -1)
  const members = [...contents].map(([name, text]) => `"${name}":"${text}"`)
  return `${head},"events":[${lines(events)}],"objects":{${lines(members)}}}\n`
}

/** Returns an event with the name of the file that has its content; without one if the content is left out. */
function portable(event: RecordedEvent, named: ReadonlyMap<string | undefined, string>): RecordedEvent {
  if (event.type !== 'ObjectStored') return event
  const { file: own, ...others } = event
  const file = named.get(own)
  return file === undefined ? others : { ...others, file }
}

/** Returns the SHA-256 of an object, which the world has not computed while it arrived. */
function* sha256Of(content: Content, world: World): Work<string> {
  const hasher = world.createSha256()
  for (const piece of content.pieces(hashedBytes)) {
    hasher.update(piece)
    yield
  }
  return hasher.digest()
}

/** Puts each entry on a line of its own, so that files can be compared. */
function lines(entries: readonly string[]): string {
  return entries.length > 0 ? `\n${entries.join(',\n')}\n` : ''
}

/** Returns an object as base64; undefined if it was removed in the meantime. */
function* encode({ size, pieces }: Content): Work<string | undefined> {
  const texts: string[] = []
  let left = size
  for (const piece of pieces(chunkBytes)) {
    texts.push(btoa(String.fromCharCode(...piece)))
    left -= piece.byteLength
    yield
  }
  return left === 0 ? texts.join('') : undefined
}

/**
 * Applies a past to a world that is opened with events of its own. Returns the time at which its clock continues, in milliseconds since
 * 1970.
 */
export type Past = (world: World) => Work<number>

/** Returns the past in a tenant file. If the file or a request in it is wrong, it throws a `TenantFileError`. */
export function pastInFile(bytes: Uint8Array, flawOf: FlawOfRequest): Past {
  return function* (world) {
    try {
      return yield* readTenantFile(bytes, world, new ValidatedReplay(world, flawOf))
    } catch (error) {
      if (error instanceof JsonPiecesError) throw new TenantFileError('', error.message)
      throw error
    }
  }
}

const members = ['format', 'version', 'exported_at', 'events', 'objects']

function* readTenantFile(bytes: Uint8Array, world: World, replay: ValidatedReplay): Work<number> {
  const pieces = new JsonPieces(bytes)
  const seen = new Map<string, unknown>()
  const contents = new Map<string, unknown>()
  for (const name of pieces.items('{')) {
    if (!members.includes(name)) throw new TenantFileError('', `has the unknown member '${name.slice(0, 50)}'`)
    if (seen.has(name)) throw new TenantFileError(`/${name}`, 'is there twice')
    seen.set(name, undefined)
    if (name === 'events') {
      for (const _ of pieces.items('[')) {
        replay.apply(pieces.value(mostEventBytes))
        yield
      }
      replay.end()
    } else if (name === 'objects') {
      for (const sha256 of pieces.items('{')) {
        contents.set(sha256, pieces.value(mostObjectBytes))
        yield
      }
    } else seen.set(name, pieces.value(100))
  }
  pieces.end()
  for (const name of members) {
    if (!seen.has(name)) throw new TenantFileError('', `must have the member ${name}`)
  }
  if (seen.get('format') !== format) throw new TenantFileError('/format', `must be ${format}`)
  if (seen.get('version') !== version) throw new TenantFileError('/version', `must be ${version}`)
  yield* keepContents(world, contents, replay.formerNames)
  return endIn(seen.get('exported_at'), replay)
}

/** Returns the time of the export. Events may have fractions of milliseconds, which a date does not show. */
function endIn(value: unknown, { at }: ValidatedReplay): number {
  const isDate = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)
  const time = isDate ? Date.parse(value) : Number.NaN
  if (time >= Math.floor(at) && time <= endOfTime) return Math.max(time, at)
  throw new TenantFileError('/exported_at', 'must be a time in UTC, not before the last event')
}

function* keepContents(
  world: World,
  contents: ReadonlyMap<string, unknown>,
  names: ReadonlyMap<string | undefined, string>,
): Work {
  const unused = new Set(contents.keys())
  for (const upload of world.uploads()) {
    const name = names.get(upload.file) ?? ''
    const text = contents.get(name)
    if (text === undefined && name === '') continue
    if (text === undefined)
      throw new TenantFileError('/objects', `must have the content ${name.slice(0, 100)}, which an event names`)
    unused.delete(name)
    if (typeof text !== 'string') throw new TenantFileError(`/objects/${name}`, 'must be base64')
    yield* keepContent(world, upload, decode(text, name), (writer) => {
      const { crc32 = writer?.crc32() } = upload
      if (writer?.sha256() !== name) {
        throw new TenantFileError(`/objects/${name}`, `must be the ${upload.request.file_size} bytes with this SHA-256`)
      }
      if (writer.crc32() !== crc32) {
        throw new TenantFileError(`/objects/${name}`, `must have the CRC-32 of its upload, ${crc32}`)
      }
    })
  }
  const [stranger] = unused
  if (stranger === undefined) return
  throw new TenantFileError(`/objects/${stranger.slice(0, 100)}`, 'belongs to no upload')
}

function* decode(text: string, sha256: string): Generator<Uint8Array> {
  for (let at = 0; at < text.length; at += chunkChars) {
    let binary: string
    try {
      binary = atob(text.slice(at, at + chunkChars))
    } catch {
      // The only error of atob: a character that is not base64.
      throw new TenantFileError(`/objects/${sha256}`, 'must be base64')
    }
    yield Uint8Array.from(binary, (char) => char.charCodeAt(0))
  }
}

/**
 * Stores the bytes of an object whose upload the world has already, if they are of the size that it has announced. `check` is called
 * before, without a writer if they are not.
 */
function* keepContent(
  world: World,
  { request, file, size: fileSize = request.file_size }: Upload,
  chunks: Iterable<Uint8Array>,
  check?: (writer: ObjectWriter | undefined) => void,
): Work {
  const writer = world.createWriter(fileSize, true, file)
  try {
    let size = 0
    for (const chunk of chunks) {
      size += chunk.byteLength
      if (size > fileSize) break
      writer.add(chunk)
      yield
    }
    const isWhole = size === fileSize
    check?.(isWhole ? writer : undefined)
    if (!isWhole) return
    writer.finish()
    writer.leaveFile()
  } finally {
    writer.drop()
  }
}

/**
 * Returns the past of a world up to its event `asOf`, with those that followed from the same decision. The clock continues at
 * the time of the last one.
 */
export function pastOf(live: World, asOf: number): Past {
  const events = live.journal.read()
  const objects = new Map<string, { readonly puts: number; readonly content: Content }>()
  for (const upload of live.uploads()) {
    const content = live.content(upload)
    if (content) objects.set(upload.sessionId, { puts: upload.puts, content })
  }
  return function* (world) {
    const replay = new ValidatedReplay(world)
    for (const [index, event] of events.entries()) {
      if (index >= asOf && !replay.isPending) break
      replay.apply(event)
      yield
    }
    for (const upload of world.uploads()) {
      const object = objects.get(upload.sessionId)
      // A file may have been replaced since.
      if (object?.puts === upload.puts) yield* keepContent(world, upload, object.content.pieces(hashedBytes))
    }
    return world.journal.length > 0 ? replay.at : (events[0]?.at ?? live.clock.now())
  }
}
