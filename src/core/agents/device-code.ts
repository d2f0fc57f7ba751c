// The codes and the lives of a sign-in by device code (RFC 8628), as Claude Code does it.

import { randomInt } from 'node:crypto'

/** RFC 8628, section 6.1: no vowels, so no words, and nothing that is taken for something else. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE = new RegExp(`^[${LETTERS}]{8}$`)

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

export const DEVICE_CODE_MS = 10 * MINUTE_MS
export const POLL_SECONDS = 5
/** A person who is deactivated is out at the next call, so a token need not be short-lived. */
export const ACCESS_MS = DAY_MS
/** Calls that run, and other windows of the same client, go on with the token before. */
export const ACCESS_GRACE_MS = 10 * MINUTE_MS
/** Without use. */
export const REFRESH_MS = 30 * DAY_MS

/** `WDJB-MJHT`: 20 to the power of 8, some 34 bits. */
export function createUserCode(): string {
  const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)])
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
}

/** However it was typed; null for what is no code. */
export function parseUserCode(text: string): string | null {
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, '')
  return CODE.test(letters) ? `${letters.slice(0, 4)}-${letters.slice(4)}` : null
}
