// Password hashes: scrypt, each with its own salt. Must stay true: the time of a check does not
// reveal whether a user exists, and only a few hashes are computed in parallel.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { WeirError } from '../core/weir-error.ts'

export interface ScryptCost {
  /** N, a power of two. */
  readonly rounds: number
  /** r */
  readonly blocks: number
  /** p */
  readonly lanes: number
}

/** As the OWASP cheat sheet on password storage asks for at 32 MiB. */
export const PASSWORD_COST: ScryptCost = { rounds: 32_768, blocks: 8, lanes: 3 }

const SALT_BYTES = 16
const HASH_BYTES = 32
/** More would take the thread pool from the disk, and a small machine's cores from the calls. */
const RUNNING_MAX = 1
/** Of each kind: those who have proved something, and strangers. */
const WAITING_MAX = 32
/** A stored hash may ask for no more than this. */
const MEMORY_BYTES_MAX = 134_217_728
const FORMAT = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/

export interface Passwords {
  /**
   * `scrypt$N$r$p$salt$hash`, for who has proved to be allowed to: it does not wait for strangers.
   * Throws `rate_limited` when too many wait.
   */
  hash(password: string, cost?: ScryptCost): Promise<string>
  /** For null, a user without a password, it does the same work and is false. Throws as above. */
  isMatch(password: string, passwordHash: string | null, from?: Asker): Promise<boolean>
}

/** `known`: a session, or a browser that the user has signed in with. They are served first. */
export type Asker = 'known' | 'stranger'

/** Create one per process: the limit on parallel hashes is per instance. */
export function createPasswords(newCost = PASSWORD_COST): Passwords {
  const inTurn = createQueue()
  const noOnes: KeptHash = {
    salt: randomBytes(SALT_BYTES),
    hash: randomBytes(HASH_BYTES),
    cost: newCost,
  }
  return {
    async hash(password, cost = newCost) {
      const salt = randomBytes(SALT_BYTES)
      const hash = await inTurn('known', () => derive(password, salt, cost))
      const { rounds, blocks, lanes } = cost
      const texts = [salt, hash].map((bytes) => bytes.toString('base64url'))
      return ['scrypt', rounds, blocks, lanes, ...texts].join('$')
    },
    async isMatch(password, passwordHash, from = 'stranger') {
      const kept = passwordHash === null ? null : parseHash(passwordHash)
      const { salt, hash, cost } = kept ?? noOnes
      const given = await inTurn(from, () => derive(password, salt, cost))
      return timingSafeEqual(given, hash) && kept !== null
    },
  }
}

interface KeptHash {
  readonly salt: Buffer
  readonly hash: Buffer
  readonly cost: ScryptCost
}

function parseHash(text: string): KeptHash | null {
  const match = FORMAT.exec(text)
  if (match === null) return null
  const [, rounds, blocks, lanes, salt = '', hash = ''] = match
  return {
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
    cost: { rounds: Number(rounds), blocks: Number(blocks), lanes: Number(lanes) },
  }
}

function derive(password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  // One letter has several encodings; a password typed on another device must still match.
  const text = password.normalize('NFKC')
  const options = { N: cost.rounds, r: cost.blocks, p: cost.lanes, maxmem: MEMORY_BYTES_MAX }
  scrypt(text, salt, HASH_BYTES, options, (error, key) => {
    if (error === null) resolve(key)
    else reject(error)
  })
  return promise
}

type Queue = (from: Asker, work: () => Promise<Buffer>) => Promise<Buffer>

function createQueue(): Queue {
  let running = 0
  const waiting: Record<Asker, (() => void)[]> = { known: [], stranger: [] }
  return async (from, work) => {
    if (running >= RUNNING_MAX) {
      if (waiting[from].length >= WAITING_MAX) {
        throw new WeirError('rate_limited', 'Too many are signing in at once.', {
          hint: 'Try again in a few seconds.',
        })
      }
      // The call that ends passes its place on: it is never free in between.
      await new Promise<void>((resolve) => waiting[from].push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.known.shift() ?? waiting.stranger.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
