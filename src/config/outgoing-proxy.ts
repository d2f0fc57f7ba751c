// Which proxy an upstream is reached through, reading HTTPS_PROXY and NO_PROXY as curl and Go do.

import { BlockList } from 'node:net'
import { hasAddress, parseNetworks } from './networks.ts'

export interface OutgoingProxySettings {
  readonly httpsProxy?: string | undefined
  readonly noProxy?: string | undefined
}

/** Null when it is not a URL. Without a scheme it is `http://`, as in other programs. */
export function toProxyUrl(text: string): URL | null {
  if (/[?#\s\\]/.test(text)) return null
  const full = text.includes('://') ? text : `http://${text}`
  if (!URL.canParse(full)) return null
  const url = new URL(full)
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  const isBare = url.pathname === '/' || url.pathname === ''
  return isHttp && isBare && isDecodable(url.username + url.password) ? url : null
}

function isDecodable(userinfo: string): boolean {
  try {
    decodeURIComponent(userinfo)
    return true
  } catch {
    // A literal percent sign looks like the start of an escaped byte.
    return false
  }
}

/** Null for a direct connection. */
export type ProxyChooser = (origin: URL) => URL | null

export function createProxyChooser(settings: OutgoingProxySettings): ProxyChooser {
  const proxy = settings.httpsProxy === undefined ? null : toProxyUrl(settings.httpsProxy)
  if (proxy === null) return () => null
  const entries = (settings.noProxy ?? '').toLowerCase().split(/[\s,]+/)
  const rules = entries.filter((entry) => entry !== '').map(toRule)
  return (origin) => {
    if (origin.protocol !== 'https:') return null
    const target = toTarget(origin)
    return isLoopback(target.host) || rules.some((rule) => rule(target)) ? null : proxy
  }
}

interface Target {
  /** A name without a dot at its end, or an address without brackets; lower case. */
  readonly host: string
  readonly port: string
}

type Rule = (target: Target) => boolean

function toTarget(origin: URL): Target {
  const host = origin.hostname.replaceAll(/^\[|\]$/g, '').replace(/\.$/, '')
  return { host, port: origin.port === '' ? '443' : origin.port }
}

/** An invalid entry matches nothing: the list is often written for other programs too. */
function toRule(entry: string): Rule {
  if (entry === '*') return () => true
  const network = parseNetworks(entry)
  if (network !== null) return ({ host }) => hasAddress(network, host)
  const { name, port } = splitPort(entry)
  const isPort = (target: Target): boolean => port === null || target.port === port
  const own = parseNetworks(name)
  if (own !== null) return (target) => isPort(target) && hasAddress(own, target.host)
  const suffix = name.replace(/^\*(?=\.)/, '').replace(/\.$/, '')
  // A name covers itself and its subdomains; with a leading dot, only the subdomains.
  if (suffix.startsWith('.')) return (target) => isPort(target) && target.host.endsWith(suffix)
  return (target) =>
    isPort(target) && (target.host === suffix || target.host.endsWith(`.${suffix}`))
}

/** `host:port`, `[::1]:port`, or either without the port. */
function splitPort(entry: string): { readonly name: string; readonly port: string | null } {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry)
  if (match === null) return { name: entry, port: null }
  return { name: match[1] ?? match[2] ?? '', port: match[3] ?? null }
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

export function isLoopbackUrl(url: URL): boolean {
  return isLoopback(toTarget(url).host)
}

/** This machine is never reached through a proxy. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || hasAddress(LOOPBACK, host)
}
