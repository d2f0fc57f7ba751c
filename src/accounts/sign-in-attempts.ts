// Counts failed attempts to sign in: by the address that was typed, and by where they come from.
// Must stay true: an attempt counts before its password is looked at, so that many at once are not
// more than one after the other; and what is remembered is bounded, however many addresses an
// attacker makes up.

import type { Clock } from '../core/clock.ts'

/** Of one email from one place: its user is not locked out elsewhere. */
export const PAIR_FAILURES_MAX = 5
/** From wherever. */
export const EMAIL_FAILURES_MAX = 50
export const ADDRESS_FAILURES_MAX = 30
export const FAILURE_WINDOW_MS = 900_000
/** Of each kind. */
const NAMES_MAX = 10_000
/** One email's refusals are written down at most this often. */
const NOTE_INTERVAL_MS = 60_000
/** Of all emails: made-up ones must not push what others did out of the audit log. */
export const NOTES_PER_HOUR_MAX = 60
const HOUR_MS = 3_600_000

export interface Attempt {
  /** Null where none was given: a code. */
  readonly email: string | null
  /** Where it comes from. */
  readonly address: string
}

export interface SignInAttempts {
  /** Counts it as failed. Whole seconds to wait when it is one too many and not counted. */
  take(attempt: Attempt): number | null
  /** It was right: forgets the email's failures, and this one of where it came from. */
  forget(attempt: Attempt): void
  /** Whether a refusal may go to the audit log now. */
  takeNote(name: string): boolean
}

export function createSignInAttempts(clock: Pick<Clock, 'monotonic'>): SignInAttempts {
  const byPair = createCounts(PAIR_FAILURES_MAX)
  const byEmail = createCounts(EMAIL_FAILURES_MAX)
  const byAddress = createCounts(ADDRESS_FAILURES_MAX)
  const noted = new Map<string, number>()
  /** When the last notes were taken, oldest first. */
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

/** No address of either kind has a blank in it. */
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
  /** When, oldest first, of the window. */
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

/** What failed longest ago is forgotten first: a map keeps the order in which its keys were set. */
function makeRoom(map: Map<string, unknown>, key: string): void {
  map.delete(key)
  if (map.size < NAMES_MAX) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
