// The last part of a restore: the databases that were checked take the place of the old ones. Must stay true: once
// `restore.ready` stands in the data directory this is done to its end, by whoever opens the directory next, and
// nobody opens a store before. Killed at any line and begun anew, it comes to the same.

import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '../core/assert.ts'
import { WeirError } from '../core/weir-error.ts'
import { BACKUP_FILES } from './backup-manifest.ts'
import { syncDirectory } from './sync-directory.ts'

/** Being unpacked and checked. What a kill leaves of it is removed by the next restore. */
export const RESTORE_PART = 'restore.part'
/** Renamed from the former in one step: from then on the restore will be finished. */
const RESTORE_READY = 'restore.ready'
/** In it: what the names of the old databases are to end with. */
export const RESTORE_ASIDE = 'aside'

const ASIDE = /^\.before-restore-[0-9TZ]{1,40}$/
// SQLite finds a database's log by its name. It goes first: it must never stand beside another database.
const PIECES = ['-wal', '-shm', ''] as const

export function isRestoreReady(dataDir: string): boolean {
  return existsSync(join(dataDir, RESTORE_READY))
}

/** Names from before a restore end with it. */
export function toAside(nowMs: number): string {
  return `.before-restore-${new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '')}`
}

/** Only for who holds the data directory. */
export function commitRestore(dataDir: string): void {
  syncDirectory(join(dataDir, RESTORE_PART))
  renameSync(join(dataDir, RESTORE_PART), join(dataDir, RESTORE_READY))
  syncDirectory(dataDir)
}

/** Only for who holds the data directory. Returns the names of the databases that were put aside. */
export function finishRestore(dataDir: string): readonly string[] {
  const ready = join(dataDir, RESTORE_READY)
  const aside = readFileSync(join(ready, RESTORE_ASIDE), 'utf8')
  assert(ASIDE.test(aside), `what ends the names of old databases: ${aside}`)
  for (const name of BACKUP_FILES) {
    // Absent when it was moved to its place before a kill.
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
      hint: 'It holds a database from before a restore. Move it elsewhere and try again.',
    })
  }
  renameSync(join(dataDir, from), join(dataDir, to))
}
