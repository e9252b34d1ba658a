import type { IncomingMessage } from 'node:http'
import { Problem } from '../wire/problem.ts'

/** The target of a request. */
export interface RequestTarget {
  /** Scheme, host and port that the client called. */
  readonly origin: string
  /** The path as sent. A URL parser would resolve dot segments and change the encoding, which a signature covers. */
  readonly path: string
  /** The query with its question mark; empty if there is none. */
  readonly search: string
  /** The host of an absolute target, which overrides the Host header. */
  readonly host?: string
}

const authority = /^(\[[\da-f:.]{2,45}\]|[\w.~!$&'()*+;=%-]{1,255})(:\d{0,5})?$/i
/** Scheme, authority, and the rest; no userinfo, no backslash, no fragment. */
const absolute = /^(https?):\/\/([^/?#\\@]*)([/?][^#\\]*)?$/i

/** Parses the target and the host of a request (RFC 9112 section 3.2). Throws a `Problem` if either is malformed. */
export function targetOf({ url = '/', headers, httpVersion, socket }: IncomingMessage): RequestTarget {
  const { host } = headers
  const called = host === undefined ? `http://localhost:${socket.localPort}` : originOfHost(host)
  // Two Host headers are joined by a comma, which no host contains. HTTP/1.0 does not require the header.
  if (called === undefined || (host === undefined && httpVersion !== '1.0')) throw badHost
  if (url.startsWith('/')) return { origin: called, ...split(url) }
  const [, scheme = '', named = '', rest = '/'] = absolute.exec(url) ?? []
  const origin = originAt(scheme, named)
  if (origin === undefined) throw badTarget
  return { origin, host: new URL(origin).host, ...split(rest.startsWith('/') ? rest : `/${rest}`) }
}

/** Caches the last Host and its origin: clients repeat the same host, and parsing it costs more than anything else here. */
let lastCalled: { readonly host: string; readonly origin: string | undefined } = { host: '', origin: undefined }

function originOfHost(host: string): string | undefined {
  if (host !== lastCalled.host) lastCalled = { host, origin: originAt('http', host) }
  return lastCalled.origin
}

/** Returns the origin of a host; undefined if the host or port is not valid. */
function originAt(scheme: string, host: string): string | undefined {
  const url = `${scheme}://${host}`
  if (!authority.test(host) || !URL.canParse(url)) return undefined
  const { origin, port } = new URL(url)
  return port === '0' ? undefined : origin
}

function split(target: string): Pick<RequestTarget, 'path' | 'search'> {
  const query = target.indexOf('?')
  if (query < 0) return { path: target, search: '' }
  return { path: target.slice(0, query), search: query === target.length - 1 ? '' : target.slice(query) }
}

const badHost = new Problem(
  'invalid-request',
  'The request needs exactly one valid Host header. Send one such as localhost:4010.',
)
const badTarget = new Problem(
  'invalid-request',
  'The request target is not valid. Send a path such as /api/v1/workflows, or an http:// or https:// URL without user name and fragment.',
)
