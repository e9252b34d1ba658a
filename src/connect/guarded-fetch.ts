import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { type Address, AddressRefused, AddressRules } from './address-rules.ts'

export interface GuardedFetchOptions {
  /** Resolves names. @default the system's resolver */
  readonly lookup?: typeof systemLookup
}

/**
 * Creates a `fetch` that checks the address of each connection when it is opened: the service must not lead it to a network
 * that is more private than its own. All connections of the suite and of the client are opened here.
 *
 * It calls the platform's `fetch` at the time of each request, so a replacement such as MSW intercepts it.
 */
export function guardedFetch(serviceUrl: string, { lookup = systemLookup }: GuardedFetchOptions = {}) {
  const rules = new AddressRules(serviceUrl)
  const connect = buildConnector({ lookup: checkedLookup(rules, lookup) })
  const dispatcher = new Agent({
    connect(options, callback) {
      const { hostname } = options
      const family = isIP(hostname)
      // An address needs no lookup; URLs have only one spelling for each (WHATWG URL section 3.5).
      const refusal =
        family === 0 ? undefined : refusalOf(() => rules.allowed(hostname, [{ address: hostname, family }]))
      if (refusal) callback(refusal, null)
      else connect(options, callback)
    },
  })
  return (request: Request): Promise<Response> => {
    const init: RequestInit & { readonly dispatcher: Agent } = { dispatcher }
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
