// The keys in a worker's memory: looked up on every call, refreshed beside. Must stay true: a
// change applies within a second, and without the settings store the last keys stay.

import type { ApiKey } from '../core/api-key.ts'
import type { Meter } from '../core/telemetry.ts'
import type { KeyStore } from '../store/settings/key-store.ts'

export interface KeyRing {
  readonly find: (id: string) => ApiKey | undefined
  /** Since when the settings could not be read, in a sentence; null while all is well. */
  readonly fault: () => string | null
  readonly close: () => void
}

/** A key's change must apply within a second; four checks a second cost next to nothing. */
export const KEY_REFRESH_MS = 250

export interface KeyRingOptions {
  readonly keys: KeyStore
  readonly refreshMs: number
  readonly meter: Meter
  readonly warn: (fields: object, message: string) => void
}

/** Resolves when the keys have been read once: before that, every caller would be refused. */
export async function openKeyRing(options: KeyRingOptions): Promise<KeyRing> {
  const keys = new Map<string, ApiKey>()
  let revision = 0
  let fault: string | null = null
  let timer: NodeJS.Timeout | null = null
  let isClosed = false

  async function refresh(): Promise<void> {
    const changes = await options.keys.readChanges(revision)
    for (const key of changes.keys) keys.set(key.id, key)
    revision = changes.revision
  }

  async function refreshSafely(): Promise<void> {
    try {
      await refresh()
      fault = null
    } catch (error) {
      options.meter.add('settingsFailures', 1)
      if (fault === null)
        options.warn({ err: error }, 'settings cannot be read; keys stay as they were')
      fault = 'The settings store cannot be read; keys stay as they were.'
    }
    schedule()
  }

  function schedule(): void {
    if (isClosed) return
    timer = setTimeout(() => void refreshSafely(), options.refreshMs)
    timer.unref()
  }

  await refresh()
  schedule()
  return {
    find: (id) => keys.get(id),
    fault: () => fault,
    close: () => {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}
