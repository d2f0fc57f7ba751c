// Access tokens of the API among the settings. The store keeps only the hash of a secret.

import type { AccessToken } from '../../core/api-key.ts'
import type { TokenSettings } from '../../resources/codecs.ts'

export interface CreatedToken {
  readonly token: AccessToken
  /** `svc_agt_….secret` */
  readonly credential: string
}

/** A token's last use is written at most this often. */
export const TOUCH_INTERVAL_MS = 60_000

export interface TokenStore {
  create(settings: TokenSettings): Promise<CreatedToken>
  list(): Promise<readonly AccessToken[]>
  find(id: string): Promise<AccessToken | null>
  revoke(id: string): Promise<AccessToken | null>
  /** Accurate to the minute, so that polling does not mean writing. */
  touch(id: string): Promise<void>
}
