// How people sign in, as the API needs it.

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
}
