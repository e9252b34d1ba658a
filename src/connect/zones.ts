import { BlockList, isIPv4 } from 'node:net'

/** The kind of network that an address belongs to. */
export type Zone = 'public' | 'private' | 'loopback' | 'link-local' | 'unusable'

/** The subnets of each zone except public, which has all other addresses. The first zone that matches counts. */
const subnets: readonly { zone: Zone; ipv4: readonly string[]; ipv6: readonly string[] }[] = [
  {
    // Includes the addresses of cloud metadata services, which hand out secrets.
    zone: 'link-local',
    ipv4: ['169.254.0.0/16', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32'],
    ipv6: ['fe80::/10', 'fd00:ec2::254/128'],
  },
  {
    // Connecting to 0.0.0.0 or :: reaches this machine.
    zone: 'loopback',
    ipv4: ['127.0.0.0/8', '0.0.0.0/8'],
    ipv6: ['::1/128', '::/128'],
  },
  {
    // RFC 1918, 6598, 4193, and what the registries of RFC 6890 list as not globally reachable.
    zone: 'private',
    ipv4: [
      ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '192.0.0.0/24'],
      ...['192.0.2.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
    ],
    ipv6: [
      'fc00::/7',
      'fec0::/10',
      '64:ff9b:1::/48',
      '100::/64',
      '2001::/23',
      '2001:db8::/32',
      '3fff::/20',
      '5f00::/16',
    ],
  },
  { zone: 'unusable', ipv4: ['224.0.0.0/4', '240.0.0.0/4'], ipv6: ['ff00::/8'] },
]

/** IPv6 prefixes before an IPv4 address in the last 32 bits: mapped, compatible, translated, and NAT64 (RFC 6052). */
const carriers = ['::ffff:', '::', '::ffff:0:', '64:ff9b::']

const lists = subnets.map(({ zone, ipv4, ipv6 }) => {
  const list = new BlockList()
  for (const subnet of ipv4) {
    const [address, bits] = split(subnet)
    list.addSubnet(address, bits, 'ipv4')
    for (const carrier of carriers) list.addSubnet(`${carrier}${address}`, 96 + bits, 'ipv6')
    // 6to4 (RFC 3056) has the IPv4 address after the first 16 bits.
    const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
    list.addSubnet(`2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`, 16 + bits, 'ipv6')
  }
  for (const subnet of ipv6) list.addSubnet(...split(subnet), 'ipv6')
  return { zone, list }
})

function split(subnet: string): [address: string, bits: number] {
  const [address = '', bits] = subnet.split('/')
  return [address, Number(bits)]
}

/** Returns the zone of an IP address in the system's notation. */
export function zoneOf(address: string): Zone {
  const [plain = ''] = address.split('%')
  const family = isIPv4(plain) ? 'ipv4' : 'ipv6'
  return lists.find(({ list }) => list.check(plain, family))?.zone ?? 'public'
}
