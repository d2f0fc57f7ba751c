// A whole copy of an SQLite file while others write to it. Must stay true: the copy is one moment
// of the original, on the disk before the call returns, and only its owner can read it.

import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { WeirError } from '../../core/weir-error.ts'

/** Pages between two reports: 16 MiB of SQLite's usual pages. */
const STEP_PAGES = 4096
const BUSY_TIMEOUT_MS = 10_000

export interface SqliteCopy {
  readonly from: string
  /** Must not exist. A copy that fails is removed. */
  readonly to: string
  /** In pages. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

export async function copySqliteFile({ from, to, onProgress }: SqliteCopy): Promise<void> {
  createTarget(to)
  try {
    await copyPages({ from, to, onProgress })
    syncToDisk(to)
    syncToDisk(dirname(to))
  } catch (cause) {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(to + suffix, { force: true })
    const { message } = cause as Error
    throw new WeirError('store_unusable', `${from} cannot be copied to ${to}: ${message}.`, {
      hint: 'Look at the free space there and at the disk. Nothing was left behind; try again.',
      cause,
    })
  }
}

// Its own connection keeps one state of the file. Without it SQLite restarts the copy whenever
// another process writes, so beside a busy ledger it would never end.
async function copyPages({ from, to, onProgress }: SqliteCopy): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  try {
    source.exec('BEGIN')
    source.prepare('SELECT COUNT(*) FROM sqlite_schema').get()
    await backup(source, to, {
      rate: STEP_PAGES,
      progress: ({ totalPages, remainingPages }) =>
        onProgress?.(totalPages - remainingPages, totalPages),
    })
  } finally {
    source.close()
  }
}

function createTarget(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException
    const isThere = code === 'EEXIST'
    const message = isThere ? `${file} is there already.` : `${file} cannot be made (${code}).`
    const hint = isThere
      ? 'Choose another name, or move it away first.'
      : 'Choose a directory that exists and that this user may write.'
    throw new WeirError('invalid_argument', message, { hint, cause })
  }
}

function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
