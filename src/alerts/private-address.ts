// Which IP addresses are not public: on this machine, in its network, or reserved. Must stay true:
// an IPv4 address inside an IPv6 one counts as IPv4, since the network would deliver it there.

import { BlockList, isIP } from 'node:net'

// https://www.iana.org/assignments/iana-ipv4-special-registry
const FOUR: readonly (readonly [network: string, prefix: number, what: string])[] = [
  ['0.0.0.0', 8, 'on this machine'],
  ['127.0.0.0', 8, 'on this machine'],
  ['10.0.0.0', 8, 'in a private network'],
  ['172.16.0.0', 12, 'in a private network'],
  ['192.168.0.0', 16, 'in a private network'],
  ['100.64.0.0', 10, "in a provider's internal network"],
  ['169.254.0.0', 16, 'on the local link'],
  // Looks public, but answers only inside Azure, with secrets of the machine.
  ['168.63.129.16', 32, 'on the local link'],
  ['192.0.0.0', 24, 'in a reserved range'],
  ['198.18.0.0', 15, 'in a reserved range'],
  ['224.0.0.0', 4, 'in a multicast range'],
  ['240.0.0.0', 4, 'in a reserved range'],
]

// https://www.iana.org/assignments/iana-ipv6-special-registry
const SIX: typeof FOUR = [
  ['::', 127, 'on this machine'],
  ['fc00::', 7, 'in a private network'],
  ['fe80::', 10, 'on the local link'],
  ['ff00::', 8, 'in a multicast range'],
  // Teredo: it contains an IPv4 address in another form.
  ['2001::', 32, 'in a reserved range'],
]

/** Forms of IPv6 address that contain an IPv4 one: the prefix and its length in bits. */
const CARRIERS: readonly (readonly [write: (high: string, low: string) => string, bits: number])[] =
  [
    [(high, low) => `64:ff9b::${high}:${low}`, 96],
    [(high, low) => `2002:${high}:${low}::`, 16],
  ]

/** All public IPv6, and the two other forms that can contain a public IPv4 address. */
const PUBLIC_SIX = new BlockList()
PUBLIC_SIX.addSubnet('2000::', 3, 'ipv6')
PUBLIC_SIX.addSubnet('64:ff9b::', 96, 'ipv6')
PUBLIC_SIX.addSubnet('::ffff:0:0', 96, 'ipv6')

const INSIDE: readonly { readonly what: string; readonly list: BlockList }[] = [
  ...FOUR.map(([network, prefix, what]) => ({ what, list: toList(network, prefix) })),
  ...SIX.map(([network, prefix, what]) => {
    const list = new BlockList()
    list.addSubnet(network, prefix, 'ipv6')
    return { what, list }
  }),
]

/** With its forms in IPv6. That of `::ffff:127.0.0.1` is known to the list itself. */
function toList(network: string, prefix: number): BlockList {
  const list = new BlockList()
  list.addSubnet(network, prefix, 'ipv4')
  const [a = 0, b = 0, c = 0, d = 0] = network.split('.').map(Number)
  const [high, low] = [a * 256 + b, c * 256 + d].map((word) => word.toString(16))
  for (const [write, bits] of CARRIERS) {
    list.addSubnet(write(high as string, low as string), bits + prefix, 'ipv6')
  }
  return list
}

/** Where a non-public address is, as in "it is in a private network"; null for a public one. */
export function insideOf(address: string): string | null {
  const plain = address.replace(/%.*$/, '')
  const family = isIP(plain)
  // What cannot be parsed cannot be known to be public.
  if (family === 0) return 'in a reserved range'
  const type = family === 6 ? 'ipv6' : 'ipv4'
  const found = INSIDE.find(({ list }) => list.check(plain, type))
  if (found !== undefined) return found.what
  return type === 'ipv6' && !PUBLIC_SIX.check(plain, type) ? 'in a reserved range' : null
}
