import { membersOf } from '../reading/locate.ts'
import { showHidden, truncate } from './inert.ts'

/** The part of a body that is read, in bytes, and the part that is quoted, in characters. */
const mostRead = 4000
const longest = 200

/**
 * Returns the server's own message in an answer, escaped and on one line: the sentences of a JSON body, or else its texts; the
 * text of any other body without its markup. Returns undefined if there is none.
 */
export function ownWords({ json, bytes }: { readonly json?: unknown; readonly bytes: Uint8Array }): string | undefined {
  const said = json === undefined ? plain(new TextDecoder().decode(bytes.subarray(0, mostRead))) : textsOf(json)
  const words = showHidden(said).replaceAll('"', "'").trim()
  return words === '' ? undefined : truncate(words, longest)
}

function plain(body: string): string {
  return body.replaceAll(/<[^<>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

function textsOf(json: unknown): string {
  const texts = [json, ...membersOf(json).map(({ value }) => value)].filter((value) => typeof value === 'string')
  const sentences = texts.filter((text) => /\S\s+\S/.test(text))
  return [...new Set(sentences.length > 0 ? sentences : texts)].map((text) => text.replaceAll(/\s+/g, ' ')).join('; ')
}
