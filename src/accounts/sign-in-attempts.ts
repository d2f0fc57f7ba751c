// Counts failed attempts to sign in: by the address that was typed, and by where they come from. Must stay true: an attempt
// counts before its password is looked at, so that many at once are not more than one after the other; and what is
// remembered is bounded, however many addresses somebody makes up.

import type { Clock } from '../core/clock.ts'

/** Of one email from one place: nobody elsewhere is locked out by them. */
export const PAIR_FAILURES_MAX = 5
/** From wherever. */
export const EMAIL_FAILURES_MAX = 50
export const ADDRESS_FAILURES_MAX = 30
export const FAILURE_WINDOW_MS = 900_000
/** Of each kind. */
const HOLDERS_MAX = 10_000
/** One email's refusals are written down at most this often. */
const NOTE_INTERVAL_MS = 60_000
/** Of all emails: whoever makes some up must not push what others did out of the audit log. */
export const NOTES_PER_HOUR_MAX = 60
const HOUR_MS = 3_600_000

export interface Attempt {
  /** Null where none was given: a code. */
  readonly email: string | null
  /** Where it comes from. */
  readonly address: string
}

export interface SignInAttempts {
  /** Counts it as failed. Null, or whole seconds to wait when it is one too many and was not counted. */
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
      const holders: (readonly [Counts, string])[] = [[byAddress, address]]
      if (email !== null) holders.push([byEmail, email], [byPair, toPair(email, address)])
      const waitMs = Math.max(...holders.map(([counts, holder]) => counts.waitMs(holder, at)))
      if (waitMs > 0) return Math.ceil(waitMs / 1000)
      for (const [counts, holder] of holders) counts.add(holder, at)
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
  waitMs(holder: string, now: number): number
  add(holder: string, at: number): void
  removeLast(holder: string): void
  remove(holder: string): void
}

function createCounts(failuresMax: number): Counts {
  /** When, oldest first, of the window. */
  const failures = new Map<string, number[]>()
  const recent = (holder: string, now: number): number[] =>
    (failures.get(holder) ?? []).filter((at) => now - at < FAILURE_WINDOW_MS)
  return {
    waitMs(holder, now) {
      const [oldest, ...others] = recent(holder, now)
      if (oldest === undefined || others.length + 1 < failuresMax) return 0
      return FAILURE_WINDOW_MS - (now - oldest)
    },
    add(holder, at) {
      const known = recent(holder, at)
      makeRoom(failures, holder)
      failures.set(holder, [...known, at])
    },
    removeLast(holder) {
      const left = failures.get(holder)?.slice(0, -1) ?? []
      if (left.length === 0) failures.delete(holder)
      else failures.set(holder, left)
    },
    remove: (holder) => failures.delete(holder),
  }
}

/** Whoever failed longest ago is forgotten first: a map keeps the order in which its keys were set. */
function makeRoom(map: Map<string, unknown>, key: string): void {
  map.delete(key)
  if (map.size < HOLDERS_MAX) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
