// Checks the session cookie of a request. A token that is sent wins; a cookie changes nothing for
// another site's page; a session that is used is given a new secret now and then, on whatever
// answer is next.

import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { FoundSession } from '../../store/settings/session-store.ts'
import { TOUCH_INTERVAL_MS } from '../../store/settings/token-store.ts'
import { describeError, errorResponse } from '../answer-error.ts'
import type { ApiServices } from '../api-options.ts'
import { refuseCrossSite } from './same-origin.ts'
import { setSession } from './session-context.ts'
import {
  SESSION_COOKIE,
  clearSessionCookie,
  hasSessionCookie,
  readCookie,
  setSessionCookie,
} from './session-cookie.ts'

/** A leaked secret is of use for as long; the session ends when both sides go on with it. */
export const ROTATION_INTERVAL_MS = 900_000

export function createSessionCheck(services: ApiServices): MiddlewareHandler {
  const { settings, clock, signIn } = services
  return async (context, next) => {
    const credential = readCookie(context, SESSION_COOKIE)
    if (credential === null || context.req.header('authorization') !== undefined) return next()
    refuseCrossSite(context, { publicUrl: signIn.publicUrl, hasCookie: true })
    const found = await settings.sessions.find(credential, clock.now() - signIn.idleMs)
    setSession(context, found ?? 'ended')
    await next()
    if (hasSessionCookie(context)) return
    if (found === null) clearSessionCookie(context, isSecure(services))
    else await keepUp(context, services, found)
  }
}

/** The answer stands whatever comes of it: it may contain a secret that is shown this once. */
async function keepUp(context: Context, services: ApiServices, found: FoundSession): Promise<void> {
  noteUse(services, found)
  try {
    await rotateWhenDue(context, services, found)
  } catch (error) {
    services.log.warn({ error: describeError(error) }, 'A session was not given a new secret')
  }
}

function noteUse({ settings, clock, log }: ApiServices, { session }: FoundSession): void {
  if (session.lastSeenAt > clock.now() - TOUCH_INTERVAL_MS) return
  // Behind the answer, as for tokens.
  setImmediate(() => {
    settings.sessions.touch(session.id).catch((error: unknown) => {
      log.warn({ error: describeError(error) }, 'The last use of a session was not noted')
    })
  })
}

async function rotateWhenDue(
  context: Context,
  services: ApiServices,
  { session, isOldSecret }: FoundSession,
): Promise<void> {
  const { settings, clock } = services
  if (isOldSecret || session.rotatedAt > clock.now() - ROTATION_INTERVAL_MS) return
  const rotated = await settings.sessions.rotate(session.id, { canWait: false })
  if (rotated === null) return
  sendCookie(context, services, rotated)
  // No cache may keep an answer with a secret in its head.
  context.header('Cache-Control', 'no-store')
}

export function sendCookie(
  context: Context,
  services: ApiServices,
  { session, credential }: { session: { expiresAt: number }; credential: string },
): void {
  const leftMs = Math.max(0, session.expiresAt - services.clock.now())
  setSessionCookie(context, credential, {
    maxAgeSeconds: Math.ceil(leftMs / 1000),
    isSecure: isSecure(services),
  })
}

export function isSecure({ signIn }: ApiServices): boolean {
  return signIn.publicUrl?.startsWith('https:') ?? false
}

/** Of the other end of the connection: what a header says of it, any caller could write. */
export function addressOf(context: Context): string {
  const { incoming } = context.env as Partial<HttpBindings>
  return incoming?.socket.remoteAddress ?? 'unknown'
}

export function tooManyAttempts(waitSeconds: number): Response {
  const text = `Too many attempts to sign in have failed. Try again in ${waitSeconds} s.`
  return errorResponse('rate_limited', text, { 'Retry-After': String(waitSeconds) })
}
