// Whether a credential is stored for a provider. Must stay true: neither it nor where it is stored
// leaves this file.

import type { Config } from './config.ts'

export function hasStoredCredential(
  { providers }: Pick<Config, 'providers'>,
  providerId: string,
): boolean {
  const settings: object = providers[providerId] ?? {}
  return 'credential' in settings || 'credentials' in settings
}
