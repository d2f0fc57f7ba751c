// A user's own sessions and password. A new password leaves no other session open.

import { toUserActor } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { FoundSession } from '../../store/settings/session-store.ts'
import type { ApiServices } from '../api-options.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute, Call } from '../define-route.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { error } from '../route-answers.ts'
import {
  passwordChangeSchema,
  SESSION_ID_EXAMPLE,
  sessionListSchema,
  sessionSchema,
} from './account-contract.ts'
import type { PasswordChange, SessionList } from './account-contract.ts'
import { toSessionRow } from './account-row.ts'
import { sendBrowserCookie } from './known-browser.ts'
import { limitAttempt } from './limit-attempt.ts'
import { COOKIE, SIGNED_IN, SIGNED_IN_OR_NOT, TOO_MANY_ATTEMPTS } from './session-access.ts'
import { beginSession, toSessionAnswer } from './session-begin.ts'
import { addressOf, isSecure, sendCookie } from './session-check.ts'
import { clearSessionCookie } from './session-cookie.ts'

const defineRoute = routesOf('Sign-in')

export const SESSION_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/session', {
    name: 'getSession',
    summary: 'Who has signed in',
    access: SIGNED_IN,
    sight: 'anyone',
    answer: ok('The session.', sessionSchema),
    handle: ({ services, caller }) => toSessionAnswer(services, caller.session, caller.user),
  }),
  defineRoute('DELETE /v1/session', {
    name: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session of the cookie and clears it. It is idempotent.',
    access: SIGNED_IN_OR_NOT,
    sight: 'anyone',
    answers: { 204: { description: 'Signed out.', headers: COOKIE } },
    handle: async ({ context, services, caller }) => {
      if (caller !== null && caller !== 'ended') {
        await services.settings.as(toUserActor(caller.user)).sessions.end(caller.session.id)
      }
      clearSessionCookie(context, isSecure(services))
      return context.body(null, 204)
    },
  }),
  defineRoute('POST /v1/session/password', {
    name: 'changePassword',
    summary: 'Change your password',
    description: 'All your other sessions end.',
    access: SIGNED_IN,
    sight: 'anyone',
    body: { schema: passwordChangeSchema },
    answer: { ...ok('Your session.', sessionSchema), headers: COOKIE },
    answers: TOO_MANY_ATTEMPTS,
    handle: changePassword,
  }),
  defineRoute('GET /v1/sessions', {
    name: 'listSessions',
    summary: 'Where you are signed in',
    access: SIGNED_IN,
    sight: 'anyone',
    answer: ok('Your sessions, newest first.', sessionListSchema),
    handle: ({ services, caller }) => listSessions(services, caller),
  }),
  defineRoute('DELETE /v1/sessions/{id}', {
    name: 'endSession',
    summary: 'Sign out elsewhere',
    access: SIGNED_IN,
    sight: 'anyone',
    id: {
      description: 'The id of one of your sessions, `session_…`.',
      example: SESSION_ID_EXAMPLE,
    },
    answer: ok('Those that are left.', sessionListSchema),
    answers: { 404: error('`not_found`: you have no such session.') },
    handle: async ({ context, services, caller, id }) => {
      const { sessions } = services.settings.as(toUserActor(caller.user))
      const own = await sessions.list(caller.user.id)
      if (!own.some((session) => session.id === id) || !(await sessions.end(id))) {
        throw new WeirError('not_found', 'You have no such session.', {
          hint: 'GET /v1/sessions lists them.',
        })
      }
      if (id === caller.session.id) clearSessionCookie(context, isSecure(services))
      return listSessions(services, caller)
    },
  }),
]

async function changePassword(call: Call<FoundSession, object, PasswordChange>) {
  const { context, services, caller, body } = call
  const { session, user } = caller
  const { settings, signIn, passwords } = services
  if (!signIn.hasPassword || user.passwordHash === null) {
    throw invalidParameter('You sign in through the identity provider; there is no password here.')
  }
  // Someone who finds an open browser must not guess without limit.
  const address = addressOf(context, services)
  const attempt = { email: user.email, address, ownPlace: session.id }
  const { current_password: current } = body
  const checked = await limitAttempt(services, attempt, async () =>
    (await passwords.isMatch(current, user.passwordHash, 'known')) ? user : null,
  )
  if (checked.kind === 'wait') return checked.answer
  if (checked.kind === 'wrong') {
    throw invalidParameter('The body is refused: current_password is wrong.')
  }
  const { users, sessions } = settings.as(toUserActor(user))
  const passwordHash = await passwords.hash(body.password)
  const changed = await users.setPassword(user.id, passwordHash, session.id)
  if (changed === null) throw new WeirError('not_found', 'This user was removed meanwhile.')
  const rotated = await sessions.rotate(session.id)
  // Rotated within the last minute, so not again: a new session replaces it.
  if (rotated === null) return beginSession(context, services, changed)
  sendCookie(context, services, rotated)
  sendBrowserCookie(context, changed, isSecure(services))
  return toSessionAnswer(services, rotated.session, changed)
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
