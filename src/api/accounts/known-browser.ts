// A cookie by which a browser shows that its user has signed in with it before, so that its
// attempts are limited by its own failures alone (OWASP calls it a device cookie). It signs no one
// in. Must stay true: only a sign-in gives one out, for that user, and a new password voids it.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import type { User } from '../../core/user.ts'
import { addCookie, readCookie } from './session-cookie.ts'

export const BROWSER_COOKIE = 'weir_browser'

const NAME_BYTES = 16
const MAX_AGE_SECONDS = 31_536_000
const FORMAT = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/

type Signer = Pick<User, 'id' | 'passwordHash'>

/** The browser's name if the user has signed in with it, or null. Takes as long for no user. */
export function findKnownBrowser(context: Context, user: Signer | null): string | null {
  const [, name, given] = FORMAT.exec(readCookie(context, BROWSER_COOKIE) ?? '') ?? []
  if (name === undefined || given === undefined) return null
  const isRight = timingSafeEqual(sign(name, user), Buffer.from(given, 'base64url'))
  return isRight && user !== null && user.passwordHash !== null ? name : null
}

/** For a user without a password it does nothing. */
export function sendBrowserCookie(context: Context, user: Signer, isSecure: boolean): void {
  if (user.passwordHash === null) return
  const name = randomBytes(NAME_BYTES).toString('base64url')
  const value = `${name}.${sign(name, user).toString('base64url')}`
  addCookie(context, `${BROWSER_COOKIE}=${value}`, {
    maxAgeSeconds: MAX_AGE_SECONDS,
    path: '/v1/session',
    sameSite: 'Strict',
    isSecure,
  })
}

/** The key is the password's salted hash: nothing else has to be kept, and it reveals nothing. */
function sign(name: string, user: Signer | null): Buffer {
  const key = user?.passwordHash ?? ''
  return createHmac('sha256', key)
    .update(`weir browser ${user?.id ?? ''} ${name}`)
    .digest()
}
