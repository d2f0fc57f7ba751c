// A session's cookie. Must stay true: HttpOnly, SameSite=Strict, and Secure where there is TLS.

import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'

export const SESSION_COOKIE = 'weir_session'

/** A credential, with room to spare; anything longer is ignored. */
const COOKIE_CHARS_MAX = 512

export interface CookieRules {
  readonly maxAgeSeconds: number
  readonly path: string
  readonly sameSite: 'Strict' | 'Lax'
  readonly isSecure: boolean
}

/** Null where there is none. */
export function readCookie(
  context: Context,
  name: string,
  charsMax = COOKIE_CHARS_MAX,
): string | null {
  const value = getCookie(context, name)
  return value === undefined || value === '' ? null : value.slice(0, charsMax)
}

export function setSessionCookie(
  context: Context,
  credential: string,
  rules: Pick<CookieRules, 'maxAgeSeconds' | 'isSecure'>,
): void {
  const { maxAgeSeconds, isSecure } = rules
  addCookie(context, `${SESSION_COOKIE}=${credential}`, {
    maxAgeSeconds,
    isSecure,
    path: '/',
    sameSite: 'Strict',
  })
}

export function clearSessionCookie(context: Context, isSecure: boolean): void {
  setSessionCookie(context, '', { maxAgeSeconds: 0, isSecure })
}

export function hasSessionCookie(context: Context): boolean {
  return context.res.headers
    .getSetCookie()
    .some((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`))
}

export function addCookie(context: Context, pair: string, rules: CookieRules): void {
  const { maxAgeSeconds, path, sameSite, isSecure } = rules
  const parts = [
    pair,
    `Path=${path}`,
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
  ]
  context.header('Set-Cookie', [...parts, ...(isSecure ? ['Secure'] : [])].join('; '), {
    append: true,
  })
}
