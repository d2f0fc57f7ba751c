// A worker's keys, from the settings store. A worker that runs keeps the keys it has. One that
// starts while its database is away takes those of the copy on disk; without one it waits.

import { isShared, toSettingsLocation } from '../../config/store-locations.ts'
import { openPatiently } from '../../store/open-patiently.ts'
import { openSettingsStore } from '../../store/open-store.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import { StoreBusy } from '../../store/store-busy.ts'
import type { RoleOptions } from '../roles.ts'
import { readKeyCopy } from '../settings-copy/key-copy.ts'
import { KEY_REFRESH_MS, openKeyRing, openKeyRingFrom } from './key-ring.ts'
import type { KeyRing, KeyRingOptions } from './key-ring.ts'

export interface WorkerKeys {
  readonly ring: KeyRing
  readonly close: () => Promise<void>
}

export type WorkerKeysOptions = Pick<
  RoleOptions,
  'config' | 'clock' | 'meter' | 'warn' | 'signal' | 'say'
>

export async function openWorkerKeys(options: WorkerKeysOptions): Promise<WorkerKeys> {
  const { config, clock, signal, say } = options
  const first = isShared(config) ? await openOrCopy(options) : null
  return first ?? openPatiently(() => openKeys(options), { clock, signal, tell: say })
}

/** Null where there is neither the database nor a copy. */
async function openOrCopy(options: WorkerKeysOptions): Promise<WorkerKeys | null> {
  try {
    return await openKeys(options)
  } catch (error) {
    if (!(error instanceof StoreBusy)) throw error
    const copy = readKeyCopy(options.config.dataDir, options.say)
    if (copy === null) return null
    options.say(`${error.message} Keys are taken from the copy in the data directory.`)
    const store = createLaterStore(() => openStore(options))
    const ring = openKeyRingFrom(copy, toRingOptions(options, store))
    return { ring, close: () => closeBoth(ring, store) }
  }
}

async function openKeys(options: WorkerKeysOptions): Promise<WorkerKeys> {
  const settings = await openStore(options)
  try {
    const ring = await openKeyRing(toRingOptions(options, settings.keys))
    return { ring, close: () => closeBoth(ring, settings) }
  } catch (error) {
    await settings.close()
    throw error
  }
}

function openStore({ config, clock }: WorkerKeysOptions): Promise<SettingsStore> {
  return openSettingsStore({ ...toSettingsLocation(config), clock })
}

interface LaterStore {
  readonly readChanges: SettingsStore['keys']['readChanges']
  readonly close: () => Promise<void>
}

/** Opened by the first reading that can. */
function createLaterStore(open: () => Promise<SettingsStore>): LaterStore {
  let opening: Promise<SettingsStore> | null = null
  return {
    readChanges: async (revision) => {
      opening ??= open()
      const store = await opening.catch((error: unknown) => {
        opening = null
        throw error
      })
      return store.keys.readChanges(revision)
    },
    close: async () => {
      const store = await opening?.catch(() => null)
      await store?.close()
    },
  }
}

function toRingOptions(
  { clock, meter, warn }: WorkerKeysOptions,
  keys: KeyRingOptions['keys'],
): KeyRingOptions {
  return { keys, refreshMs: KEY_REFRESH_MS, clock, meter, warn }
}

async function closeBoth(ring: KeyRing, store: { close(): Promise<void> }): Promise<void> {
  ring.close()
  await store.close()
}
