// The data directory: made private, checked for writing, and held by one `weir start` at a time. The
// hold is a lock of the operating system (through SQLite), so it ends with the process, however that ends.

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
        hint: 'Give this user the right to write there, or choose another with WEIR_DATA_DIR.',
        cause,
      },
    )
  }
  // A restore was cut off in its last part: nobody may open a store before it is done.
  if (isRestoreReady(dir)) {
    const release = lockDataDir(dir)
    try {
      if (isRestoreReady(dir)) finishRestore(dir)
    } finally {
      release()
    }
  }
}

/** Returns the function that lets go. */
export function lockDataDir(dir: string): () => void {
  const release = claimLock(join(dir, 'weir.lock'))
  if (release === null) {
    throw new WeirError('data_dir_in_use', `Another weir start is running on ${dir}.`, {
      hint: 'Stop it first, or give this one a data directory of its own with WEIR_DATA_DIR.',
    })
  }
  return release
}
