// Whose address a request comes from. Must stay true: a header is believed only where a trusted
// proxy sent it, and only as far as trusted proxies wrote it.

import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { BlockList } from 'node:net'
import { hasAddress } from '../config/networks.ts'

/** What it needs of a request. */
export type AddressedRequest = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined }
}

export type ClientAddress = (request: AddressedRequest) => string

/** Null: no proxy is trusted. What cannot be read leaves the connection's own address. */
export function createClientAddress(trusted: BlockList | null): ClientAddress {
  return ({ headers, socket }) => {
    const peer = toPlain(socket.remoteAddress ?? '') ?? 'unknown'
    if (trusted === null || !hasAddress(trusted, peer)) return peer
    const lists = [listForwarded(headers['forwarded']), listHops(headers['x-forwarded-for'])]
    const found = lists.flatMap((hops) => (hops === null ? [] : [walk(hops, peer, trusted)]))
    // A proxy writes one of the two headers. If they differ, the client itself sent the other.
    return found.every((address) => address === found[0]) ? (found[0] ?? peer) : peer
  }
}

/** From the right: each proxy adds the address it was called from. */
function walk(hops: readonly string[], peer: string, trusted: BlockList): string {
  let client = peer
  for (const hop of hops.toReversed()) {
    const address = parseHop(hop)
    if (address === null) return peer
    client = address
    if (!hasAddress(trusted, client)) return client
  }
  return client
}

/** Null without the header. */
function listHops(header: string | readonly string[] | undefined): readonly string[] | null {
  if (header === undefined) return null
  return [header]
    .flat()
    .join(',')
    .split(',')
    .map((hop) => hop.trim())
}

/** RFC 7239, section 4: `for="[2001:db8::1]:4711";proto=https`. Unquoted addresses pass too. */
const FORWARDED_PAIR = /[ \t]*([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+))[ \t]*(;|,|$)/y

/** Null without the header; an element without `for`, or what cannot be parsed, is an empty hop. */
function listForwarded(header: string | undefined): readonly string[] | null {
  if (header === undefined) return null
  const hops: string[] = []
  let hop = ''
  for (let at = 0; at < header.length; at = FORWARDED_PAIR.lastIndex) {
    FORWARDED_PAIR.lastIndex = at
    const match = FORWARDED_PAIR.exec(header)
    if (match === null) return ['']
    const [, name = '', quoted, token = '', end] = match
    if (name.toLowerCase() === 'for') hop = quoted?.replaceAll(/\\(.)/g, '$1') ?? token
    if (end === ';') continue
    hops.push(hop)
    hop = ''
  }
  return hops
}

const HOP = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(?:\d{1,5}|_[\w.-]+))?$/

/** An address with or without a port; null for `unknown`, a made-up name or anything else. */
function parseHop(hop: string): string | null {
  const match = HOP.exec(hop)
  return toPlain(match?.[1] ?? match?.[2] ?? hop)
}

const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/** One spelling for each: no zone, IPv6 shortened, IPv4 inside IPv6 as IPv4. Null if it is none. */
function toPlain(text: string): string | null {
  const address = text.replace(/%.*$/, '')
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : null
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [, high, low] = MAPPED.exec(short) ?? []
  if (high === undefined || low === undefined) return short
  const words = [high, low].map((word) => Number.parseInt(word, 16))
  return words.flatMap((word) => [word >> 8, word & 255]).join('.')
}
