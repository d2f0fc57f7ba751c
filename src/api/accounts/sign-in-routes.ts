// Sign-in by password, set-up link or invitation. All refusals look alike, take as long, and count.

import type { Context } from 'hono'
import type { Attempt } from '../../accounts/sign-in-attempts.ts'
import type { User } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import { ANYONE } from '../access.ts'
import type { ApiServices } from '../api-options.ts'
import { created, ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import {
  sessionRequestSchema,
  sessionSchema,
  setupRequestSchema,
  signInSchema,
  welcomeRequestSchema,
} from './account-contract.ts'
import { COOKIE, PASSWORD, SESSION_EXAMPLE, USER_EXAMPLE } from './account-examples.ts'
import { noteRefusal } from './note-refusal.ts'
import { FROM_OWN_PAGE } from './session-access.ts'
import { beginSession } from './session-begin.ts'
import { addressOf, tooManyAttempts } from './session-check.ts'

const { email, name } = USER_EXAMPLE
const CODE = 'as-in-the-link'

const defineRoute = routesOf('Sign-in')
const ANSWER = { ...created('Signed in.', sessionSchema, SESSION_EXAMPLE), headers: COOKIE }

export const SIGN_IN_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/sign-in', {
    name: 'getSignIn',
    summary: 'How people sign in here',
    access: ANYONE,
    answer: ok('What a sign-in page must know.', signInSchema, {
      needs_setup: false,
      has_password: true,
      oidc_name: 'Example SSO',
    }),
    handle: async ({ services: { settings, signIn } }) => ({
      needs_setup: await settings.setupCode.isOpen(),
      has_password: signIn.hasPassword,
      oidc_name: signIn.oidc?.name ?? null,
    }),
  }),
  defineRoute('POST /v1/setup', {
    name: 'setUp',
    summary: 'Make the first administrator, once',
    description:
      'Takes the one-time code of the link that Weir prints on its very first start, and signs in. An operator who lost it runs `weir users create` on the machine itself.',
    access: FROM_OWN_PAGE,
    body: { schema: setupRequestSchema, example: { code: CODE, email, name, password: PASSWORD } },
    answer: ANSWER,
    handle: ({ context, services, body: { code, password, ...given } }) =>
      tryToBegin(context, services, {
        attempt: { email: null, address: addressOf(context) },
        refusal:
          'This link is wrong or was used already. Make a user on the machine itself: weir users create --email EMAIL --role admin',
        prove: async () => {
          // Hashing is expensive: skip it for a link that is no longer valid.
          if (!(await services.settings.setupCode.isOpen())) return null
          const passwordHash = await services.passwords.hash(password)
          const user = { ...given, role: 'admin', passwordHash, subject: null } as const
          return services.settings.setupCode.redeem(code, user)
        },
      }),
  }),
  defineRoute('POST /v1/welcome', {
    name: 'setFirstPassword',
    summary: 'Set a password by a one-time link',
    description:
      "Takes the code of the link that an administrator made for a user, and signs in. The user's other sessions end.",
    access: FROM_OWN_PAGE,
    body: { schema: welcomeRequestSchema, example: { code: CODE, password: PASSWORD } },
    answer: ANSWER,
    handle: ({ context, services, body: { code, password } }) => {
      if (!services.signIn.hasPassword) throw passwordsAreOff()
      return tryToBegin(context, services, {
        attempt: { email: null, address: addressOf(context) },
        refusal:
          'This link is wrong, has expired or was used already. Ask an administrator for another.',
        prove: async () => {
          const passwordHash = await services.passwords.hash(password)
          const user = await services.settings.users.redeemLink(code, passwordHash)
          return user === null || user.disabledAt !== null ? null : user
        },
      })
    },
  }),
  defineRoute('POST /v1/session', {
    name: 'signIn',
    summary: 'Sign in by password',
    description:
      'For browsers. A session whose cookie comes along is ended. Five failures of one address from one place, fifty of one address, or thirty from one place, within 15 minutes have to wait.',
    access: FROM_OWN_PAGE,
    body: { schema: sessionRequestSchema, example: { email, password: PASSWORD } },
    answer: ANSWER,
    handle: ({ context, services, body }) => {
      const { settings, signIn, passwords } = services
      if (!signIn.hasPassword) throw passwordsAreOff()
      return tryToBegin(context, services, {
        attempt: { email: body.email, address: addressOf(context) },
        refusal: 'The email address or the password is wrong.',
        prove: async () => {
          const user = await settings.users.find({ email: body.email })
          const canSignIn = user !== null && user.disabledAt === null
          const kept = canSignIn ? user.passwordHash : null
          return (await passwords.isMatch(body.password, kept)) ? user : null
        },
      })
    },
  }),
]

interface Trial {
  readonly attempt: Attempt
  readonly refusal: string
  /** Null when the proof failed. */
  readonly prove: () => Promise<User | null>
}

async function tryToBegin(
  context: Context,
  services: ApiServices,
  { attempt, refusal, prove }: Trial,
) {
  const { signInAttempts } = services
  const waitSeconds = signInAttempts.take(attempt)
  if (waitSeconds !== null) {
    await noteRefusal(services, attempt.email)
    return tooManyAttempts(waitSeconds)
  }
  const user = await prove()
  if (user === null) {
    await noteRefusal(services, attempt.email)
    throw new WeirError('sign_in_refused', refusal)
  }
  signInAttempts.forget(attempt)
  return beginSession(context, services, user)
}

function passwordsAreOff(): WeirError {
  return new WeirError('sign_in_refused', 'Signing in by password is turned off here.')
}
