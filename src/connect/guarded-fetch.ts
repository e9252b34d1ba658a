import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { type Address, AddressRefused, AddressRules } from './address-rules.ts'

export interface GuardedFetchOptions {
  /** Resolves names. @default the system's resolver */
  readonly lookup?: typeof systemLookup
}

/**
 * Makes a `fetch` whose every connection is checked by the address that it goes to, when it is made: the service may not lead it
 * to a network that is more private than its own. This is the one place where connections of the suite and the client are made.
 *
 * It calls the platform's `fetch` as it is at that time, so what replaces that, such as MSW, is asked first.
 */
export function guardedFetch(serviceUrl: string, { lookup = systemLookup }: GuardedFetchOptions = {}) {
  const rules = new AddressRules(serviceUrl)
  const connect = buildConnector({ lookup: checkedLookup(rules, lookup) })
  const dispatcher = new Agent({
    connect(options, callback) {
      const { hostname } = options
      const family = isIP(hostname)
      // Nothing is looked up for an address; URLs have only one spelling for each (WHATWG URL section 3.5).
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

/** Looks a name up once; what is not allowed among its addresses is never connected to. */
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
