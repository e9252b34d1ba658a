import type { Memory } from '../../world/memory.ts'
import { readBytes } from './body.ts'
import { type Incoming, Interrupted } from './exchange.ts'
import { Problem } from './problem.ts'

/** Limits of a JSON body (gap.body-limits). */
const maxBytes = 1024 * 1024
const maxDepth = 64
/** Ten times what the contract allows in any array. */
const maxItems = 1000
/** Of all values together; the largest body that the contract allows has 31,000. It bounds how many violations can be found. */
const maxValues = 50_000

const json = /^application\/json\s*(;|$)/i
const decoder = new TextDecoder('utf-8', { fatal: true })

/** A JSON object, and the text that it was read from. */
export interface Read {
  readonly value: object
  readonly text: string
}

/** Reads a request's JSON object. Throws a problem that says what is wrong with it as JSON; its fields are not looked at. */
export async function readJson(incoming: Incoming, memory: Memory): Promise<Read> {
  const type = incoming.header('content-type') ?? ''
  const bytes = await readBytes(incoming, maxBytes, memory).catch(notArrived)
  if (!bytes) {
    throw new Problem(
      'body-too-large',
      `Failed to read the request: because its body is larger than ${maxBytes} bytes. Send a smaller one.`,
    )
  }
  const encoding = incoming.header('content-encoding') ?? 'identity'
  if (encoding !== 'identity') {
    throw new Problem(
      'unsupported-media-type',
      `Failed to read the request: because its Content-Encoding is '${encoding.slice(0, 100)}'. Send the body as it is.`,
      { headers: { 'Accept-Encoding': 'identity' } },
    )
  }
  if (!json.test(type)) {
    const declared = type ? `its Content-Type is '${type.slice(0, 100)}'` : 'it has no Content-Type'
    throw new Problem(
      'unsupported-media-type',
      `Failed to read the request: because ${declared}. Send JSON with Content-Type: application/json.`,
      { headers: { Accept: 'application/json' } },
    )
  }
  const text = decode(bytes)
  const value = parse(text)
  const flaw = flawOf(value, 1, { left: maxValues })
  if (flaw) throw refused(flaw)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw refused(`it is ${Array.isArray(value) ? 'an array' : JSON.stringify(value)?.slice(0, 40)}, not an object`)
  }
  return { value, text }
}

function notArrived(error: unknown): never {
  throw error instanceof Interrupted ? refused('it did not arrive') : error
}

function decode(bytes: Uint8Array): string {
  if (bytes.byteLength === 0) throw refused('it is empty')
  try {
    return decoder.decode(bytes)
  } catch {
    throw refused('it is not UTF-8')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refused(`it is not JSON (${error instanceof Error ? error.message.slice(0, 200) : 'unknown'})`)
  }
}

/** What makes a parsed value unsafe to handle: its depth, its breadth, its size, a dangerous name or half a character. */
function flawOf(value: unknown, depth: number, values: { left: number }): string | undefined {
  values.left -= 1
  if (values.left < 0) return `it has more than ${maxValues} values`
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'a string has a lone surrogate'
  if (value === null || typeof value !== 'object') return undefined
  if (depth > maxDepth) return `it is nested over ${maxDepth} levels`
  if (Array.isArray(value)) {
    if (value.length > maxItems) return `an array has more than ${maxItems} items`
    for (const item of value) {
      const flaw = flawOf(item, depth + 1, values)
      if (flaw) return flaw
    }
    return undefined
  }
  // What has been parsed inherits no member that this would find, and copies of all values would cost more than the rest.
  for (const name in value) {
    if (name === '__proto__') return "a member is named '__proto__'"
    const flaw = flawOf((value as Record<string, unknown>)[name], depth + 1, values)
    if (flaw) return flaw
  }
  return undefined
}

function refused(why: string): Problem {
  return new Problem('invalid-json', `Failed to read the request body: because ${why}. Send one JSON object.`)
}
