// Checks a session cookie where no token was sent. Another site's page changes nothing with it, and
// a used session gets a new secret from time to time.

import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { FoundSession } from '../../store/settings/session-store.ts'
import { TOUCH_INTERVAL_MS } from '../../store/settings/token-store.ts'
import { describeError } from '../answer-error.ts'
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

/** How long a leaked secret is of use: once both sides go on using it, the session ends. */
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

/** A failure must not lose the answer: it may contain a secret that is shown only once. */
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
  // After the answer, as for tokens.
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
  // No cache may store an answer that sets a secret.
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

/** Browsers keep a Secure cookie only where they themselves see TLS: the public URL decides. */
export function isSecure({ signIn }: ApiServices): boolean {
  return signIn.publicUrl?.startsWith('https:') ?? signIn.isTls
}

export function addressOf(context: Context, { clientAddress }: ApiServices): string {
  const { incoming } = context.env as Partial<HttpBindings>
  return incoming === undefined ? 'unknown' : clientAddress(incoming)
}
