// Why somebody has to sign in, or could not, in words. Must stay true: a code that is not known is told as a failure and
// never shown itself, for anybody can write it into a link.

import { ApiError } from '../../data/api-error.ts'

export interface SignInNotice {
  readonly isFault: boolean
  readonly text: string
}

const ASK_ADMINISTRATOR = 'Ask an administrator of Weir.'

/** Of /v1/oidc/callback; see src/api/accounts/answer-oidc.ts. */
const OIDC_TEXTS: ReadonlyMap<string, string> = new Map([
  ['oidc_unreachable', 'The identity provider could not be reached. Try again in a moment.'],
  ['oidc_refused', 'The identity provider did not confirm who you are. Try again.'],
  ['oidc_expired', 'Signing in took too long, or began in another browser. Try again.'],
  ['oidc_no_role', `You are known, but nobody gave you a role here. ${ASK_ADMINISTRATOR}`],
  ['oidc_no_email', `The identity provider did not tell your email address. ${ASK_ADMINISTRATOR}`],
  [
    'oidc_email_unverified',
    'A user with your email address is here already, and the identity provider has not verified that it is yours. Verify it there, then try again.',
  ],
  [
    'oidc_email_taken',
    `Your email address belongs to somebody else of the identity provider. ${ASK_ADMINISTRATOR}`,
  ],
  ['oidc_disabled', `Your user is disabled. ${ASK_ADMINISTRATOR}`],
  [
    'oidc_last_admin',
    'You are the last administrator, and the identity provider would make you a viewer. Make another administrator first.',
  ],
])

/** Null where nothing has happened. */
export function toSignInNotice(code: string | undefined): SignInNotice | null {
  if (code === undefined) return null
  if (code === 'ended') {
    return { isFault: false, text: 'Your session has ended. Sign in to go on where you were.' }
  }
  const text = OIDC_TEXTS.get(code) ?? 'Signing in did not work. Try again.'
  return { isFault: true, text }
}

/** A refusal as somebody who signs in understands it: they made attempts, not requests. */
export function toAttemptFault(error: Error): Error {
  const isLimited = error instanceof ApiError && error.code === 'rate_limited'
  return isLimited ? new Error(error.message.replace('requests just now', 'attempts')) : error
}
