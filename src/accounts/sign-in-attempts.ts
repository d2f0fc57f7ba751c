// Slows the guessing of passwords down, in bounded memory. Must stay true: an attempt counts before
// its password is checked, so that parallel attempts gain nothing; and no wait is longer than a
// minute, so that no one is locked out by the failures of others.

import { isIP } from 'node:net'
import type { Clock } from '../core/clock.ts'

/** So many failures are free; each of them is forgotten after `everyMs`, one after the other. */
export interface Allowance {
  readonly failures: number
  readonly everyMs: number
}

/** For one email from one address, or from one browser that its user has signed in with. */
export const PAIR_ALLOWANCE: Allowance = { failures: 5, everyMs: 60_000 }
/** For one email from all addresses: 100 an hour, as OWASP ASVS 4.0, 2.2.1 asks for. */
export const EMAIL_ALLOWANCE: Allowance = { failures: 10, everyMs: 40_000 }
export const ADDRESS_ALLOWANCE: Allowance = { failures: 30, everyMs: 2000 }
const NAMES_MAX = 10_000
/** Per email. */
const NOTE_INTERVAL_MS = 60_000
/** For all emails: made-up ones must not flood the audit log. */
export const NOTES_PER_HOUR_MAX = 60
const HOUR_MS = 3_600_000

export interface Attempt {
  /** Null for the code of a link. */
  readonly email: string | null
  readonly address: string
  /** A session, or a browser its user has signed in with: no one else's failures count for it. */
  readonly ownPlace?: string | null
}

export interface SignInAttempts {
  /** Counts it as failed; or returns the whole seconds to wait and does not count it. */
  take(attempt: Attempt): number | null
  /** The password was not checked. */
  undo(attempt: Attempt): void
  /** After success: the email has failed nowhere here, and this was no failure elsewhere. */
  forget(attempt: Attempt): void
  /** Whether a refusal may go to the audit log now. */
  takeNote(name: string): boolean
}

export function createSignInAttempts(clock: Pick<Clock, 'monotonic'>): SignInAttempts {
  const byPair = createCounts(PAIR_ALLOWANCE)
  const byEmail = createCounts(EMAIL_ALLOWANCE)
  const byAddress = createCounts(ADDRESS_ALLOWANCE)
  const noted = new Map<string, number>()
  let notes: readonly number[] = []

  function countsOf({ email, address, ownPlace = null }: Attempt): (readonly [Counts, string])[] {
    const place = toPlace(address)
    if (email === null) return [[byAddress, place]]
    if (ownPlace !== null) return [[byPair, toPair(email, ownPlace)]]
    return [
      [byAddress, place],
      [byEmail, email],
      [byPair, toPair(email, place)],
    ]
  }

  function undo(attempt: Attempt): void {
    for (const [counts, name] of countsOf(attempt)) counts.remove(name)
  }

  return {
    take(attempt) {
      const now = clock.monotonic()
      const counted = countsOf(attempt)
      const waitMs = Math.max(...counted.map(([counts, name]) => counts.waitMs(name, now)))
      if (waitMs > 0) return Math.ceil(waitMs / 1000)
      for (const [counts, name] of counted) counts.add(name, now)
      return null
    },
    undo,
    forget(attempt) {
      undo(attempt)
      const { email, address, ownPlace } = attempt
      if (email !== null) byPair.clear(toPair(email, ownPlace ?? toPlace(address)))
    },
    takeNote(name) {
      const now = clock.monotonic()
      if (now - (noted.get(name) ?? -Infinity) < NOTE_INTERVAL_MS) return false
      notes = notes.filter((at) => now - at < HOUR_MS)
      if (notes.length >= NOTES_PER_HOUR_MAX) return false
      notes = [...notes, now]
      makeRoom(noted, name)
      noted.set(name, now)
      return true
    },
  }
}

/** Neither part contains a space. */
function toPair(email: string, place: string): string {
  return `${email} ${place}`
}

const NETWORK_WORDS = 4

/** Of IPv6 the network of 64 bits: anyone who has one address there has them all. */
function toPlace(address: string): string {
  if (isIP(address) !== 6) return address
  const [left = '', right] = address.split('::')
  const words = left === '' ? [] : left.split(':')
  // The double colon stands for zeros that fill it up to eight words.
  const others = right === undefined || right === '' ? 0 : right.split(':').length
  const zeros = right === undefined ? [] : Array<string>(8 - words.length - others).fill('0')
  const all = [...words, ...zeros, ...(right ?? '').split(':')]
  return `${all.slice(0, NETWORK_WORDS).join(':')}::/64`
}

interface Counts {
  waitMs(name: string, now: number): number
  add(name: string, now: number): void
  remove(name: string): void
  clear(name: string): void
}

function createCounts({ failures, everyMs }: Allowance): Counts {
  /** When the last failure is forgotten: one number says how many there are. */
  const clearAt = new Map<string, number>()
  return {
    waitMs: (name, now) => (clearAt.get(name) ?? 0) - now - (failures - 1) * everyMs,
    add(name, now) {
      const at = Math.max(clearAt.get(name) ?? 0, now) + everyMs
      makeRoom(clearAt, name)
      clearAt.set(name, at)
    },
    remove(name) {
      const at = clearAt.get(name)
      if (at !== undefined) clearAt.set(name, at - everyMs)
    },
    clear: (name) => clearAt.delete(name),
  }
}

/** A map keeps the order in which its keys were set, so the oldest failure is forgotten first. */
function makeRoom(map: Map<string, unknown>, key: string): void {
  map.delete(key)
  if (map.size < NAMES_MAX) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
