import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { type Address, AddressRefused, AddressRules } from './address-rules.ts'

export interface GuardedFetchOptions {
  /** Resolves names. @default the system's resolver */
  readonly lookup?: typeof systemLookup
  /** How connections are made. @default directly, with certificates that the system's authorities vouch for */
  readonly connection?: Connection
}

/** How connections are made, where that is not directly and with the usual certificates. */
export interface Connection {
  /** Addresses of proxies by the protocol that they are for, and hosts that are reached without, joined by commas. */
  readonly proxies?: { readonly http?: string; readonly https?: string; readonly none?: string }
  /** Certificates (PEM) of authorities that are trusted beside the usual ones. */
  readonly authorities?: string
  /** Whether certificates are not checked. @default false */
  readonly isInsecure?: boolean
}

/** This machine is reached without a proxy, which would look for it on its own. */
const never = 'localhost,127.0.0.1,[::1]'

/**
 * Creates a `fetch` that checks the address of each connection when it is opened: the service must not lead it to a network
 * that is more private than its own. All connections of the suite and of the client are opened here.
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
  /** Nothing is looked up for an address; URLs have only one spelling for each (WHATWG URL section 3.5). */
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
        // Nothing is read from the environment here.
        httpProxy: proxies.http ?? '',
        httpsProxy: proxies.https ?? '',
        noProxy: [never, proxies.none ?? ''].join(','),
        requestTls: tls,
        proxyTls: tls,
      })
    : new Agent(guarded)
  return async (request) => {
    // A proxy looks names up by itself, so that only addresses can be checked before it is asked.
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
