// The settings of signing in, to the console and from agents, a part of schema.ts.

import { z } from 'zod'
import { CLAUDE_PROVIDER } from '../providers/directory.ts'
import { MEMBER_ROLES, TEAM_SLUG } from '../core/teams/team.ts'
import { USER_ROLES } from '../core/user.ts'
import { section, text, whole } from './schema-parts.ts'
import { isIssuer, isPlainUrl, isPublicUrl } from './sign-in-urls.ts'

const PROVIDER_ID = /^[a-z][a-z0-9-]{0,31}$/
const LIST_CHARACTERS_MAX = 16_384
const TEXT_CHARACTERS_MAX = 2048
const RULES_MAX = 1000

const RULE =
  "{ group: 'weir-*', team: '*', role: member } or { group: finance, companyRole: finance }"
const GROUP = 'the name of a group, with at most one * for any text'
const TEAM = 'the slug of a team; * in it is what the * of the group stands for'

const hasOneStar = (given: string): boolean => given.split('*').length <= 2

const groupRule = z
  .strictObject({
    group: z.string().min(1).max(256).refine(hasOneStar),
    team: z
      .string()
      .refine((slug) => hasOneStar(slug) && TEAM_SLUG.test(slug.replace('*', 'x')))
      .optional(),
    role: z.enum(MEMBER_ROLES).default('member'),
    companyRole: z.enum(USER_ROLES).optional(),
  })
  .refine(({ team, companyRole }) => team !== undefined || companyRole !== undefined)
  .refine(({ group, team }) => group.includes('*') || team?.includes('*') !== true)

/** What is wrong at a path within the rules for groups; null for any other path. */
export function describeGroupFault(path: readonly PropertyKey[]): string | null {
  const [section, setting, , leaf] = path
  if (section !== 'signIn' || setting !== 'groups') return null
  if (path.length === 2) return `is not usable; write a list of at most ${RULES_MAX} rules: ${RULE}`
  if (leaf === 'group') return `is not usable; write ${GROUP}`
  if (leaf === 'team') return `is not usable; write ${TEAM}`
  if (leaf === 'role') return `is not usable; write one of ${MEMBER_ROLES.join(', ')}`
  if (leaf === 'companyRole') return `is not usable; write one of ${USER_ROLES.join(', ')}`
  return `is not a rule with a team or a company role; write ${RULE}`
}

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
  groups: z
    .array(groupRule)
    .max(RULES_MAX)
    .readonly()
    .meta({
      description:
        'What groups give: membership of a team, or a role in the whole company. For groups of the identity provider at each sign-in, and for groups that a directory keeps here by SCIM. All rules that fit apply. See [Signing in](sign-in.md#groups-teams-and-roles).',
      allowed: `a list of at most ${RULES_MAX} rules such as ${RULE}`,
    })
    .optional(),
  defaultRole: z.enum(['refuse', 'none', 'viewer', 'finance']).default('refuse').meta({
    description:
      'The role in the company of users to whom neither a value nor a group gives one, when the identity provider or a directory brings them. With `refuse`, only those of whom a group is named in `signIn.groups` may sign in, and have `none`.',
  }),
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
  groupsClaim: z.string().min(1).max(200).default('groups').meta({
    description:
      'The claim of the ID token that has the groups for `signIn.groups`: a text, or a list of texts or of objects with `name` or `value`. Dots lead into an object.',
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

const agentSignIn = section({
  claude: z.enum(['on', 'off']).default('off').meta({
    description:
      "Whether people sign in from Claude Code without a key, at the proxy's URL with `/claude` behind it. See [Claude Code signs in](agents/claude-sign-in.md).",
  }),
  provider: z.string().regex(PROVIDER_ID).default(CLAUDE_PROVIDER).meta({
    description:
      'The provider that their calls go to, with its stored credential. It takes the Messages API as it is.',
    allowed: 'the id of a provider with a stored credential',
  }),
  apiUrl: text(isPlainUrl, {
    description:
      'Where a proxy on a machine without an API reaches one, for signing in. Name the proxies in `api.trustedProxies`, and set `proxy.publicUrl` and `console.publicUrl`.',
    allowed: 'an http:// or https:// URL such as http://weir-api.example.com:7071',
  }).optional(),
})

export const agents = section({
  signIn: agentSignIn,
  managedSettings: z
    .string()
    .min(1)
    .max(TEXT_CHARACTERS_MAX)
    .refine((path) => !path.includes('\0'))
    .meta({
      description:
        "A folder with settings that Claude Code gets when somebody has signed in: `<team>.json`, by the team's short name, and `default.json` for all others. Each holds what a `managed-settings.json` does. It is read by the API, at each request.",
      allowed: 'the path of a folder',
    })
    .optional(),
})
