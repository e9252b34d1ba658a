import { type Zone, zoneOf } from './zones.ts'

/** A resolved address. */
export interface Address {
  readonly address: string
  readonly family: number
}

/** The zones that storage may be in, by the zone of the service. A service on this machine may be under development. */
const reachable: Readonly<Record<Zone, readonly Zone[]>> = {
  public: ['public'],
  private: ['public', 'private'],
  loopback: ['public', 'private', 'loopback'],
  'link-local': ['public', 'link-local'],
  unusable: [],
}

/** All zones, the most public first. */
const zones: readonly Zone[] = ['public', 'private', 'loopback', 'link-local', 'unusable']

/** A connection is refused, since the service must not lead its client to this address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * Decides which addresses a service may lead its client to. The first connection fixes the zone of the service's own host,
 * so a later DNS change has no effect; until then, only public addresses are allowed.
 */
export class AddressRules {
  readonly #serviceHost: string
  #serviceZone: Zone | undefined

  constructor(serviceUrl: string) {
    this.#serviceHost = hostWithoutSyntax(new URL(serviceUrl).hostname)
  }

  /** Returns the addresses of a host that connections may use. Throws `AddressRefused` if all are refused. */
  allowed(host: string, addresses: readonly Address[]): readonly Address[] {
    const found = addresses.map((address) => ({ address, zone: zoneOf(address.address) }))
    const isService = hostWithoutSyntax(host) === this.#serviceHost
    // If a host has addresses in several zones, the most public one counts.
    if (isService) this.#serviceZone ??= zones.find((zone) => found.some((one) => one.zone === zone))
    const serviceZone = this.#serviceZone ?? 'public'
    const may = isService ? [serviceZone] : reachable[serviceZone]
    const allowed = found.filter(({ zone }) => may.includes(zone))
    const [first] = found
    if (first && allowed.length === 0) {
      const { address } = first.address
      const what = address === hostWithoutSyntax(host) ? `${address} is` : `${host} resolves to ${address},`
      const why = isService ? `it was a ${serviceZone} one before` : `the service is at a ${serviceZone} one`
      throw new AddressRefused(`${what} a ${first.zone} address, but ${why}`)
    }
    return allowed.map(({ address }) => address)
  }
}

/** Strips the brackets of IPv6 and the dot of the root from a host. */
function hostWithoutSyntax(host: string): string {
  return host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
