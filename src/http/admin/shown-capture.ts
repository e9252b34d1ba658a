/** Shows what was kept of requests, for the console. */
import { joinParts } from '../../contract/bytes.ts'
import type { SecretRedactor } from '../../session/redact.ts'
import type { HeaderList } from '../wire/exchange.ts'
import type { CapturedContent } from '../wire/exchanges.ts'
import { redactorOf } from '../wire/redactor.ts'

/** The retained part of a body, without keys and signatures. */
export interface KeptBody {
  readonly text: string
  /** The size of the whole body in bytes. */
  readonly size: number
  /** True if the text is only the beginning. */
  readonly isCut: boolean
}

/** A request and its answer, without keys and signatures. */
export interface CapturedExchange {
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: KeptBody | undefined
  readonly answerHeaders: Readonly<Record<string, string>>
  readonly answerBody: KeptBody | undefined
  /** The contract's body as JSON text, if the answer was written in the style of a deployment. */
  readonly contractBody: string | undefined
}

/** At least as many characters as a key or a signature has. A cut may leave the beginning of one, so as many are removed. */
const longestSecret = 400

/** Returns the request and its answer without keys and signatures. */
export async function shownContent(content: CapturedContent): Promise<CapturedExchange> {
  const { path, headers, parts, answerHeaders, contractBody } = content
  const redactor = await redactorOf(headers, path, answerHeaders)
  const { bytes, size } = content.answer
  const answer = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes
  const answered = partOf(answer, Math.max(size, answer.length), typeIn(answerHeaders))
  const sent = partOf(joinParts(parts), content.size, typeIn(headers))
  for (const text of [sent?.text, answered?.text, contractBody]) redactor.addSignaturesIn(text ?? '')
  const shownOf = (list: HeaderList) =>
    // A header named __proto__ becomes an ordinary member.
    Object.fromEntries(list.map(([name, value]) => [name.toLowerCase(), redactor.header(name, value)]))
  return {
    requestHeaders: shownOf(headers),
    requestBody: redacted(sent, redactor),
    answerHeaders: shownOf(answerHeaders),
    answerBody: redacted(answered, redactor),
    contractBody: contractBody === undefined ? undefined : redactor.text(contractBody),
  }
}

/** Describes the beginning of a body of `size` bytes. */
function partOf(bytes: Uint8Array, size: number, type: string): KeptBody | undefined {
  if (size === 0) return undefined
  const text = textOf(bytes)
  if (text === undefined) return { text: `${size} bytes of ${type || 'binary data'}`, size, isCut: false }
  return { text, size, isCut: size > bytes.byteLength }
}

function redacted(body: KeptBody | undefined, redactor: SecretRedactor): KeptBody | undefined {
  const text = body && redactor.text(body.text)
  return body && { ...body, text: body.isCut ? `${text}`.slice(0, -longestSecret) : `${text}` }
}

/** Returns bytes as text; undefined if they are none. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    // The last character may be incomplete.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return text.includes('\0') ? undefined : text
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function typeIn(headers: HeaderList): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
}
