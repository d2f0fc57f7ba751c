// How people sign in, as the API must know it.

export interface OidcOptions {
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client, which PKCE alone protects. */
  readonly clientSecret: string | null
  /** On the button. */
  readonly name: string
  /** Separated by blanks. */
  readonly scopes: string
  /** The claim that contains the role: its name, or a path with dots. */
  readonly roleClaim: string
  /** A user who has one of these there is an administrator; `*` is any user. */
  readonly adminValues: readonly string[]
  readonly viewerValues: readonly string[]
}

export interface SignInOptions {
  /** Whether people may sign in by password. */
  readonly hasPassword: boolean
  /** However much a session is used, it ends after this. */
  readonly sessionMs: number
  /** A session that is not used ends after this. */
  readonly idleMs: number
  /** Where people reach the console, without a final slash; null: see the Host header. */
  readonly publicUrl: string | null
  readonly oidc: OidcOptions | null
}
