// The last part of a restore: the checked databases replace the old ones. Must stay true: once
// `restore.ready` exists, the next process to open the data directory completes this before it
// opens a store, and a kill at any line is repaired by running it again.

import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '../core/assert.ts'
import { WeirError } from '../core/weir-error.ts'
import { BACKUP_FILES } from './backup-manifest.ts'
import { syncDirectory } from './sync-directory.ts'

/** Being unpacked and checked. After a kill, the next restore removes it. */
export const RESTORE_PART = 'restore.part'
/** Renamed from the former in one step: from then on the restore will be completed. */
const RESTORE_READY = 'restore.ready'
/** A file in it with the suffix for the names of the old databases. */
export const RESTORE_ASIDE = 'aside'

const ASIDE = /^\.before-restore-[0-9TZ]{1,40}$/
// SQLite finds a log by its name, so it goes first: it must never be next to another database.
const PIECES = ['-wal', '-shm', ''] as const

export function isRestoreReady(dataDir: string): boolean {
  return existsSync(join(dataDir, RESTORE_READY))
}

export function toAside(nowMs: number): string {
  return `.before-restore-${new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '')}`
}

/** Only for the process that has locked the data directory. */
export function commitRestore(dataDir: string): void {
  syncDirectory(join(dataDir, RESTORE_PART))
  renameSync(join(dataDir, RESTORE_PART), join(dataDir, RESTORE_READY))
  syncDirectory(dataDir)
}

/** Only for the process with the lock. Returns the old databases' new names. */
export function finishRestore(dataDir: string): readonly string[] {
  const ready = join(dataDir, RESTORE_READY)
  const aside = readFileSync(join(ready, RESTORE_ASIDE), 'utf8')
  assert(ASIDE.test(aside), `what ends the names of old databases: ${aside}`)
  for (const name of BACKUP_FILES) {
    // Absent when it was moved before a kill.
    if (!existsSync(join(ready, name))) continue
    for (const piece of PIECES) moveAside(dataDir, { from: name + piece, to: name + aside + piece })
    syncDirectory(dataDir)
    renameSync(join(ready, name), join(dataDir, name))
    syncDirectory(dataDir)
  }
  // In one step, since a kill could leave half of a directory that is being removed.
  const part = join(dataDir, RESTORE_PART)
  rmSync(part, { recursive: true, force: true })
  renameSync(ready, part)
  syncDirectory(dataDir)
  rmSync(part, { recursive: true })
  return BACKUP_FILES.map((name) => name + aside).filter((name) => existsSync(join(dataDir, name)))
}

function moveAside(dataDir: string, { from, to }: { from: string; to: string }): void {
  if (!existsSync(join(dataDir, from))) return
  if (existsSync(join(dataDir, to))) {
    throw new WeirError('data_dir_unusable', `${to} in ${dataDir} is in the way.`, {
      hint: 'It is a database from before a restore. Move it elsewhere and try again.',
    })
  }
  renameSync(join(dataDir, from), join(dataDir, to))
}
