// Whether alerts may be sent to an address. Must stay true: a user who sets targets cannot make
// Weir call into its network. A name may resolve differently later, so post-json.ts checks again.

import { lookup as resolve } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import type { TargetKind } from '../core/alert.ts'
import { isMailAddress } from '../core/mail-address.ts'
import { insideOf } from './private-address.ts'

/** Throws when the name has no address. */
export type Lookup = (host: string) => Promise<readonly string[]>

export interface AddressRules {
  readonly allowPrivate: boolean
  readonly lookup: Lookup
}

export interface TargetRules extends AddressRules {
  /** Whether the configuration has a mail server. */
  readonly canMail: boolean
}

const URL_CHARACTERS_MAX = 2048
/** The user who adds a target waits for it. A slower name is checked on sending. */
const LOOKUP_MS = 3000
const INNER_NAME = /(?:^|\.)(?:localhost|local|internal)$/
const REMEDY =
  'Targets inside the network are refused unless the configuration says alerts.allowPrivateTargets: true.'

export const systemLookup: Lookup = async (host) => {
  const found = await resolve(host, { all: true })
  return found.map(({ address }) => address)
}

export async function checkTargetAddress(
  kind: TargetKind,
  address: string,
  rules: TargetRules,
): Promise<string | null> {
  const fault = addressFormFault(kind, address)
  if (kind === 'email') return fault ?? (rules.canMail ? null : NO_MAIL_SERVER)
  if (fault !== null || rules.allowPrivate) return fault
  const host = hostOf(new URL(address))
  return hostFault(host) ?? addressFault(host, await lookupBriefly(host, rules.lookup))
}

const NO_MAIL_ADDRESS =
  'An e-mail target must be a single address such as team@example.com, without a name.'
/** A target that can never be reached would look like one that is. */
const NO_MAIL_SERVER =
  'E-mail cannot be sent, because Weir has no mail server: set alerts.smtp.url and alerts.smtp.from in the configuration (or WEIR_ALERTS_SMTP_URL and WEIR_ALERTS_SMTP_FROM), restart Weir, and add the address again.'

/** What is wrong with an address wherever Weir runs; null when nothing is. */
export function addressFormFault(kind: TargetKind, address: string): string | null {
  if (kind === 'email') return isMailAddress(address) ? null : NO_MAIL_ADDRESS
  return urlFault(address)
}

function urlFault(address: string): string | null {
  if (address.length > URL_CHARACTERS_MAX) {
    return `A target's address may have at most ${URL_CHARACTERS_MAX} characters.`
  }
  // The URL parser would silently drop line breaks.
  const isWhole = URL.canParse(address) && !/[\s\\]/.test(address)
  const url = isWhole ? new URL(address) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return "A target's address must be an http:// or https:// address, such as https://hooks.example.com/weir."
  }
  if (url.username === '' && url.password === '') return null
  return "A target's address must not contain a user name or a password: webhooks are signed instead."
}

/** Lower case, without brackets and final dot; an IPv4 address in its usual spelling. */
export function hostOf(url: URL): string {
  return url.hostname.replaceAll(/^\[|\]$/g, '').replace(/\.$/, '')
}

/** Checks the host as written: an address, or a name that is never public. */
export function hostFault(host: string): string | null {
  if (isIP(host) !== 0) return addressFault(host, [host])
  return INNER_NAME.test(host) ? `The target ${host} is inside the network. ${REMEDY}` : null
}

/** One bad address is enough to refuse a name: any of them may be connected to. */
export function addressFault(host: string, addresses: readonly string[]): string | null {
  for (const address of addresses) {
    const inside = insideOf(address)
    if (inside === null) continue
    const subject = address === host ? host : `${host} resolves to ${address}, which`
    return `The target ${subject} is ${inside}. ${REMEDY}`
  }
  return null
}

/** Empty where the name does not resolve in time: it may resolve on sending. */
async function lookupBriefly(host: string, lookup: Lookup): Promise<readonly string[]> {
  if (isIP(host) !== 0) return []
  const stop = new AbortController()
  const late = pause(LOOKUP_MS, [], { signal: stop.signal })
  try {
    return await Promise.race([lookup(host), late])
  } catch {
    return []
  } finally {
    stop.abort()
    await late.catch(() => [])
  }
}
