// Counts failed sign-ins in bounded memory, by email and by address. Must stay true: an attempt
// counts before its password is checked, so that parallel attempts gain nothing.

import type { Clock } from '../core/clock.ts'

/** For one email from one address, so that its user is not locked out elsewhere. */
export const PAIR_FAILURES_MAX = 5
/** From all addresses together. */
export const EMAIL_FAILURES_MAX = 50
export const ADDRESS_FAILURES_MAX = 30
export const FAILURE_WINDOW_MS = 900_000
const NAMES_MAX = 10_000
/** Per email. */
const NOTE_INTERVAL_MS = 60_000
/** For all emails: made-up ones must not flood the audit log. */
export const NOTES_PER_HOUR_MAX = 60
const HOUR_MS = 3_600_000

export interface Attempt {
  /** Null for a sign-in by code. */
  readonly email: string | null
  readonly address: string
}

export interface SignInAttempts {
  /** Counts it as failed; or returns the whole seconds to wait and does not count it. */
  take(attempt: Attempt): number | null
  /** After success: forgets the email's failures, and this one of the address. */
  forget(attempt: Attempt): void
  /** Whether a refusal may go to the audit log now. */
  takeNote(name: string): boolean
}

export function createSignInAttempts(clock: Pick<Clock, 'monotonic'>): SignInAttempts {
  const byPair = createCounts(PAIR_FAILURES_MAX)
  const byEmail = createCounts(EMAIL_FAILURES_MAX)
  const byAddress = createCounts(ADDRESS_FAILURES_MAX)
  const noted = new Map<string, number>()
  let notes: readonly number[] = []
  return {
    take({ email, address }) {
      const at = clock.monotonic()
      const counted: (readonly [Counts, string])[] = [[byAddress, address]]
      if (email !== null) counted.push([byEmail, email], [byPair, toPair(email, address)])
      const waitMs = Math.max(...counted.map(([counts, name]) => counts.waitMs(name, at)))
      if (waitMs > 0) return Math.ceil(waitMs / 1000)
      for (const [counts, name] of counted) counts.add(name, at)
      return null
    },
    forget({ email, address }) {
      byAddress.removeLast(address)
      if (email === null) return
      byEmail.remove(email)
      byPair.remove(toPair(email, address))
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
function toPair(email: string, address: string): string {
  return `${email} ${address}`
}

interface Counts {
  waitMs(name: string, now: number): number
  add(name: string, at: number): void
  removeLast(name: string): void
  remove(name: string): void
}

function createCounts(failuresMax: number): Counts {
  /** Times within the window, oldest first. */
  const failures = new Map<string, number[]>()
  const recent = (name: string, now: number): number[] =>
    (failures.get(name) ?? []).filter((at) => now - at < FAILURE_WINDOW_MS)
  return {
    waitMs(name, now) {
      const [oldest, ...others] = recent(name, now)
      if (oldest === undefined || others.length + 1 < failuresMax) return 0
      return FAILURE_WINDOW_MS - (now - oldest)
    },
    add(name, at) {
      const known = recent(name, at)
      makeRoom(failures, name)
      failures.set(name, [...known, at])
    },
    removeLast(name) {
      const left = failures.get(name)?.slice(0, -1) ?? []
      if (left.length === 0) failures.delete(name)
      else failures.set(name, left)
    },
    remove: (name) => failures.delete(name),
  }
}

/** A map keeps the order in which its keys were set, so the oldest failure is forgotten first. */
function makeRoom(map: Map<string, unknown>, key: string): void {
  map.delete(key)
  if (map.size < NAMES_MAX) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
