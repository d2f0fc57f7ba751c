// Why a sign-in is needed or failed, in words. Must stay true: an unknown code is shown as a
// failure and never itself, because anyone can write it into a link.

import { ApiError } from '../../data/api-error.ts'

const ASK_ADMINISTRATOR = 'Ask an administrator of Weir.'

/** Of /v1/oidc/callback; see src/api/accounts/oidc-routes.ts. */
const OIDC_TEXTS: ReadonlyMap<string, string> = new Map([
  ['oidc_unreachable', 'The identity provider could not be reached. Try again in a moment.'],
  ['oidc_refused', 'The identity provider did not confirm who you are. Try again.'],
  ['oidc_expired', 'Signing in took too long, or began in another browser. Try again.'],
  ['oidc_no_role', `You have no role in Weir yet. ${ASK_ADMINISTRATOR}`],
  ['oidc_no_email', `The identity provider did not send your email address. ${ASK_ADMINISTRATOR}`],
  [
    'oidc_email_unverified',
    'A user with your email address already exists, and the identity provider has not verified that the address is yours. Verify it there, then try again.',
  ],
  [
    'oidc_email_taken',
    `Your email address belongs to another user of the identity provider. ${ASK_ADMINISTRATOR}`,
  ],
  ['oidc_disabled', `Your account is disabled. ${ASK_ADMINISTRATOR}`],
  [
    'oidc_last_admin',
    'You are the last administrator, and the identity provider would make you a viewer. Make another administrator first.',
  ],
])

/** Null where nothing has happened. */
export function toSignInNotice(code: string | undefined) {
  if (code === undefined) return null
  if (code === 'ended') {
    return {
      isFault: false,
      text: 'Your session has ended. Sign in to continue where you left off.',
    }
  }
  const text = OIDC_TEXTS.get(code) ?? 'Signing in did not work. Try again.'
  return { isFault: true, text }
}

/** For a person who signs in: they made attempts, not requests. */
export function toAttemptFault(error: Error): Error {
  const isLimited = error instanceof ApiError && error.code === 'rate_limited'
  return isLimited ? new Error(error.message.replace('requests', 'attempts')) : error
}
