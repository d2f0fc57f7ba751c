// Access for people: those who are signed in, or are about to be, from a page of our own.

import type { FoundSession } from '../../store/settings/session-store.ts'
import { CHALLENGE, SESSION_SECURITY } from '../access.ts'
import type { Access } from '../access.ts'
import { error, header } from '../route-answers.ts'
import type { Answers } from '../route-answers.ts'
import { refuseCrossSite } from './same-origin.ts'
import { givenSession, requireSession } from './session-context.ts'
import type { GivenSession } from './session-context.ts'

const CROSS_SITE: Answers = {
  403: error("`cross_site`: another site's page asked for it.", {
    error:
      "This was not asked for by a page of Weir's own. Programs send an access token instead of a cookie.",
    code: 'cross_site',
  }),
}

export const COOKIE = {
  'Set-Cookie': header(
    '`weir_session=…; Path=/; HttpOnly; SameSite=Strict`; signing in sets `weir_browser` too.',
  ),
}

export const TOO_MANY_ATTEMPTS: Answers = {
  429: {
    ...error('`rate_limited`: too many attempts have failed.', {
      error: 'Too many attempts to sign in have failed. Try again in 58 s.',
      code: 'rate_limited',
    }),
    headers: { 'Retry-After': header('Whole seconds.', 'integer') },
  },
}

export const SIGNED_IN: Access<FoundSession> = {
  needs: 'Needs the cookie of a session, not a token.',
  security: SESSION_SECURITY,
  faults: (method) => ({
    401: { ...error('`unauthorized`: no one has signed in.'), headers: CHALLENGE },
    ...(method !== 'GET' && CROSS_SITE),
  }),
  check: requireSession,
}

/** A browser whose session has ended may sign out as well. */
export const SIGNED_IN_OR_NOT: Access<GivenSession | null> = {
  needs: null,
  security: SESSION_SECURITY,
  faults: () => CROSS_SITE,
  check: givenSession,
}

/** Without a cookie too: another site must not sign its visitor in as another user. */
export const FROM_OWN_PAGE: Access<null> = {
  needs: null,
  faults: () => ({
    401: error('`sign_in_refused`: it was not right.', {
      error: 'The email address or the password is wrong.',
      code: 'sign_in_refused',
    }),
    ...CROSS_SITE,
    ...TOO_MANY_ATTEMPTS,
  }),
  check: (context, { signIn }) => {
    refuseCrossSite(context, { publicUrl: signIn.publicUrl, hasCookie: false })
    return null
  },
}
