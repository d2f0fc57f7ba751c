// Slows the guessing of passwords down. Must stay true: an attempt counts before its password is
// checked, so that parallel attempts gain nothing; and no wait is longer than a minute, so that no
// one is locked out by the failures of others.

import { isIP } from 'node:net'
import type { Bucket, CounterStore } from '../store/settings/counter-store.ts'

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
  take(attempt: Attempt): Promise<number | null>
  /** The password was not checked. */
  undo(attempt: Attempt): Promise<void>
  /** After success: the email has failed nowhere here, and this was no failure elsewhere. */
  forget(attempt: Attempt): Promise<void>
  /** Whether a refusal may go to the audit log now. */
  takeNote(name: string): Promise<boolean>
}

export function createSignInAttempts(counters: CounterStore): SignInAttempts {
  async function undo(attempt: Attempt): Promise<void> {
    for (const bucket of bucketsOf(attempt)) await counters.giveBack(bucket, 'one')
  }

  return {
    async take(attempt) {
      const waitMs = await counters.fill(bucketsOf(attempt))
      return waitMs > 0 ? Math.ceil(waitMs / 1000) : null
    },
    undo,
    async forget(attempt) {
      await undo(attempt)
      const { email, address, ownPlace } = attempt
      if (email === null) return
      await counters.giveBack(pairBucket(email, ownPlace ?? toPlace(address)), 'all')
    },
    async takeNote(name) {
      const ofName: Bucket = { group: 'refusal', name, size: 1, everyMs: NOTE_INTERVAL_MS }
      if ((await counters.fill([ofName])) > 0) return false
      const ofAll = { group: 'refusals', name: 'all', limit: NOTES_PER_HOUR_MAX, windowMs: HOUR_MS }
      const { isAllowed } = await counters.take(ofAll)
      if (!isAllowed) await counters.giveBack(ofName, 'one')
      return isAllowed
    },
  }
}

function bucketsOf({ email, address, ownPlace = null }: Attempt): readonly Bucket[] {
  const place = toPlace(address)
  const byAddress = toBucket('sign-in address', place, ADDRESS_ALLOWANCE)
  if (email === null) return [byAddress]
  if (ownPlace !== null) return [pairBucket(email, ownPlace)]
  return [byAddress, toBucket('sign-in email', email, EMAIL_ALLOWANCE), pairBucket(email, place)]
}

function pairBucket(email: string, place: string): Bucket {
  return toBucket('sign-in pair', toPair(email, place), PAIR_ALLOWANCE)
}

function toBucket(group: string, name: string, { failures, everyMs }: Allowance): Bucket {
  return { group, name, size: failures, everyMs }
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
