import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How a text gives a secret away: as it is, in an encoding, or by its beginning. */
export function leaksOf(text: string, secret: string): string[] {
  const bytes = Buffer.from(secret)
  const json = JSON.stringify(secret).slice(1, -1)
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
  const spellings: Record<string, string> = {
    raw: secret,
    'URL-encoded': encodeURIComponent(secret),
    form: new URLSearchParams({ x: secret }).toString().slice(2),
    JSON: json,
    'JSON in JSON': JSON.stringify(json).slice(1, -1),
    HTML: html,
    'percent-encoded in full': bytes.toString('hex').replaceAll(/../g, '%$&'),
    hexadecimal: bytes.toString('hex'),
    'beginning, URL-encoded': encodeURIComponent(secret.slice(0, 12)),
    'beginning, in hexadecimal': bytes.subarray(0, 12).toString('hex'),
  }
  for (const before of [0, 1, 2]) {
    // Neither the characters that depend on what stands before, nor those that depend on what comes after.
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(before === 0 ? 0 : 4, -4)
    spellings[`base64 after ${before}`] = encoded
    spellings[`base64url after ${before}`] = encoded.replaceAll('+', '-').replaceAll('/', '_')
  }
  for (let from = 0; from === 0 || from + 12 <= secret.length; from += 1) {
    spellings[`characters from ${from}`] = secret.slice(from, from + 12)
  }
  const lower = text.toLowerCase()
  return Object.entries(spellings).flatMap(([how, spelling]) => {
    // Hexadecimal digits may be of either case.
    const found = /hexadecimal|encoded/.test(how) ? lower.includes(spelling.toLowerCase()) : text.includes(spelling)
    return found ? [how] : []
  })
}

/** All that stands in the files of a folder, and what they are called. */
export function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => entry.name + (entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'latin1') : ''))
    .join('\n')
}
