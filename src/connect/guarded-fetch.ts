import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { type Address, AddressRefused, AddressRules } from './address-rules.ts'

export interface GuardedFetchOptions {
  /** Resolves names. @default the system's resolver */
  readonly lookup?: typeof systemLookup
  /** Settings for connections. @default direct ones, with certificates of the usual authorities */
  readonly connection?: Connection
}

/** Settings for connections: proxies and certificates. */
export interface Connection {
  /** URLs of proxies by the protocol of the request, and hosts that are reached without a proxy, joined by commas. */
  readonly proxies?: { readonly http?: string; readonly https?: string; readonly none?: string }
  /** Certificates (PEM) of authorities to trust in addition to the usual ones. */
  readonly authorities?: string
  /** True if certificates are not checked. @default false */
  readonly isInsecure?: boolean
}

/** The hosts that are reached without a proxy, joined by commas: this machine, since a proxy would mean its own. */
const thisMachine = 'localhost,127.0.0.1,[::1]'

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

/**
 * Creates a `fetch` that checks the address of each connection when it is opened: the service must not lead it to a network
 * that is more private than its own. The suite and the client open all connections here.
 *
 * It calls the platform's `fetch` at the time of each request, so a replacement such as MSW intercepts it.
 */
export function guardedFetch(
  serviceUrl: string,
  { lookup = systemLookup, connection = {} }: GuardedFetchOptions = {},
): (request: Request) => Promise<Response> {
  const rules = new AddressRules(serviceUrl)
  const { proxies = {}, authorities, isInsecure = false } = connection
  const tls = {
    ...(authorities !== undefined && { ca: [...rootCertificates, authorities] }),
    ...(isInsecure && { rejectUnauthorized: false }),
  }
  const connect = buildConnector({ ...tls, lookup: checkedLookup(rules, lookup) })
  /** Checks a host that is an address, which needs no lookup. URLs have only one spelling for each (WHATWG URL section 3.5). */
  const refusalOfAddress = (hostname: string) => {
    const address = hostname.replace(/^\[|\]$/g, '')
    const family = isIP(address)
    return family === 0 ? undefined : refusalOf(() => rules.allowed(hostname, [{ address, family }]))
  }
  const guarded: Agent.Options = {
    connect(options, callback) {
      const refusal = refusalOfAddress(options.hostname)
      if (refusal) callback(refusal, null)
      else connect(options, callback)
    },
  }
  const hasProxy = Boolean(proxies.http || proxies.https)
  const dispatcher = hasProxy
    ? new EnvHttpProxyAgent({
        ...guarded,
        // An empty text keeps undici from reading the environment.
        httpProxy: proxies.http ?? '',
        httpsProxy: proxies.https ?? '',
        noProxy: [thisMachine, proxies.none ?? ''].join(','),
        requestTls: tls,
        proxyTls: tls,
      })
    : new Agent(guarded)
  return async (request) => {
    // A proxy resolves names itself, so only addresses can be checked here.
    const refusal = hasProxy ? refusalOfAddress(new URL(request.url).hostname) : undefined
    if (refusal) throw new TypeError('fetch failed', { cause: refusal })
    const init: RequestInit & { readonly dispatcher: Dispatcher } = { dispatcher }
    return fetch(request, init)
  }
}

/** Resolves a name once, and drops the addresses that are not allowed. */
function checkedLookup(rules: AddressRules, lookup: typeof systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '')
      let allowed: readonly Address[] = []
      const refusal = refusalOf(() => {
        allowed = rules.allowed(hostname, addresses)
      })
      const [first] = allowed
      if (refusal || !first) callback(refusal ?? new AddressRefused(`${hostname} has no address`), '')
      else if (options.all) callback(null, [...allowed])
      else callback(null, first.address, first.family)
    })
  }
}

function refusalOf(check: () => unknown): AddressRefused | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof AddressRefused) return error
    throw error
  }
}
