/** Settings for connections: proxies and certificates. */
export interface Connection {
  /** URLs of proxies by the protocol of the request, and hosts that are reached without a proxy, joined by commas. */
  readonly proxies?: { readonly http?: string; readonly https?: string; readonly none?: string }
  /** Certificates (PEM) of authorities to trust in addition to the usual ones. */
  readonly authorities?: string
  /** True if certificates are not checked. @default false */
  readonly isInsecure?: boolean
  /** Identifies the caller to the service, but neither to a proxy nor to other hosts, such as storage. @default none */
  readonly client?: ClientCertificate
}

/** A client certificate with its chain, and its key without a passphrase (PEM). */
export interface ClientCertificate {
  readonly certificate: string
  readonly key: string
}

/** The hosts that are reached without a proxy, joined by commas: this machine, since a proxy would mean its own. */
export const thisMachine = 'localhost,127.0.0.1,[::1]'

/** Returns the proxy that requests to a URL go through. Returns undefined if they go directly. */
export function proxyFor(
  url: string,
  { http, https, none = '' }: NonNullable<Connection['proxies']>,
): string | undefined {
  const { protocol, hostname } = new URL(url)
  const hosts = `${thisMachine},${none}`.split(/[\s,]/).map((host) => host.replace(/^\*?\./, '').replace(/:\d+$/, ''))
  const isDirect = hosts.some((host) => host === '*' || (host !== '' && `.${hostname}`.endsWith(`.${host}`)))
  return isDirect ? undefined : protocol === 'https:' ? https : http
}
