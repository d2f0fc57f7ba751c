// Begins a session. Must stay true: it is new; a cookie that was sent, perhaps planted, is ended.

import type { Context } from 'hono'
import { hasScope } from '../../core/api-key.ts'
import { scopesOf } from '../../core/teams/sight.ts'
import { ROLE_SCOPES, toUserActor } from '../../core/user.ts'
import type { Session, User } from '../../core/user.ts'
import { toUserRow } from './account-row.ts'
import type { ApiServices } from '../api-options.ts'
import type { SessionAnswer } from '../contract.ts'
import { readSight } from '../sight/read-sight.ts'
import { givenSession } from './session-context.ts'
import { addressOf, isSecure, sendCookie } from './session-check.ts'
import { sendBrowserCookie } from './known-browser.ts'

const AGENT_CHARS_MAX = 200

export async function beginSession(
  context: Context,
  services: ApiServices,
  user: User,
): Promise<SessionAnswer> {
  const { settings, clock, signIn } = services
  const { sessions } = settings.as(toUserActor(user))
  const given = givenSession(context)
  if (given !== null && given !== 'ended') await sessions.end(given.session.id)
  const begun = await sessions.create({
    userId: user.id,
    expiresAt: clock.now() + signIn.sessionMs,
    agent: context.req.header('user-agent')?.slice(0, AGENT_CHARS_MAX) ?? null,
    address: addressOf(context, services),
  })
  sendCookie(context, services, begun)
  if (signIn.hasPassword) sendBrowserCookie(context, user, isSecure(services))
  services.countSignIn?.('done')
  return toSessionAnswer(services, begun.session, {
    ...user,
    lastSignInAt: begun.session.createdAt,
  })
}

export async function toSessionAnswer(
  { teamDirectory }: Pick<ApiServices, 'teamDirectory'>,
  session: Session,
  user: User,
): Promise<SessionAnswer> {
  const scopes = ROLE_SCOPES[user.role]
  const ofTeams = scopesOf(await readSight(user.id, teamDirectory))
  return {
    id: session.id,
    user: toUserRow(user),
    scopes: [...new Set([...scopes, ...(hasScope({ scopes }, 'admin') ? [] : ofTeams)])],
    created_at: new Date(session.createdAt).toISOString(),
    expires_at: new Date(session.expiresAt).toISOString(),
  }
}
