// What a proxy tells the API of a request that it passes on for an agent's sign-in. Must stay true:
// the API believes it only with the secret that the supervisor gave both.

/** Behind the proxy's URL; the API has the same paths. */
export const CLAUDE_BASE = '/claude'

export const RELAY_HEADERS = {
  secret: 'x-svc-relay',
  /** Whom the proxy was called from. */
  address: 'x-svc-relay-address',
  /** The origin that was called: `https://ai.example.com`. */
  origin: 'x-svc-relay-origin',
} as const
