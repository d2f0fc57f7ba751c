// The data directory: private, writable, and locked by one `weir start` at a time. The lock is the
// operating system's (through SQLite), so it ends with the process, however that ends.

import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { WeirError } from '../core/weir-error.ts'
import { claimLock } from '../journal/lock.ts'
import { finishRestore, isRestoreReady } from './finish-restore.ts'

export function openDataDir(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException
    throw new WeirError(
      'data_dir_unusable',
      `The data directory ${dir} cannot be written (${code}).`,
      {
        hint: 'Make it writable for this user, or choose another with WEIR_DATA_DIR.',
        cause,
      },
    )
  }
  // A restore was interrupted in its last part: no store may be opened before it is done.
  if (isRestoreReady(dir)) {
    const release = lockDataDir(dir)
    try {
      if (isRestoreReady(dir)) finishRestore(dir)
    } finally {
      release()
    }
  }
}

/** Null while a Weir runs on it. */
export function claimDataDir(dir: string): (() => void) | null {
  return claimLock(join(dir, 'weir.lock'))
}

export function lockDataDir(dir: string): () => void {
  const release = claimDataDir(dir)
  if (release === null) {
    throw new WeirError('data_dir_in_use', `Another weir start is running on ${dir}.`, {
      hint: 'Stop it first, or give this one its own data directory with WEIR_DATA_DIR.',
    })
  }
  return release
}
