import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { type Address, AddressRefused, AddressRules } from './address-rules.ts'
import { type Connection, thisMachine } from './connection.ts'

export interface GuardedFetchOptions {
  /** Resolves names. @default the system's resolver */
  readonly lookup?: typeof systemLookup
  /** Settings for connections. @default direct ones, with certificates of the usual authorities */
  readonly connection?: Connection
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
  const { proxies = {}, authorities, isInsecure = false, client } = connection
  const tls = {
    ...(authorities !== undefined && { ca: [...rootCertificates, authorities] }),
    ...(isInsecure && { rejectUnauthorized: false }),
  }
  /** Checks a host that is an address, which needs no lookup. URLs have only one spelling for each (WHATWG URL section 3.5). */
  const refusalOfAddress = (hostname: string) => {
    const address = hostname.replace(/^\[|\]$/g, '')
    const family = isIP(address)
    return family === 0 ? undefined : refusalOf(() => rules.allowed(hostname, [{ address, family }]))
  }
  const hasProxy = Boolean(proxies.http || proxies.https)
  /** Creates what opens connections; `identity` is shown to servers that ask for it. */
  const createDispatcher = (identity: { readonly cert?: string; readonly key?: string } = {}) => {
    const connect = buildConnector({ ...tls, ...identity, lookup: checkedLookup(rules, lookup) })
    const guarded: Agent.Options = {
      connect(options, callback) {
        const refusal = refusalOfAddress(options.hostname)
        if (refusal) callback(refusal, null)
        else connect(options, callback)
      },
      factory: createPool,
    }
    const dispatcher = hasProxy
      ? new EnvHttpProxyAgent({
          ...guarded,
          // An empty text keeps undici from reading the environment.
          httpProxy: proxies.http ?? '',
          httpsProxy: proxies.https ?? '',
          noProxy: [thisMachine, proxies.none ?? ''].join(','),
          requestTls: { ...tls, ...identity },
          proxyTls: tls,
        })
      : new Agent(guarded)
    const dispatch = dispatcher.dispatch.bind(dispatcher)
    dispatcher.dispatch = (options, handler) => dispatch(options, refusingCodings(handler))
    return dispatcher
  }
  const others = createDispatcher()
  const service = client ? createDispatcher({ cert: client.certificate, key: client.key }) : others
  const { hostname: serviceHost } = new URL(serviceUrl)
  return async (request) => {
    const { hostname } = new URL(request.url)
    // A proxy resolves names itself, so only addresses can be checked here.
    const refusal = hasProxy ? refusalOfAddress(hostname) : undefined
    if (refusal) throw new TypeError('fetch failed', { cause: refusal })
    const dispatcher = hostname === serviceHost ? service : others
    const init: RequestInit & { readonly dispatcher: Dispatcher } = { dispatcher }
    return fetch(request, init)
  }
}

/**
 * Creates the connections to an origin. A server refuses a client certificate after the handshake (RFC 8446 section 4.4.2.4), with an
 * error that ends the connection here: undici would report that the server has ended it.
 */
function createPool(origin: string | URL, { connect, ...options }: Agent.Options): Dispatcher {
  if (typeof connect !== 'function') return new Pool(origin, options)
  return new Pool(origin, {
    ...options,
    connect: (target, callback) =>
      connect(target, (...result) => {
        const [, socket] = result
        socket?.on('error', (error) => socket.destroy(error))
        callback(...result)
      }),
  })
}

/** The most content codings of an answer (RFC 9110 section 8.4). Each further one multiplies the work of decoding it. */
const maxCodings = 2

/**
 * Fails an answer in too many content codings before `fetch` decodes it. The limit of `fetch` itself leaves a stream behind whose error
 * nothing can catch.
 */
function refusingCodings(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  const onHeaders: Dispatcher.DispatchHandler['onHeaders'] = (status, headers, ...more) => {
    const codings = headers.filter((_, at) => at % 2 === 1 && /^content-encoding$/i.test(String(headers[at - 1])))
    const count = codings.join().split(',').length
    if (count > maxCodings) throw new TypeError(`its body has ${count} content codings, more than ${maxCodings}`)
    return handler.onHeaders?.(status, headers, ...more) ?? true
  }
  return new Proxy(handler, {
    get(target, name) {
      if (name === 'onHeaders') return onHeaders
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
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
