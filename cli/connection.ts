import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type ClientCertificate, type Connection, proxyFor } from '../src/connect/connection.ts'
import { UsageError } from './exit.ts'
import { readInput } from './input.ts'
import type { ConnectionFlags } from './options.ts'

/** Creates the settings for connections from the flags and the environment. Throws a `UsageError` for unusable certificates. */
export async function connectionOf({ cacert, cert, key, insecure = false }: ConnectionFlags): Promise<Connection> {
  if (cert === undefined && key !== undefined) {
    throw new UsageError('--key belongs to a client certificate. Name its file with --cert.')
  }
  const proxies = {
    http: proxyOf('HTTP_PROXY'),
    https: proxyOf('HTTPS_PROXY'),
    none: variable('NO_PROXY'),
  }
  return {
    proxies: Object.fromEntries(Object.entries(proxies).filter(([, value]) => value !== undefined)),
    ...(cacert !== undefined && { authorities: await certificatesIn(cacert, '--cacert') }),
    ...(cert !== undefined && { client: await clientCertificate(cert, key ?? cert) }),
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

async function certificatesIn(path: string, flag: string): Promise<string> {
  const kind = { what: 'The file of certificates', advice: `Name a PEM file with ${flag}.` }
  const text = (await readInput(path, kind)).toString()
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new UsageError(`${path} holds no certificate. Name a PEM file, which begins with -----BEGIN CERTIFICATE-----.`)
}

/** Reads a client certificate and its key. Throws a `UsageError` that contains neither the key nor the passphrase. */
async function clientCertificate(path: string, keyPath: string): Promise<ClientCertificate> {
  const certificate = await certificatesIn(path, '--cert')
  const key = await privateKeyIn(keyPath)
  const parsed = orUnreadable(
    () => new X509Certificate(certificate),
    `${path} holds no valid certificate. Export it again, as PEM.`,
  )
  if (!parsed.checkPrivateKey(key)) {
    throw new UsageError(
      `The key in ${keyPath} does not belong to the certificate in ${path}. Name the key it was issued for with --key.`,
    )
  }
  const { validFrom, validTo } = parsed
  const now = Date.now()
  if (now > Date.parse(validTo)) {
    throw new UsageError(`The client certificate in ${path} expired on ${validTo}. Renew it.`)
  }
  if (now < Date.parse(validFrom)) {
    throw new UsageError(
      `The client certificate in ${path} is valid from ${validFrom}. Wait until then, or check the clock of this machine.`,
    )
  }
  return { certificate, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

async function privateKeyIn(path: string): Promise<KeyObject> {
  const key = await readInput(path, { what: 'The key', advice: 'Name a PEM file with --key.' })
  const passphrase = process.env.COUNTERSIGN_KEY_PASSPHRASE || undefined
  const why = !/ENCRYPTED/.test(key.toString('latin1'))
    ? `${path} holds no private key. Name a PEM file with --key.`
    : passphrase === undefined
      ? `The key in ${path} has a passphrase. Set it in COUNTERSIGN_KEY_PASSPHRASE.`
      : `The passphrase of the key in ${path} is wrong. Correct COUNTERSIGN_KEY_PASSPHRASE.`
  return orUnreadable(() => createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) }), why)
}

/** Throws a `UsageError` with a message if OpenSSL cannot read something. */
function orUnreadable<Result>(read: () => Result, message: string): Result {
  try {
    return read()
  } catch (error) {
    if (/^ERR_(OSSL|MISSING_PASSPHRASE)/.test((error as NodeJS.ErrnoException).code ?? ''))
      throw new UsageError(message)
    throw error
  }
}

/** The page of a server that has accepted a connection without a client certificate, or with another one, and then nothing else. */
const certificatePage = /No required SSL certificate was sent|The SSL certificate error|Post-Handshake Authentication/i
const longestPage = 4096

/** The codes of OpenSSL for what a server says if a client has no certificate, or none that it trusts; and ours for a page that says so. */
const certificateAlert =
  /^(CLIENT_CERTIFICATE$|ERR_SSL_.*_ALERT_(BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_\w+|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED))/

/** Creates what calls a deployment. Fails, as without an answer, if the server only says that it wants another client certificate. */
export async function connect(url: string, connection: Connection): Promise<(request: Request) => Promise<Response>> {
  const { guardedFetch } = await import('../src/connect/guarded-fetch.ts')
  const send = guardedFetch(url, { connection })
  const refusal = (code: string) =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(certificateAdvice(connection)), { code }) })
  return async (request) => {
    const response = await send(request).catch((error: Error & { readonly cause?: { readonly code?: unknown } }) => {
      const code = String(error.cause?.code)
      throw certificateAlert.test(code) ? refusal(code) : error
    })
    if (await isCertificatePage(response)) throw refusal('CLIENT_CERTIFICATE')
    return response
  }
}

