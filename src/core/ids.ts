// Identifiers and secrets. Request ids are UUIDv7 (RFC 9562): they sort by time, which keeps the
// usage store's inserts at the end of its index.

import { hash, randomBytes, randomFillSync, timingSafeEqual } from 'node:crypto'

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

// Randomness is drawn in blocks: one system call for 400 ids instead of one each.
const RANDOM_BLOCK_BYTES = 4000
const ID_RANDOM_BYTES = 10
const randomBlock = Buffer.alloc(RANDOM_BLOCK_BYTES)
let randomOffset = RANDOM_BLOCK_BYTES

/** A UUIDv7 of the given moment (milliseconds since the epoch). */
export function createRequestId(nowMs: number): string {
  if (randomOffset + ID_RANDOM_BYTES > RANDOM_BLOCK_BYTES) {
    randomFillSync(randomBlock)
    randomOffset = 0
  }
  const at = randomOffset
  randomOffset += ID_RANDOM_BYTES
  const time = nowMs.toString(16).padStart(12, '0')
  const hex = (index: number): string => HEX[randomBlock[at + index] as number] as string
  const version = HEX[0x70 | ((randomBlock[at] as number) & 0x0f)]
  const variant = HEX[0x80 | ((randomBlock[at + 2] as number) & 0x3f)]
  const tail = hex(4) + hex(5) + hex(6) + hex(7) + hex(8) + hex(9)
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}${hex(1)}-${variant}${hex(3)}-${tail}`
}

const KEY_PREFIX = 'svc_k_'
const TOKEN_PREFIX = 'svc_agt_'
const CREDENTIAL = /^(svc_k_|svc_agt_)([a-z0-9]{8,32})\.([A-Za-z0-9_-]{32,128})$/

/** A credential as its holder writes it: `<id>.<secret>`. */
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
