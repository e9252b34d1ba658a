import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the ways in which a text gives a secret away: a run of it, of this many characters, as it is or in an encoding. */
export function leaksOf(text: string, secret: string, run = 12): string[] {
  const lower = text.toLowerCase()
  const found = new Set<string>()
  for (let from = 0; from === 0 || from + run <= secret.length; from += 1) {
    for (const [how, spelling] of Object.entries(spellingsOf(secret.slice(from, from + run)))) {
      // Hexadecimal digits may be of either case.
      const isThere = /hexadecimal|encoded/.test(how) ? lower.includes(spelling.toLowerCase()) : text.includes(spelling)
      if (isThere) found.add(`${how}, from character ${from}`)
    }
  }
  return [...found]
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
    // Neither the characters that depend on what stands before, nor those that depend on what comes after.
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '')
    const whole = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    spellings[`base64 after ${before}`] = whole
    spellings[`base64url after ${before}`] = whole.replaceAll('+', '-').replaceAll('/', '_')
  }
  return spellings
}

/** All that stands in the files of a folder, and what they are called. */
export function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => entry.name + (entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'latin1') : ''))
    .join('\n')
}
