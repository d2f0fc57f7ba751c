// What the API must know of the identity provider.

export interface OidcOptions {
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client, which PKCE alone protects. */
  readonly clientSecret: string | null
  /** On the button. */
  readonly name: string
  /** Separated by blanks. */
  readonly scopes: string
  /** The claim that tells the role: its name, or a path with dots. */
  readonly roleClaim: string
  /** Whoever has one of these there is an administrator; `*` is anybody. */
  readonly adminValues: readonly string[]
  readonly viewerValues: readonly string[]
}
