/** Reads the files that commands are given, all within the same limits and with the same messages. */
import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { showHidden } from '../conformance/wire/inert.ts'
import { deepestJson, isObject } from '../src/contract/json.ts'
import { flawOf, type Profile } from '../src/profile/profile.ts'
import { UsageError } from './exit.ts'

const mebibyte = 1024 * 1024
/** The largest file that is read, in bytes. Reading takes several times as much memory. */
const largest = 64 * mebibyte
/** The most values in a file. A HAR file of 64 MiB has about a million. */
const mostValues = 4_000_000

/** What a file is, for messages. */
export interface InputKind {
  /** The subject, such as `The profile`. */
  readonly what: string
  /** What to do, such as `Name a JSON file with --like.` */
  readonly advice: string
}

/** What the JSON of a file is. */
export interface JsonKind<Value> extends InputKind {
  /** Returns the value of the JSON. Throws a `refusal` or a `Flaw` that says what is wrong with it. */
  readonly read: (json: unknown) => Value
  readonly refusal?: new (...given: never) => Error
  /** What the file cannot be used for, if a refusal does not say so. */
  readonly useless?: string
  /** What to do about a flaw, such as `Correct it.` */
  readonly cure?: string
}

/** What is wrong with the JSON of a file, as a part of a sentence. */
export class Flaw extends Error {}

/** The profile of a deployment. `flag` names it. */
export const profileFile = (flag: string): JsonKind<Profile> => ({
  ...{ what: 'The profile', advice: `Name a JSON file with ${flag}.`, cure: 'Correct it.' },
  read: sound<Profile>(flawOf),
})

/** Reads the profile that hints at a deployment's answers, if the flags name one. */
export async function hintsOf({ profile }: { readonly profile?: string }): Promise<Profile> {
  return profile === undefined ? {} : readAs(profile, profileFile('--profile'))
}

/** Creates a function that returns a JSON value which has no flaw. */
export function sound<Value>(flawOf: (json: unknown) => string | undefined): (json: unknown) => Value {
  return (json) => {
    const flaw = flawOf(json)
    if (flaw !== undefined) throw new Flaw(flaw)
    return json as Value
  }
}

/** What is wrong with a file, by the code of the system's error. */
const flaws: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
  ELOOP: 'is a link that leads to itself',
  EMFILE: 'cannot be opened, since this process has too many open files (see ulimit -n)',
  ENFILE: 'cannot be opened, since this machine has too many open files',
}

/** Creates the error for a file that could not be read, whatever its system says. */
export function unreadableInput(error: unknown, path: string, kind: InputKind): UsageError {
  const { code = '', message } = error as NodeJS.ErrnoException
  return flawed(path, kind, flaws[code] ?? `cannot be read (${message})`)
}

const flawed = (path: string, { what, advice }: InputKind, flaw: string) =>
  new UsageError(`${what} ${path} ${flaw}. ${advice}`)

/** Returns the bytes of a file. Throws a `UsageError` for a file that cannot be read, or is too large. */
export async function readInput(path: string, kind: InputKind): Promise<Buffer> {
  return readBounded(createReadStream(path), path, kind)
}

/** Returns the bytes of a stream, as `readInput` does. */
export async function readBounded(stream: AsyncIterable<Buffer>, path: string, kind: InputKind): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of stream) {
      size += piece.length
      if (size > largest) throw flawed(path, kind, `has more than ${largest / mebibyte} MiB`)
      pieces.push(piece)
    }
  } catch (error) {
    throw error instanceof UsageError ? error : unreadableInput(error, path, kind)
  }
  return Buffer.concat(pieces)
}

/** Returns the JSON in a file. Throws a `UsageError` as `readInput` does, and for JSON that takes too much memory to parse. */
export async function readJsonFile(path: string, kind: InputKind): Promise<unknown> {
  const bytes = await readInput(path, kind)
  const { depth, deepest, values, isInText } = shapeOf(bytes)
  if (deepest > deepestJson) throw flawed(path, kind, `is nested more than ${deepestJson} levels deep`)
  if (values > mostValues) throw flawed(path, kind, `has more than ${mostValues.toLocaleString('en')} values`)
  if (!isUtf8(bytes)) throw flawed(path, kind, 'is not text in UTF-8')
  try {
    // Removes a byte order mark.
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw flawed(path, kind, isInText || depth > 0 ? 'ends in the middle of its JSON' : 'is not JSON')
  }
}

/** Returns the members of the JSON object in what another program has written; none if it is no such object. */
export function jsonObjectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text)
    return isObject(json) ? json : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** Returns what the JSON in a file is. Throws a `UsageError` as `readJsonFile` does, and for JSON of another kind. */
export async function readAs<Value>(path: string, kind: JsonKind<Value>): Promise<Value> {
  return valueIn(await readJsonFile(path, kind), path, kind)
}

/** Returns what the JSON of a file is, as `readAs` does. */
export function valueIn<Value>(json: unknown, path: string, kind: JsonKind<Value>): Value {
  const { what, read, refusal, useless, cure } = kind
  try {
    return read(json)
  } catch (error) {
    if (error instanceof Flaw) throw new UsageError(`${what} ${path} cannot be used: ${error.message}. ${cure}`)
    if (!refusal || !(error instanceof refusal)) throw error
    throw new UsageError(`${useless === undefined ? '' : `${path} ${useless}. `}${showHidden(error.message)}`)
  }
}

const [quote, backslash, comma] = Buffer.from('"\\,')
const opening = new Set(Buffer.from('[{'))
const closing = new Set(Buffer.from(']}'))

/** Counts the depth and the values of JSON. `depth` and `isInText` say whether it ends within a list, an object or a text. */
function shapeOf(bytes: Uint8Array) {
  let [depth, deepest, values] = [0, 0, 1]
  let [isInText, isEscaped] = [false, false]
  for (const byte of bytes) {
    if (isInText) {
      if (isEscaped) isEscaped = false
      else if (byte === backslash) isEscaped = true
      else if (byte === quote) isInText = false
    } else if (byte === quote) isInText = true
    else if (byte === comma) values += 1
    else if (closing.has(byte)) depth -= 1
    else if (opening.has(byte)) {
      depth += 1
      values += 1
      deepest = Math.max(deepest, depth)
    }
  }
  return { depth, deepest, values, isInText }
}
