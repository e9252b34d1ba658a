import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ForPages } from '../wire/cors.ts'

/** The statuses that Node answers by itself, by the code of its error. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

interface ClientError extends Error {
  readonly code?: string
  /** The bytes that could not be parsed. */
  readonly rawPacket?: Uint8Array
}

/** Returns a listener that refuses what Node cannot parse as Node does, but so that a page sees the status. */
export function answerClientError(forPages: ForPages): (error: ClientError, socket: Duplex) => void {
  return ({ code = '', rawPacket }, socket: Duplex & { _httpMessage?: { readonly headersSent: boolean } | null }) => {
    // An answer that has begun cannot be replaced. Node keeps it in `_httpMessage`.
    if (code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
      socket.destroy()
      return
    }
    const { status, headers } = forPages({ status: statuses[code] ?? 400, headers: [] }, originIn(rawPacket))
    const lines = [...headers, ['Connection', 'close']].map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`, () => socket.destroy())
  }
}

/** Returns the last `Origin` in unparsed headers. */
function originIn(packet: Uint8Array = new Uint8Array()): string | undefined {
  const text = new TextDecoder('latin1').decode(packet)
  return [...text.matchAll(/^origin:[ \t]*([!-~]{1,300})[ \t]*\r?$/gim)].at(-1)?.[1]
}
