// Signing in: by password, by the link of the first start, and by the link an administrator hands on. Must stay true: what
// is refused says the same whatever was wrong with it, takes as long, and is counted.

import type { Context } from 'hono'
import { hashPassword, isPasswordOf } from '../../accounts/password-hash.ts'
import type { User } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import { describeError } from '../answer-error.ts'
import type { ApiServices } from '../api-options.ts'
import { sessionRequestSchema, setupRequestSchema, welcomeRequestSchema } from '../contract.ts'
import type { SignIn } from '../contract.ts'
import { readBody } from '../parse-body.ts'
import { refuseParameters } from '../parse-parameters.ts'
import { refuseCrossSite } from './same-origin.ts'
import { beginSession } from './session-begin.ts'
import { addressOf, tooManyAttempts } from './session-gate.ts'
import type { Attempt } from '../../accounts/sign-in-attempts.ts'

/** Of what was typed as an address, in the audit log. */
const NOTED_CHARS_MAX = 100

/** What a page must know before anybody has signed in. */
export async function answerSignIn(context: Context, services: ApiServices): Promise<Response> {
  refuseParameters(new URL(context.req.url).searchParams)
  const { settings, signIn } = services
  const answer: SignIn = {
    needs_setup: await settings.setupCode.isOpen(),
    has_password: signIn.hasPassword,
    oidc_name: signIn.oidc?.name ?? null,
  }
  return context.json(answer)
}

export async function answerNewSession(context: Context, services: ApiServices): Promise<Response> {
  const { settings, signIn } = services
  checkAsked(context, services)
  const { email, password } = await readBody(context, sessionRequestSchema)
  if (!signIn.hasPassword) throw passwordsAreOff()
  const attempt = { email, address: addressOf(context) }
  return tryToBegin(context, services, {
    attempt,
    refusal: 'The email address or the password is wrong.',
    prove: async () => {
      const user = await settings.users.find({ email })
      const canSignIn = user !== null && user.disabledAt === null
      const isRight = await isPasswordOf(password, canSignIn ? user.passwordHash : null)
      return isRight ? user : null
    },
  })
}

/** Makes the first administrator, once. */
export async function answerSetup(context: Context, services: ApiServices): Promise<Response> {
  checkAsked(context, services)
  const { code, email, name, password } = await readBody(context, setupRequestSchema)
  return tryToBegin(context, services, {
    attempt: { email: null, address: addressOf(context) },
    refusal:
      'This link is wrong or was used already. Make a user on the machine itself: weir users create --email EMAIL --role admin',
    prove: async () => {
      // A hash is much work: not for a link that nobody can use any more.
      if (!(await services.settings.setupCode.isOpen())) return null
      const passwordHash = await hashPassword(password)
      const user = { email, name, role: 'admin', passwordHash, subject: null } as const
      return services.settings.setupCode.redeem(code, user)
    },
  })
}

/** Somebody sets a password by the link they were given. */
export async function answerWelcome(context: Context, services: ApiServices): Promise<Response> {
  checkAsked(context, services)
  const { code, password } = await readBody(context, welcomeRequestSchema)
  if (!services.signIn.hasPassword) throw passwordsAreOff()
  return tryToBegin(context, services, {
    attempt: { email: null, address: addressOf(context) },
    refusal:
      'This link is wrong, has expired or was used already. Ask an administrator for another.',
    prove: async () => {
      const user = await services.settings.users.redeemLink(code, await hashPassword(password))
      return user === null || user.disabledAt !== null ? null : user
    },
  })
}

interface Trial {
  readonly attempt: Attempt
  /** What is told when it is refused. */
  readonly refusal: string
  /** The user who has shown who they are; null when nobody has. */
  readonly prove: () => Promise<User | null>
}

async function tryToBegin(
  context: Context,
  services: ApiServices,
  { attempt, refusal, prove }: Trial,
): Promise<Response> {
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
  return context.json(await beginSession(context, services, user), 201)
}

/** Throws `cross_site` and `invalid_parameter`. Also without a cookie: nobody is to be signed in as somebody else. */
function checkAsked(context: Context, { signIn }: ApiServices): void {
  refuseCrossSite(context, { publicUrl: signIn.publicUrl, hasCookie: false })
  refuseParameters(new URL(context.req.url).searchParams)
}

export async function noteRefusal(services: ApiServices, email: string | null): Promise<void> {
  const subjectName = email?.slice(0, NOTED_CHARS_MAX) ?? null
  if (!services.signInAttempts.takeNote(subjectName ?? '')) return
  try {
    const line = { action: 'session.refuse', subjectId: null, subjectName, changes: {} } as const
    await services.settings.audit.add(line)
  } catch (error) {
    // The refusal stands, written down or not.
    services.log.warn({ error: describeError(error) }, 'A refused sign-in was not noted')
  }
}

function passwordsAreOff(): WeirError {
  return new WeirError('sign_in_refused', 'Signing in by password is turned off here.')
}
