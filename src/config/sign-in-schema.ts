// The settings of signing in to the console, a part of schema.ts.

import { z } from 'zod'
import { section, whole } from './schema-parts.ts'
import { isIssuer, toPublicUrl } from './sign-in-urls.ts'

const LIST_CHARACTERS_MAX = 16_384
const TEXT_CHARACTERS_MAX = 2048

/** Values of a claim, separated by commas. */
function claimValues(description: string) {
  return z
    .string()
    .max(LIST_CHARACTERS_MAX)
    .default('')
    .meta({ description, allowed: 'values separated by commas; a single * for anybody' })
}

export const signIn = section({
  password: z.boolean().default(true).meta({
    description: 'Whether people may sign in to the console by password.',
  }),
  sessionHours: whole(
    168,
    { min: 1, max: 8760 },
    'How long somebody stays signed in at most, in hours.',
  ),
  idleMinutes: whole(
    1440,
    { min: 2, max: 525_600 },
    'How long somebody stays signed in without doing anything, in minutes.',
  ),
})

export const oidc = section({
  issuer: z
    .string()
    .refine(isIssuer)
    .meta({
      description:
        'The identity provider that people sign in through, by OpenID Connect. Together with `oidc.clientId` it turns that on.',
      allowed: 'an https:// address as the provider names itself; http:// on this machine only',
    })
    .optional(),
  clientId: z
    .string()
    .min(1)
    .max(TEXT_CHARACTERS_MAX)
    .meta({ description: 'What the provider calls Weir.' })
    .optional(),
  clientSecret: z
    .string()
    .min(1)
    .max(TEXT_CHARACTERS_MAX)
    .meta({
      description: 'The secret the provider gave Weir. Unset, Weir is a public client.',
    })
    .optional(),
  name: z
    .string()
    .min(1)
    .max(50)
    .default('single sign-on')
    .meta({ description: 'What the provider is called on the sign-in page.' }),
  scopes: z
    .string()
    .regex(/^openid(?: [!-~]+)*$/)
    .default('openid email profile')
    .meta({
      description: 'What is asked of the provider.',
      allowed: 'scopes separated by blanks, openid first',
    }),
  roleClaim: z.string().min(1).max(200).default('groups').meta({
    description:
      'The claim of the ID token that tells the role: a text or a list of them. Dots lead into an object.',
    allowed: 'the name of a claim',
  }),
  adminValues: claimValues('Who has one of these in `oidc.roleClaim` is an administrator.'),
  viewerValues: claimValues(
    'Who has one of these in `oidc.roleClaim`, and none above, is a viewer.',
  ),
})

export const console = section({
  publicUrl: z
    .string()
    .refine((text) => toPublicUrl(text) !== null)
    .meta({
      description:
        'Where people reach the console, when something stands in front of it. With https:// its cookies are sent over TLS only.',
      allowed: 'an address without a path, such as https://weir.example.com',
    })
    .optional(),
})
