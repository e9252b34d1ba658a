import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Ended } from './command.ts'
import { nonEmpty } from './non-empty.ts'

/** Returns how a text reveals a secret: a part of it with `length` characters, in plain text or in an encoding. */
export function leaksOf(text: string, secret: string, length = 12): string[] {
  return leakFinder(text)(secret, length)
}

/** Secrets and the parts that are searched for have at least this many characters. */
const shortest = 8

/** Like `leaksOf`, for many secrets in one text. Rules out most of their parts without reading the text again. */
function leakFinder(text: string): (secret: string, length?: number) => string[] {
  const lower = text.toLowerCase()
  const beginnings = new Set(Array.from({ length: lower.length }, (_, at) => lower.slice(at, at + shortest)))
  return (secret, length = 12) => {
    const found = new Set<string>()
    for (let from = 0; from === 0 || from + length <= secret.length; from += 1) {
      for (const [how, spelling] of Object.entries(spellingsOf(secret.slice(from, from + length)))) {
        if (!beginnings.has(spelling.slice(0, shortest).toLowerCase())) continue
        // Hexadecimal digits may be of either case.
        const isThere = /hexadecimal|encoded/.test(how)
          ? lower.includes(spelling.toLowerCase())
          : text.includes(spelling)
        if (isThere) found.add(`${how}, from character ${from}`)
      }
    }
    return [...found]
  }
}

function spellingsOf(part: string): Record<string, string> {
  const bytes = Buffer.from(part)
  const json = JSON.stringify(part).slice(1, -1)
  const html = part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
  const spellings: Record<string, string> = {
    raw: part,
    'URL-encoded': encodeURIComponent(part),
    form: new URLSearchParams({ x: part }).toString().slice(2),
    JSON: json,
    'JSON in JSON': JSON.stringify(json).slice(1, -1),
    HTML: html,
    'percent-encoded in full': bytes.toString('hex').replaceAll(/../g, '%$&'),
    hexadecimal: bytes.toString('hex'),
  }
  for (const before of [0, 1, 2]) {
    // Without the characters at both ends, which depend on their neighbours.
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '')
    const whole = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    spellings[`base64 after ${before}`] = whole
    spellings[`base64url after ${before}`] = whole.replaceAll('+', '-').replaceAll('/', '_')
  }
  return spellings
}

/** Returns the names and contents of all files in a folder. */
export function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => entry.name + (entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'latin1') : ''))
    .join('\n')
}

/** Keys that look different in every encoding. */
export const canary = 'test_cAnArY"&<\\%/+=?Zz9~qT4x'
export const otherCanary = 'test_0tHeR-canary<&>"Zz8~pL7w'

export const canaries = { COUNTERSIGN_API_KEY: canary, COUNTERSIGN_API_KEY_2: otherCanary }

/** Returns the number of consecutive characters of a secret that are a leak. Signatures may share short runs with public texts. */
const lengthOf = (secret: string) => ([canary, otherCanary].includes(secret) ? 8 : 12)

/** Fails if one of the secrets is in the output of a command, or in a file of its folder. */
export function mustNotLeak(
  { stdout, stderr }: Pick<Ended, 'stdout' | 'stderr'>,
  folder: string,
  secrets: readonly string[],
) {
  for (const [where, text] of nonEmpty(Object.entries({ stdout, stderr, files: everythingIn(folder) }))) {
    const find = leakFinder(text)
    for (const secret of nonEmpty(secrets)) {
      expect({ where, leaks: find(secret, lengthOf(secret)) }).toEqual({ where, leaks: [] })
    }
  }
}
