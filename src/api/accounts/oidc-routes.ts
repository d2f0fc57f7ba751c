// Sign-in by an identity provider, to be finished within minutes in the browser that began it.
// Every failure ends on the sign-in page.

import type { Context } from 'hono'
import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import type { User } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import { ANYONE } from '../access.ts'
import { describeError } from '../answer-error.ts'
import type { ApiServices } from '../api-options.ts'
import { routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { error } from '../route-answers.ts'
import { COOKIE } from './session-access.ts'
import { noteRefusal } from './limit-attempt.ts'
import type { OidcClient } from '../../accounts/oidc-client.ts'
import { toIdentity } from './oidc-identity.ts'
import type { OidcOptions } from '../../accounts/sign-in-options.ts'
import { takeOidcUser } from './oidc-user.ts'
import { toOwnPath } from './own-path.ts'
import { beginSession } from './session-begin.ts'
import { addCookie, readCookie } from './session-cookie.ts'
import { addressOf, isSecure } from './session-check.ts'

export const OIDC_COOKIE = 'weir_oidc'
export const AWAY_MS_MAX = 600_000
const TOO_MANY_GROUPS =
  'The identity provider named a place instead of the groups, which are too many for its token: teams stay as they were. Let it send fewer, such as those assigned to the application.'
const CALLBACK_PATH = '/v1/oidc/callback'

const awaySchema = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
  leftAt: z.number(),
})

/** Kept by the browser, and compared only with what the same browser brings back. */
type Away = z.infer<typeof awaySchema>

const defineRoute = routesOf('Sign-in')
const NO_PROVIDER = { 404: error('`not_found`: no identity provider is set up.') }

export const OIDC_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/oidc/start', {
    name: 'startOidc',
    summary: 'Sign in through the identity provider',
    description: 'For browsers: leads to the provider, and from there back.',
    access: ANYONE,
    sight: 'anyone',
    query: z.object({
      to: z.string().optional().describe('The path of our own to end at.'),
    }),
    ignoresParameters: true,
    answers: { 302: { description: 'To the provider.' }, ...NO_PROVIDER },
    handle: async ({ context, services }) => leave(context, services, await findOidc(services)),
  }),
  defineRoute(`GET ${CALLBACK_PATH}`, {
    name: 'finishOidc',
    summary: 'Back from the identity provider',
    description:
      'For browsers: signs in, or leads to /sign-in with a word for what went wrong. The parameters are the provider’s.',
    access: ANYONE,
    sight: 'anyone',
    ignoresParameters: true,
    answers: { 302: { description: 'Into the console.', headers: COOKIE }, ...NO_PROVIDER },
    handle: async ({ context, services }) => comeBack(context, services, await findOidc(services)),
  }),
]

interface Oidc {
  readonly client: OidcClient
  readonly oidc: OidcOptions
}

/** Loaded on first use: most installations never use it. */
export function createOidcLoader(clock: Clock): ApiServices['loadOidcClient'] {
  let client: Promise<OidcClient> | null = null
  return (options) =>
    (client ??= import('../../accounts/oidc-client.ts').then((it) =>
      it.createOidcClient(options, clock),
    ))
}

/** Throws `not_found` where no provider is configured. */
async function findOidc({ signIn: { oidc }, loadOidcClient }: ApiServices): Promise<Oidc> {
  if (oidc === null) throw new WeirError('not_found', 'No identity provider is set up.')
  return { client: await loadOidcClient(oidc), oidc }
}

async function leave(context: Context, services: ApiServices, { client }: Oidc): Promise<Response> {
  const to = toOwnPath(context.req.query('to'))
  const start = await client.begin(ownUrl(context, services) + CALLBACK_PATH)
  if (start.kind === 'unreachable') return refuse(context, services, start)
  const away: Away = { ...start.checks, to, leftAt: services.clock.now() }
  keep(context, services, away)
  return context.redirect(start.url)
}

async function comeBack(
  context: Context,
  services: ApiServices,
  { client, oidc }: Oidc,
): Promise<Response> {
  const away = readAway(context, services)
  // Used once, whatever the result.
  keep(context, services, null)
  if (away === null) return refuse(context, services, { kind: 'expired' })
  const returned = new URL(ownUrl(context, services) + CALLBACK_PATH)
  returned.search = new URL(context.req.url).search
  const end = await client.finish(returned, away)
  if (end.kind !== 'proved') return refuse(context, services, end)
  const identity = toIdentity(end.claims, oidc)
  const user: User | string = await takeUser(services, identity, oidc)
  if (typeof user === 'string') {
    const { email } = end.claims
    const address = addressOf(context, services)
    await noteRefusal(services, { email: typeof email === 'string' ? email : null, address })
    return refuse(context, services, { kind: user })
  }
  await beginSession(context, services, user)
  return context.redirect(toOwnPath(away.to))
}

async function takeUser(
  services: ApiServices,
  identity: ReturnType<typeof toIdentity>,
  oidc: OidcOptions,
): Promise<User | string> {
  if (typeof identity === 'string') return identity
  const user = await takeOidcUser(services.settings, identity, { ...services.signIn, oidc })
  if (typeof user === 'string') return user
  if (identity.groups !== null) services.countUnknownGroups?.(user.unknownGroups.length)
  else services.log.warn({ user: user.email }, TOO_MANY_GROUPS)
  return user
}

/** Our URL as browsers see it. */
function ownUrl(context: Context, { signIn }: ApiServices): string {
  return signIn.publicUrl ?? new URL(context.req.url).origin
}

const AWAY_CHARS_MAX = 4000

function keep(context: Context, services: ApiServices, away: Away | null): void {
  const text = away === null ? '' : Buffer.from(JSON.stringify(away)).toString('base64url')
  addCookie(context, `${OIDC_COOKIE}=${text}`, {
    maxAgeSeconds: away === null ? 0 : AWAY_MS_MAX / 1000,
    path: '/v1/oidc',
    // The provider sends the browser back: a Strict cookie would not be sent.
    sameSite: 'Lax',
    isSecure: isSecure(services),
  })
}

/** Null where there is none, or it is too old. */
function readAway(context: Context, { clock }: ApiServices): Away | null {
  const text = readCookie(context, OIDC_COOKIE, AWAY_CHARS_MAX)
  if (text === null) return null
  const away = awaySchema.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')))
  return away.success && clock.now() - away.data.leftAt < AWAY_MS_MAX ? away.data : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Fault {
  readonly kind: string
  readonly cause?: unknown
}

function refuse(context: Context, { log }: ApiServices, { kind, cause }: Fault): Response {
  if (cause !== undefined) {
    log.warn({ error: describeError(cause) }, 'Signing in through the identity provider failed')
  }
  const code = kind.startsWith('oidc_') ? kind : `oidc_${kind}`
  return context.redirect(`/sign-in?error=${code}`)
}
