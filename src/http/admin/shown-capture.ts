/** Shows what was kept of requests, for the console. */
import { joinParts } from '../../contract/bytes.ts'
import type { HeaderList } from '../../wire/exchange.ts'
import type { CapturedContent } from '../../wire/exchanges.ts'
import { redactorOf } from '../../wire/redactor.ts'

/** At least as many characters as a key or a signature has. A cut may leave the beginning of one, so as many are removed. */
const longestSecret = 400

const nothing = { request_headers: {}, request_body: null, answer_headers: {}, answer_body: null, contract_body: null }

/** Returns what is kept of a request and its answer as the contract of the admin API has it, without keys and signatures. */
export async function shownContent(content: CapturedContent | undefined) {
  if (!content) return nothing
  const { path, headers, parts, answerHeaders, contractBody } = content
  const redactor = await redactorOf(headers, path, answerHeaders)
  const { bytes, size } = content.answer
  const answer = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes
  const answered = partOf(answer, Math.max(size, answer.length), answerHeaders)
  const sent = partOf(joinParts(parts), content.size, headers)
  for (const text of [sent?.text, answered?.text, contractBody]) redactor.addSignaturesIn(text ?? '')
  const shownOf = (list: HeaderList) =>
    // A header named __proto__ becomes an ordinary member.
    Object.fromEntries(list.map(([name, value]) => [name.toLowerCase(), redactor.header(name, value)]))
  const redacted = (body: ReturnType<typeof partOf>) => {
    const text = body && redactor.text(body.text)
    return body && { ...body, text: body.is_cut ? `${text}`.slice(0, -longestSecret) : `${text}` }
  }
  return {
    request_headers: shownOf(headers),
    request_body: redacted(sent),
    answer_headers: shownOf(answerHeaders),
    answer_body: redacted(answered),
    contract_body: contractBody === undefined ? null : jsonOr(redactor.text(contractBody)),
  }
}

/** Describes the beginning of a body of `size` bytes, as text; null if there is none. */
function partOf(bytes: Uint8Array, size: number, headers: HeaderList) {
  if (size === 0) return null
  const text = textIn(bytes)
  if (text !== undefined) return { text, size, is_cut: size > bytes.byteLength }
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return { text: `${size} bytes of ${type || 'binary data'}`, size, is_cut: false }
}

/** Parses JSON; returns another text as it is. Storage answers in XML. */
function jsonOr(text: string): unknown {
  return text.startsWith('{') ? JSON.parse(text) : text
}

/** Returns bytes as text; undefined if they are none. */
function textIn(bytes: Uint8Array): string | undefined {
  try {
    // The last character may be incomplete.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return text.includes('\0') ? undefined : text
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
