// Lists of IP addresses and networks as settings name them: `10.0.0.0/8, fd00::1`.

import { BlockList, isIP } from 'node:net'

/** Separated by commas; an empty entry is none. Null where one is neither address nor network. */
export function parseNetworks(text: string): BlockList | null {
  const list = new BlockList()
  const entries = text.split(',').map((entry) => entry.trim())
  return entries.every((entry) => entry === '' || add(list, entry)) ? list : null
}

function add(list: BlockList, entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/')
  // A zone, as in `fe80::1%eth0`, is a matter of one machine.
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false
  const bitsMax = isIP(address) === 6 ? 128 : 32
  const bits = prefix ?? String(bitsMax)
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > bitsMax) return false
  list.addSubnet(address, Number(bits), familyOf(address))
  return true
}

/** False for what is no address. An IPv4 address inside an IPv6 one counts as IPv4. */
export function hasAddress(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
