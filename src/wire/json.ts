import type { Memory } from '../world/memory.ts'
import { readBytes } from './body.ts'
import { type Incoming, Interrupted } from './exchange.ts'
import { Problem } from './problem.ts'

/** Limits of a JSON body (gap.body-limits). */
const maxBytes = 1024 * 1024
const maxDepth = 64
/** Ten times the longest array that the contract allows. */
const maxItems = 1000
/** The number of all values in a body; the contract allows 31,000. The limit also bounds the number of violations. */
const maxValues = 50_000

const json = /^application\/json\s*(;|$)/i
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a request's body as a JSON object, without validating its fields. Throws a problem if it is not one, or is not declared
 * as one.
 */
export async function readJson(incoming: Incoming, memory: Memory, acceptsAnyMediaType = false): Promise<object> {
  const value = parse(await readJsonBytes(incoming, maxBytes, memory, acceptsAnyMediaType))
  const flaw = flawOfJson(value)
  if (flaw) throw invalidJson(flaw)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw invalidJson(`is ${Array.isArray(value) ? 'an array' : JSON.stringify(value)?.slice(0, 40)}, not an object`)
  }
  return value
}

/** Reads a body of at most `limit` bytes that is declared as JSON, without parsing it. Throws a problem if it is not. */
export async function readJsonBytes(
  incoming: Incoming,
  limit: number,
  memory: Memory,
  acceptsAnyMediaType = false,
): Promise<Uint8Array> {
  const type = incoming.header('content-type') ?? ''
  let bytes: Uint8Array | undefined
  try {
    bytes = await readBytes(incoming, limit, memory)
  } catch (error) {
    throw error instanceof Interrupted ? invalidJson('did not arrive completely') : error
  }
  if (!bytes) {
    throw new Problem('body-too-large', `The body is larger than ${limit} bytes. Send a smaller one.`)
  }
  const encoding = incoming.header('content-encoding') ?? 'identity'
  if (encoding !== 'identity') {
    throw new Problem(
      'unsupported-media-type',
      `Content-Encoding '${encoding.slice(0, 100)}' is not supported. Send the body without compression.`,
      { headers: { 'Accept-Encoding': 'identity' } },
    )
  }
  if (!acceptsAnyMediaType && !json.test(type)) {
    const declared = type ? `Content-Type is '${type.slice(0, 100)}'` : 'The request has no Content-Type'
    throw new Problem('unsupported-media-type', `${declared}. Send JSON with Content-Type: application/json.`, {
      headers: { Accept: 'application/json' },
    })
  }
  return bytes
}

function parse(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) throw invalidJson('is empty')
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch (error) {
    const isText = error instanceof SyntaxError
    throw invalidJson(isText ? `is not valid JSON (${error.message.slice(0, 200)})` : 'is not valid UTF-8')
  }
}

/**
 * Returns what makes a parsed body unsafe to process: depth, breadth, size, a dangerous name or a lone surrogate. Undefined if
 * nothing does.
 */
export function flawOfJson(value: unknown, depth = 1, values = { left: maxValues }): string | undefined {
  values.left -= 1
  if (values.left < 0) return `has more than ${maxValues} values`
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'has a string with a lone surrogate'
  if (value === null || typeof value !== 'object') return undefined
  if (depth > maxDepth) return `is nested deeper than ${maxDepth} levels`
  if (Array.isArray(value)) {
    if (value.length > maxItems) return `has an array with more than ${maxItems} items`
    for (const item of value) {
      const flaw = flawOfJson(item, depth + 1, values)
      if (flaw) return flaw
    }
    return undefined
  }
  // for…in is safe, since a parsed object inherits no enumerable members. Object.entries would copy all values, slowly.
  for (const name in value) {
    if (name === '__proto__') return "has a member named '__proto__'"
    const flaw = flawOfJson((value as Record<string, unknown>)[name], depth + 1, values)
    if (flaw) return flaw
  }
  return undefined
}

function invalidJson(flaw: string): Problem {
  return new Problem('invalid-json', `The body ${flaw}. Send one JSON object.`)
}
