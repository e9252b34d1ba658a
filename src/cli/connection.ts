import { type Connection, proxyFor } from '../connect/connection.ts'
import { UsageError } from './exit.ts'
import { readInput } from './input-file.ts'

/** The flags for connections. */
export interface ConnectionFlags {
  readonly cacert?: string
  readonly insecure?: boolean
}

/** Creates the settings for connections from the flags and the environment. Throws a `UsageError` for unusable certificates. */
export async function connectionOf({ cacert, insecure = false }: ConnectionFlags): Promise<Connection> {
  const proxies = {
    http: proxyOf('HTTP_PROXY'),
    https: proxyOf('HTTPS_PROXY'),
    none: variable('NO_PROXY'),
  }
  return {
    proxies: Object.fromEntries(Object.entries(proxies).filter(([, value]) => value !== undefined)),
    ...(cacert !== undefined && { authorities: await certificatesIn(cacert) }),
    isInsecure: insecure,
  }
}

/** Reads a variable in lower or upper case, as other programs do. */
function variable(name: string): string | undefined {
  return process.env[name.toLowerCase()] || process.env[name] || undefined
}

function proxyOf(name: string): string | undefined {
  const value = variable(name)
  if (value === undefined) return undefined
  const address = value.includes('://') ? value : `http://${value}`
  if (URL.canParse(address) && /^https?:/.test(address)) return address
  throw new UsageError(`${name} is not the address of a proxy. Set it to an address such as http://proxy.example:3128.`)
}

async function certificatesIn(path: string): Promise<string> {
  const kind = { what: 'The file of certificates', advice: 'Name a PEM file with --cacert.' }
  const text = (await readInput(path, kind)).toString()
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new UsageError(`${path} holds no certificate. Name a PEM file, which begins with -----BEGIN CERTIFICATE-----.`)
}

const untrusted =
  'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY'

/** The error codes if a server without TLS gets a TLS handshake. */
const withoutTls = 'ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_PACKET_LENGTH_TOO_LONG EPROTO'

/** The error codes if a server ends a connection, as servers with TLS do if they get a request without it. */
const ended = 'UND_ERR_SOCKET ECONNRESET'

/** The error codes if a proxy cannot be reached, or cannot reach the deployment. */
const unreachable = 'ECONNREFUSED ENOTFOUND EAI_AGAIN ETIMEDOUT UND_ERR_CONNECT_TIMEOUT EHOSTUNREACH ENETUNREACH'

const isAmong = (codes: string, reason: string) => codes.split(' ').includes(reason)

/** Creates the error for a deployment that cannot be reached; `reason` is the system's error code. */
export function unreachableError(url: string, reason: string, { proxies = {} }: Connection = {}): Error {
  const { protocol } = new URL(url)
  const proxy = proxyFor(url, proxies)
  const through = proxy === undefined ? '' : ` through the proxy ${new URL(proxy).host}`
  return new Error(`${url} cannot be reached${through} (${reason}). ${cureFor(reason, protocol, proxy !== undefined)}`)
}

/** Returns advice for an unreachable address. */
export function cureFor(reason: string, protocol: string, hasProxy: boolean): string {
  if (isAmong(untrusted, reason)) {
    return 'No authority that this machine trusts has signed its certificate. Name the authority with --cacert FILE, or add --insecure to check no certificate.'
  }
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'Its certificate is for another name. Use the name in the certificate, or add --insecure to check no certificate.'
  }
  if (reason === 'CERT_HAS_EXPIRED')
    return 'Its certificate has expired. Renew it, or add --insecure to check no certificate.'
  if (/NO_APPLICATION_PROTOCOL/.test(reason)) {
    return 'It does not offer HTTP/1.1, perhaps only HTTP/2. Enable HTTP/1.1, or put a gateway in front of it that offers it.'
  }
  if (protocol === 'https:' && isAmong(withoutTls, reason)) {
    return 'It does not use TLS. Start the URL with http://, or enable TLS.'
  }
  if (/^HPE_|HTTP\/1\.1/.test(reason) || (protocol === 'http:' && isAmong(ended, reason))) {
    return 'It does not answer in HTTP/1.1. If it uses TLS, start the URL with https://. If it offers only HTTP/2, enable HTTP/1.1.'
  }
  if (/^Proxy response \(407\)/.test(reason)) {
    return 'The proxy wants a user and a password. Put them into its URL, in front of the host.'
  }
  if (/^Proxy response/.test(reason)) {
    return 'The proxy refuses to connect. Allow the address in the proxy, or list the host in NO_PROXY.'
  }
  if (reason === 'UND_ERR_HEADERS_OVERFLOW') {
    return 'It answers with more than 16 KiB of headers. Shorten them, or set NODE_OPTIONS=--max-http-header-size=65536.'
  }
  if (/ answers 429/.test(reason)) return 'Run again when its limit is over.'
  if (reason === 'the run was stopped') return 'It had not answered by then, so there is nothing to report.'
  if (hasProxy && isAmong(unreachable, reason)) {
    return 'Check HTTPS_PROXY and HTTP_PROXY, or list the host in NO_PROXY.'
  }
  return 'Check the address, and that the deployment runs.'
}
