// The one-time code of the first administrator, made at the first start.

import type { Config } from '../../config/config.ts'
import { isShared, toSettingsLocation } from '../../config/store-locations.ts'
import { systemClock } from '../../core/clock.ts'
import { openPatiently } from '../../store/open-patiently.ts'
import type { PatienceOptions } from '../../store/open-patiently.ts'
import { openSettingsStore } from '../../store/open-store.ts'
import { StoreBusy } from '../../store/store-busy.ts'

/**
 * Null when one was made before. A settings file that is locked for a moment must not keep the
 * service from starting; nor must a database that is away: `weir setup-link` makes it later.
 */
export async function createSetupCode(
  config: Config,
  patience: Pick<PatienceOptions, 'signal' | 'tell'>,
): Promise<string | null> {
  const clock = systemClock
  const create = async (): Promise<string | null> => {
    const settings = await openSettingsStore({ ...toSettingsLocation(config), clock })
    try {
      return await settings.setupCode.create()
    } finally {
      await settings.close()
    }
  }
  if (!isShared(config)) return openPatiently(create, { ...patience, clock })
  try {
    return await create()
  } catch (error) {
    if (!(error instanceof StoreBusy)) throw error
    patience.tell(error.message)
    return null
  }
}

export function toSetupUrl(apiUrl: string, code: string): string {
  return `${apiUrl}/setup?code=${code}`
}
