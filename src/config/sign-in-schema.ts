// The settings of signing in to the console, a part of schema.ts.

import { z } from 'zod'
import { section, text, whole } from './schema-parts.ts'
import { isIssuer, isPublicUrl } from './sign-in-urls.ts'

const LIST_CHARACTERS_MAX = 16_384
const TEXT_CHARACTERS_MAX = 2048

/** Separated by commas. */
function claimValues(description: string) {
  return z
    .string()
    .max(LIST_CHARACTERS_MAX)
    .default('')
    .meta({ description, allowed: 'values separated by commas; a single * for anyone' })
}

export const signIn = section({
  password: z.boolean().default(true).meta({
    description: 'Whether users may sign in to the console with a password.',
  }),
  sessionHours: whole(
    168,
    { min: 1, max: 8760 },
    'How long a user stays signed in at most, in hours.',
  ),
  idleMinutes: whole(
    1440,
    { min: 2, max: 525_600 },
    'How long an inactive user stays signed in, in minutes.',
  ),
})

export const oidc = section({
  issuer: text(isIssuer, {
    description:
      'The identity provider that users sign in with, by OpenID Connect. Set it together with `oidc.clientId` to turn single sign-on on.',
    allowed: 'an https:// URL as the provider names itself; http:// only on this machine',
  }).optional(),
  clientId: z
    .string()
    .min(1)
    .max(TEXT_CHARACTERS_MAX)
    .meta({ description: "Weir's client id at the provider." })
    .optional(),
  clientSecret: z
    .string()
    .min(1)
    .max(TEXT_CHARACTERS_MAX)
    .meta({
      description: "Weir's client secret at the provider. If unset, Weir is a public client.",
      isSecret: true,
    })
    .optional(),
  name: z
    .string()
    .min(1)
    .max(50)
    .default('single sign-on')
    .meta({ description: 'The name of the provider on the sign-in page.' }),
  scopes: z
    .string()
    .regex(/^openid(?: [!-~]+)*$/)
    .default('openid email profile')
    .meta({
      description: 'The scopes requested from the provider.',
      allowed: 'scopes separated by spaces, openid first',
    }),
  roleClaim: z.string().min(1).max(200).default('groups').meta({
    description:
      'The claim of the ID token that decides the role: a text or a list of texts. Dots lead into an object.',
    allowed: 'the name of a claim',
  }),
  adminValues: claimValues(
    'Users with one of these values in `oidc.roleClaim` are administrators.',
  ),
  viewerValues: claimValues(
    'Users with one of these values in `oidc.roleClaim`, and none of those above, are viewers.',
  ),
})

export const console = section({
  publicUrl: text(isPublicUrl, {
    description:
      'The URL of the console as users see it: alerts link to it. It is needed behind a reverse proxy. With https:// its cookies are sent over TLS only.',
    allowed: 'a URL without a path, such as https://weir.example.com',
  }).optional(),
})
