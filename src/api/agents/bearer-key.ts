// Whose key a bearer is, for what the API answers an agent itself. As in the proxy: a secret before
// a rotation works until its grace ends.

import { keyFault, oldSecretOf } from '../../core/api-key.ts'
import type { ApiKey, KeyFault } from '../../core/api-key.ts'
import { isSecretOf, parseKeyCredential } from '../../core/ids.ts'
import type { ApiServices } from '../api-options.ts'

export interface BearerKey {
  readonly key: ApiKey
  /** Null while it works. */
  readonly fault: KeyFault | null
}

type Sources = Pick<ApiServices, 'keyDirectory' | 'clock'>

/** Null where it is no key of ours. */
export async function findBearerKey(
  token: string,
  { keyDirectory, clock }: Sources,
): Promise<BearerKey | null> {
  const given = parseKeyCredential(token)
  const key = given && (await keyDirectory.read()).byId.get(given.id)?.key
  if (given === null || key === null || key === undefined) return null
  const nowMs = clock.now()
  const hashes = [key.secretHash, oldSecretOf(key, nowMs)?.hash ?? '']
  const isProven = hashes.some((secretHash) => isSecretOf(given.secret, secretHash))
  return isProven ? { key, fault: keyFault(key, nowMs) } : null
}
