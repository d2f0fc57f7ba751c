// The cookie of a session. Must stay true: no script reads it, no other site's page sends it, and
// it crosses no unencrypted line where the console is served by https.

import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'

export const SESSION_COOKIE = 'weir_session'

/** A credential and room for one that is malformed; more is not looked at. */
const COOKIE_CHARS_MAX = 512

export interface CookieRules {
  readonly maxAgeSeconds: number
  /** Below which paths it is sent. */
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

/** Whether the answer sets or clears it already. */
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
