// How people sign in, as the API needs it.

import type { MemberRole } from '../core/teams/team.ts'
import type { UserRole } from '../core/user.ts'

/** What one group gives, or several by a pattern. */
export interface GroupRule {
  /** A single `*` stands for any text. */
  readonly group: string
  /** A slug, in which `*` is what the group has in its place; null where it gives no team. */
  readonly team: string | null
  readonly role: MemberRole
  /** Null where it gives none. */
  readonly companyRole: UserRole | null
}

export interface OidcOptions {
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client, which PKCE alone protects. */
  readonly clientSecret: string | null
  /** The label of the button. */
  readonly name: string
  readonly scopes: string
  /** The claim that contains the role: a name, or a path with dots. */
  readonly roleClaim: string
  /** A user with one of these values is an administrator; `*` means any user. */
  readonly adminValues: readonly string[]
  readonly viewerValues: readonly string[]
  /** The claim that contains the groups. */
  readonly groupsClaim: string
}

export interface SignInOptions {
  readonly hasPassword: boolean
  /** A session ends after `sessionMs` however much it is used, and after `idleMs` without use. */
  readonly sessionMs: number
  readonly idleMs: number
  /** The console's URL without a final slash; null: taken from the Host header. */
  readonly publicUrl: string | null
  /** Whether the API's own port speaks TLS. */
  readonly isTls: boolean
  readonly oidc: OidcOptions | null
  /** Of groups at the identity provider, and of those that the directory keeps here. */
  readonly groups: readonly GroupRule[]
  /** Of new users to whom nothing gives a role; null: only a group with a team lets them in. */
  readonly defaultRole: UserRole | null
}
