// Identifiers and secrets. Request ids are UUIDv7 (RFC 9562): they sort by time, which keeps the
// usage store's inserts at the end of its index.

import { hash, randomBytes, randomFillSync, timingSafeEqual } from 'node:crypto'

const DIGITS = Buffer.from('0123456789abcdef')

// Randomness is drawn in blocks: one system call for 400 ids instead of one each.
const RANDOM_BLOCK_BYTES = 4000
const ID_RANDOM_BYTES = 10
const randomBlock = Buffer.alloc(RANDOM_BLOCK_BYTES)
let randomOffset = RANDOM_BLOCK_BYTES

// Built as bytes and read once: a concatenated string takes twice as long to turn into JSON.
const idText = Buffer.from('00000000-0000-7000-8000-000000000000')
/** Where the random bytes are: after the time, around the dashes. */
const RANDOM_PLACES = [14, 16, 19, 21, 24, 26, 28, 30, 32, 34]
const TIME_PLACES = [12, 11, 10, 9, 7, 6, 5, 4, 3, 2, 1, 0]

export function createRequestId(nowMs: number): string {
  if (randomOffset + ID_RANDOM_BYTES > RANDOM_BLOCK_BYTES) {
    randomFillSync(randomBlock)
    randomOffset = 0
  }
  const variantByte = randomBlock[randomOffset + 2] as number
  let time = nowMs
  for (const place of TIME_PLACES) {
    const rest = Math.floor(time / 16)
    idText[place] = DIGITS[time - rest * 16] as number
    time = rest
  }
  for (const place of RANDOM_PLACES) {
    const byte = randomBlock[randomOffset++] as number
    idText[place] = DIGITS[byte >> 4] as number
    idText[place + 1] = DIGITS[byte & 15] as number
  }
  // The version, 7, and the variant, whose first two bits are 10.
  idText[14] = DIGITS[7] as number
  idText[19] = DIGITS[8 | ((variantByte >> 4) & 3)] as number
  return idText.toString('latin1')
}

const KEY_PREFIX = 'svc_k_'
const TOKEN_PREFIX = 'svc_agt_'
const SESSION_PREFIX = 'session_'
const REFRESH_PREFIX = 'svc_rt_'
const CREDENTIAL = /^(svc_k_|svc_agt_|svc_rt_|session_)([a-z0-9]{8,32})\.([A-Za-z0-9_-]{32,128})$/

/** A credential as callers send it: `<id>.<secret>`. */
export interface Credential {
  readonly id: string
  readonly secret: string
}

export function createKeyCredential(): Credential {
  return createCredential(KEY_PREFIX)
}

export function createTokenCredential(): Credential {
  return createCredential(TOKEN_PREFIX)
}

export function createSessionCredential(): Credential {
  return createCredential(SESSION_PREFIX)
}

/** Of the sign-in of a device: its id stays, and its secret works once. */
export function createRefreshCredential(): Credential {
  return createCredential(REFRESH_PREFIX)
}

function createCredential(prefix: string): Credential {
  return { id: prefix + randomBytes(8).toString('hex'), secret: createSecret() }
}

/** 256 random bits; the contract asks for 192. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function formatCredential(credential: Credential): string {
  return `${credential.id}.${credential.secret}`
}

export function parseKeyCredential(text: string): Credential | null {
  return parseCredential(KEY_PREFIX, text)
}

export function parseTokenCredential(text: string): Credential | null {
  return parseCredential(TOKEN_PREFIX, text)
}

export function parseSessionCredential(text: string): Credential | null {
  return parseCredential(SESSION_PREFIX, text)
}

export function parseRefreshCredential(text: string): Credential | null {
  return parseCredential(REFRESH_PREFIX, text)
}

function parseCredential(prefix: string, text: string): Credential | null {
  const match = CREDENTIAL.exec(text)
  if (match === null || match[1] !== prefix) return null
  return { id: prefix + match[2], secret: match[3] as string }
}

/** SHA-256 in hex. Secrets have 256 random bits, so a slow hash would protect nothing more. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

/** Compares in constant time. */
export function isSecretOf(secret: string, secretHash: string): boolean {
  const given = hash('sha256', secret, 'buffer')
  const stored = Buffer.from(secretHash, 'hex')
  return stored.length === given.length && timingSafeEqual(stored, given)
}
