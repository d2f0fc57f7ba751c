// Whether a credential is stored for a provider, for those who may not know more about it.

import type { Config } from './config.ts'

export function hasStoredCredential(
  { providers }: Pick<Config, 'providers'>,
  providerId: string,
): boolean {
  const { credential, credentials = [] } = providers[providerId] ?? {}
  return credential !== undefined || credentials.length > 0
}
