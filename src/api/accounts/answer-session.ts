// One's own sessions: seen, ended, and given another password. Must stay true: nobody sees or ends a session of somebody
// else here, and a new password leaves no other session open.

import type { Context } from 'hono'
import { hashPassword, isPasswordOf } from '../../accounts/password-hash.ts'
import { toUserActor } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { FoundSession } from '../../store/settings/session-store.ts'
import { toSessionRow } from './account-row.ts'
import { noteRefusal } from './answer-sign-in.ts'
import type { ApiServices } from '../api-options.ts'
import { passwordChangeSchema } from '../contract.ts'
import type { SessionList } from '../contract.ts'
import { readBody } from '../parse-body.ts'
import { invalidParameter, refuseParameters } from '../parse-parameters.ts'
import { beginSession, toSessionAnswer } from './session-begin.ts'
import { givenSession, requireSession } from './session-context.ts'
import { clearSessionCookie } from './session-cookie.ts'
import { addressOf, isSecure, sendCookie, tooManyAttempts } from './session-gate.ts'

export async function answerSession(context: Context): Promise<Response> {
  const { session, user } = requireSession(context)
  refuseParameters(new URL(context.req.url).searchParams)
  return context.json(toSessionAnswer(session, user))
}

/** Signing out twice is no fault. */
export async function answerSignOut(context: Context, services: ApiServices): Promise<Response> {
  refuseParameters(new URL(context.req.url).searchParams)
  const given = givenSession(context)
  if (given !== null && given !== 'ended') {
    await services.settings.as(toUserActor(given.user)).sessions.end(given.session.id)
  }
  clearSessionCookie(context, isSecure(services))
  return context.body(null, 204)
}

export async function answerPassword(context: Context, services: ApiServices): Promise<Response> {
  const { settings, signIn, signInAttempts } = services
  const { session, user } = requireSession(context)
  refuseParameters(new URL(context.req.url).searchParams)
  const given = await readBody(context, passwordChangeSchema)
  if (!signIn.hasPassword || user.passwordHash === null) {
    throw invalidParameter('You sign in through the identity provider; there is no password here.')
  }
  // Whoever finds a browser open is not let guess for as long as they like.
  const attempt = { email: user.email, address: addressOf(context) }
  const waitSeconds = signInAttempts.take(attempt)
  if (waitSeconds !== null) return tooManyAttempts(waitSeconds)
  if (!(await isPasswordOf(given.current_password, user.passwordHash))) {
    await noteRefusal(services, user.email)
    throw invalidParameter('The body is refused: current_password is wrong.')
  }
  signInAttempts.forget(attempt)
  const { users, sessions } = settings.as(toUserActor(user))
  const changed = await users.setPassword(user.id, await hashPassword(given.password), session.id)
  if (changed === null) throw new WeirError('not_found', 'This user was removed meanwhile.')
  const rotated = await sessions.rotate(session.id)
  // Rotated within the minute already, and so not again: another takes its place.
  if (rotated === null) return context.json(await beginSession(context, services, changed))
  sendCookie(context, services, rotated)
  return context.json(toSessionAnswer(rotated.session, changed))
}

export async function answerSessions(context: Context, services: ApiServices): Promise<Response> {
  const found = requireSession(context)
  refuseParameters(new URL(context.req.url).searchParams)
  return context.json(await listSessions(services, found))
}

export async function answerSessionEnd(context: Context, services: ApiServices): Promise<Response> {
  const found = requireSession(context)
  refuseParameters(new URL(context.req.url).searchParams)
  const { sessions } = services.settings.as(toUserActor(found.user))
  const own = await sessions.list(found.user.id)
  const named = own.find(({ id }) => id === context.req.param('id'))
  if (named === undefined || !(await sessions.end(named.id))) {
    throw new WeirError('not_found', 'You have no such session.', {
      hint: 'GET /v1/sessions lists them.',
    })
  }
  if (named.id === found.session.id) clearSessionCookie(context, isSecure(services))
  return context.json(await listSessions(services, found))
}

async function listSessions(
  { settings, clock, signIn }: ApiServices,
  { session, user }: FoundSession,
): Promise<SessionList> {
  const idleSinceMs = clock.now() - signIn.idleMs
  const sessions = await settings.sessions.list(user.id)
  const open = sessions.filter(({ lastSeenAt }) => lastSeenAt >= idleSinceMs)
  return { rows: open.map((each) => toSessionRow(each, session.id)) }
}
