// A worker's keys, from the settings store. A worker that runs keeps the keys it has; until it has
// some, it waits.

import { toSettingsPlace } from '../config/store-places.ts'
import { openPatiently } from '../store/open-patiently.ts'
import { openSettingsStore } from '../store/open-store.ts'
import { KEY_REFRESH_MS, openKeyRing } from './key-ring.ts'
import type { KeyRing } from './key-ring.ts'
import type { RoleOptions } from './roles.ts'

export interface WorkerKeys {
  readonly ring: KeyRing
  readonly close: () => Promise<void>
}

export function openWorkerKeys(options: RoleOptions): Promise<WorkerKeys> {
  const { clock, signal, say } = options
  return openPatiently(() => openKeys(options), { clock, signal, tell: say })
}

async function openKeys({ config, clock, meter, log }: RoleOptions): Promise<WorkerKeys> {
  const settings = await openSettingsStore({ ...toSettingsPlace(config), clock })
  try {
    const ring = await openKeyRing({
      keys: settings.keys,
      refreshMs: KEY_REFRESH_MS,
      clock,
      meter,
      warn: (fields, message) => log.warn(fields, message),
    })
    const close = async (): Promise<void> => {
      ring.close()
      await settings.close()
    }
    return { ring, close }
  } catch (error) {
    await settings.close()
    throw error
  }
}
