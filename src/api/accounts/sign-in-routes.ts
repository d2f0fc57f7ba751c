// Sign-in by password, set-up link or invitation. Refused passwords look alike, take as long, and
// count; the code of a link cannot be guessed, and a right one is not subject to any limit.

import type { Context } from 'hono'
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
import type { SessionRequest } from './account-contract.ts'
import { findKnownBrowser } from './known-browser.ts'
import { limitAttempt } from './limit-attempt.ts'
import { COOKIE, FROM_OWN_PAGE } from './session-access.ts'
import { beginSession } from './session-begin.ts'
import { addressOf } from './session-check.ts'

const defineRoute = routesOf('Sign-in')
const ANSWER = { ...created('Signed in.', sessionSchema), headers: COOKIE }

export const SIGN_IN_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/sign-in', {
    name: 'getSignIn',
    summary: 'How people sign in here',
    access: ANYONE,
    sight: 'anyone',
    answer: ok('What a sign-in page must know.', signInSchema),
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
    sight: 'anyone',
    body: { schema: setupRequestSchema },
    answer: ANSWER,
    handle: ({ context, services, body: { code, password, ...given } }) => {
      const { setupCode } = services.settings
      return beginByCode(context, services, {
        refusal:
          'This link is wrong or was used already. Make a user on the machine itself: weir users create --email EMAIL --role admin',
        isRight: () => setupCode.isRight(code),
        redeem: async () => {
          const passwordHash = await services.passwords.hash(password)
          return setupCode.redeem(code, { ...given, role: 'admin', passwordHash, subject: null })
        },
      })
    },
  }),
  defineRoute('POST /v1/welcome', {
    name: 'setFirstPassword',
    summary: 'Set a password by a one-time link',
    description:
      "Takes the code of the link that an administrator made for a user, and signs in. The user's other sessions end.",
    access: FROM_OWN_PAGE,
    sight: 'anyone',
    body: { schema: welcomeRequestSchema },
    answer: ANSWER,
    handle: ({ context, services, body: { code, password } }) => {
      if (!services.signIn.hasPassword) throw passwordsAreOff()
      const { users } = services.settings
      return beginByCode(context, services, {
        refusal:
          'This link is wrong, has expired or was used already. Ask an administrator for another.',
        isRight: () => users.isLinkOpen(code),
        redeem: async () => users.redeemLink(code, await services.passwords.hash(password)),
      })
    },
  }),
  defineRoute('POST /v1/session', {
    name: 'signIn',
    summary: 'Sign in by password',
    description:
      'For browsers. A session whose cookie comes along is ended. After five failures of one address from one place, ten of one address, or thirty from one place, attempts have to wait, at most a minute each.',
    access: FROM_OWN_PAGE,
    sight: 'anyone',
    body: { schema: sessionRequestSchema },
    answer: ANSWER,
    handle: ({ context, services, body }) => {
      if (!services.signIn.hasPassword) throw passwordsAreOff()
      return beginByPassword(context, services, body)
    },
  }),
]

async function beginByPassword(
  context: Context,
  services: ApiServices,
  { email, password }: SessionRequest,
) {
  const { settings, passwords } = services
  const found = await settings.users.find({ email })
  const user = found === null || found.disabledAt !== null ? null : found
  const ownPlace = findKnownBrowser(context, user)
  const attempt = { email, address: addressOf(context, services), ownPlace }
  const from = ownPlace === null ? 'stranger' : 'known'
  const checked = await limitAttempt(services, attempt, async () =>
    (await passwords.isMatch(password, user?.passwordHash ?? null, from)) ? user : null,
  )
  if (checked.kind === 'wait') return checked.answer
  if (checked.kind === 'right') return beginSession(context, services, checked.proof)
  throw new WeirError('sign_in_refused', 'The email address or the password is wrong.')
}

interface Code {
  readonly refusal: string
  readonly isRight: () => Promise<boolean>
  /** Null where another request was faster. */
  readonly redeem: () => Promise<User | null>
}

async function beginByCode(context: Context, services: ApiServices, code: Code) {
  const user = (await code.isRight()) ? await code.redeem() : null
  if (user !== null) return beginSession(context, services, user)
  const attempt = { email: null, address: addressOf(context, services) }
  const checked = await limitAttempt(services, attempt, null)
  if (checked.kind === 'wait') return checked.answer
  throw new WeirError('sign_in_refused', code.refusal)
}

function passwordsAreOff(): WeirError {
  return new WeirError('sign_in_refused', 'Signing in by password is turned off here.')
}