async function isCertificatePage(response: Response): Promise<boolean> {
  const { status, headers } = response
  if (status !== 400 && status !== 403) return false
  if (!/^text\/html/i.test(headers.get('Content-Type') ?? '')) return false
  const size = Number(headers.get('Content-Length') ?? longestPage + 1)
  return size <= longestPage && certificatePage.test(await response.clone().text())
}

const certificateAdvice = ({ client }: Connection) =>
  client
    ? 'The server does not accept the client certificate. Pass a certificate that it trusts with --cert and --key.'
    : 'The server wants a client certificate. Pass --cert and --key.'

const endedAdvice = ({ client }: Connection) =>
  `It ended the connection. ${client ? 'Perhaps it does not trust the client certificate' : 'If it wants a client certificate, pass --cert and --key'}.`

const notHttp1 =
  'It does not answer in HTTP/1.1. If it uses TLS, start the URL with https://. If it offers only HTTP/2, enable HTTP/1.1.'

/** The error codes of a certificate whose issuer this machine does not trust. */
const untrusted =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?)$/

/** The error codes if a server without TLS gets a TLS handshake. */
const withoutTls = /^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/

/** The error codes if a server ends a connection, as servers with TLS do if they get a request without it, or without a certificate. */
const ended = /^(UND_ERR_SOCKET|ECONNRESET|EPIPE|ERR_SSL_(SSLV3|SSL\/TLS)_ALERT_HANDSHAKE_FAILURE)$/

/** The error codes if a proxy cannot be reached, or cannot reach the deployment. */
const unreachable = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/

/** What to do about each reason. A row may be for one protocol, or for connections through a proxy. The first that fits counts. */
const cures: readonly (readonly [
  reason: RegExp,
  cure: string | ((connection: Connection) => string),
  only?: string,
])[] = [
  [certificateAlert, certificateAdvice],
  [
    untrusted,
    'No authority that this machine trusts has signed its certificate. Name the authority with --cacert FILE, or add --insecure to check no certificate.',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'Its certificate is for another name. Use the name in the certificate, or add --insecure to check no certificate.',
  ],
  [/^CERT_HAS_EXPIRED$/, 'Its certificate has expired. Renew it, or add --insecure to check no certificate.'],
  [
    /NO_APPLICATION_PROTOCOL/,
    'It does not offer HTTP/1.1, perhaps only HTTP/2. Enable HTTP/1.1, or put a gateway in front of it that offers it.',
  ],
  [withoutTls, 'It does not use TLS. Start the URL with http://, or enable TLS.', 'https:'],
  [/^HPE_|HTTP\/1\.1/, notHttp1],
  [ended, notHttp1, 'http:'],
  [/^Proxy response \(407\)/, 'The proxy wants a user and a password. Put them into its URL, in front of the host.'],
  [/^Proxy response/, 'The proxy refuses to connect. Allow the address in the proxy, or list the host in NO_PROXY.'],
  [
    /^UND_ERR_HEADERS_OVERFLOW$/,
    'It answers with more than 16 KiB of headers. Shorten them, or set NODE_OPTIONS=--max-http-header-size=65536.',
  ],
  [/ answers 429/, 'Set a lower --rate-limit, or run again when its limit is over.'],
  [/^the run was stopped$/, 'It had not answered by then, so there is nothing to report.'],
  [ended, endedAdvice, 'https:'],
  [unreachable, 'Check HTTPS_PROXY and HTTP_PROXY, or list the host in NO_PROXY.', 'proxy'],
  [/(?:)/, 'Check the address, and that the deployment runs.'],
]

/** Creates the error for a deployment that cannot be reached; `reason` is the system's error code. */
export function unreachableError(url: string, reason: string, connection: Connection = {}): Error {
  const proxy = proxyFor(url, connection.proxies ?? {})
  const through = proxy === undefined ? '' : ` through the proxy ${new URL(proxy).host}`
  const ways = [undefined, new URL(url).protocol, ...(proxy === undefined ? [] : ['proxy'])]
  const [, cure = ''] = cures.find(([reasons, , only]) => reasons.test(reason) && ways.includes(only)) ?? []
  const advice = typeof cure === 'string' ? cure : cure(connection)
  return new Error(`${url} cannot be reached${through} (${reason}). ${advice}`)
}
