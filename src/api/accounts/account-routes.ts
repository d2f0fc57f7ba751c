// The paths of people: signing in, sessions, users, and who changed what.

import type { Context, Hono } from 'hono'
import { addGet, addPath } from '../add-path.ts'
import { answerAudit } from './answer-audit.ts'
import { createOidcAnswers } from './answer-oidc.ts'
import {
  answerPassword,
  answerSession,
  answerSessionEnd,
  answerSessions,
  answerSignOut,
} from './answer-session.ts'
import { answerNewSession, answerSetup, answerSignIn, answerWelcome } from './answer-sign-in.ts'
import {
  answerNewUser,
  answerUserChange,
  answerUserEnd,
  answerUserLink,
  answerUsers,
} from './answer-users.ts'
import type { ApiServices } from '../api-options.ts'

type Answer = (context: Context, services: ApiServices) => Promise<Response>

export function addAccountPaths(app: Hono, services: ApiServices): void {
  const by = (answer: Answer) => (context: Context) => answer(context, services)
  addGet(app, '/v1/sign-in', by(answerSignIn))
  addPath(app, '/v1/setup', { POST: by(answerSetup) })
  addPath(app, '/v1/welcome', { POST: by(answerWelcome) })
  addPath(app, '/v1/session', {
    GET: answerSession,
    POST: by(answerNewSession),
    DELETE: by(answerSignOut),
  })
  addPath(app, '/v1/session/password', { POST: by(answerPassword) })
  addGet(app, '/v1/sessions', by(answerSessions))
  addPath(app, '/v1/sessions/:id', { DELETE: by(answerSessionEnd) })
  const oidc = createOidcAnswers(services)
  addGet(app, '/v1/oidc/start', oidc.answerStart)
  addGet(app, '/v1/oidc/callback', oidc.answerCallback)
  addPath(app, '/v1/users', { GET: by(answerUsers), POST: by(answerNewUser) })
  addPath(app, '/v1/users/:id', { PATCH: by(answerUserChange), DELETE: by(answerUserEnd) })
  addPath(app, '/v1/users/:id/link', { POST: by(answerUserLink) })
  addGet(app, '/v1/audit', by(answerAudit))
}
