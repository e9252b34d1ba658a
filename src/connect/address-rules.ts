import { type Zone, zoneOf } from './zones.ts'

/** An address as it was resolved. */
export interface Address {
  readonly address: string
  readonly family: number
}

/** From a service in one zone, storage may be in these. A service on this machine may be one under development. */
const reachable: Readonly<Record<Zone, readonly Zone[]>> = {
  public: ['public'],
  private: ['public', 'private'],
  loopback: ['public', 'private', 'loopback'],
  'link-local': ['public', 'link-local'],
  unusable: [],
}

/** The most public first. */
const zones: readonly Zone[] = ['public', 'private', 'loopback', 'link-local', 'unusable']

/** A connection that is not made, because the address could do harm. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * Decides where a service may lead its client. The zone of the service's own host is fixed by its first connection, so that a
 * name that leads elsewhere later changes nothing; until then, only public addresses are reached.
 */
export class AddressRules {
  readonly #serviceHost: string
  #serviceZone: Zone | undefined

  constructor(serviceUrl: string) {
    this.#serviceHost = bareHost(new URL(serviceUrl).hostname)
  }

  /** Returns the addresses of a host that may be connected to. Throws `AddressRefused` if there are none. */
  allowed(host: string, addresses: readonly Address[]): readonly Address[] {
    const found = addresses.map((address) => ({ address, zone: zoneOf(address.address) }))
    const isService = bareHost(host) === this.#serviceHost
    // If a host has addresses in several zones, the most public one counts.
    if (isService) this.#serviceZone ??= zones.find((zone) => found.some((one) => one.zone === zone))
    const serviceZone = this.#serviceZone ?? 'public'
    const may = isService ? [serviceZone] : reachable[serviceZone]
    const allowed = found.filter(({ zone }) => may.includes(zone))
    const [first] = found
    if (first && allowed.length === 0) {
      const { address } = first.address
      const what = address === bareHost(host) ? `${address} is` : `${host} leads to ${address},`
      const why = isService ? `it led to a ${serviceZone} one before` : `the service is at a ${serviceZone} one`
      throw new AddressRefused(`${what} a ${first.zone} address, and ${why}`)
    }
    return allowed.map(({ address }) => address)
  }
}

/** A host without the brackets of IPv6 and the dot of the root. */
function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
