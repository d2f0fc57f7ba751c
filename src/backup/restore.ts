// `weir restore`: a backup replaces the databases in a data directory that no process uses. Must
// stay true: all is unpacked and checked before a database is touched, and none is deleted.

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'
import { claimJournals } from '../journal/slots.ts'
import { findStoreDamage, openSettingsStore, openLedgerStore } from '../store/open-store.ts'
import { BACKUP_FILES, MANIFEST_BYTES, MANIFEST_NAME, parseManifest } from './backup-manifest.ts'
import type { BackupManifest } from './backup-manifest.ts'
import { createCommandActor } from '../accounts/command-actor.ts'
import { copyBytes } from './copy-bytes.ts'
import { lockDataDir, openDataDir } from './data-dir.ts'
import { journalDir } from '../journal/journal-dir.ts'
import { requireFreeBytes, toDiskError } from './disk-space.ts'
import {
  commitRestore,
  finishRestore,
  RESTORE_ASIDE,
  RESTORE_PART,
  toAside,
} from './finish-restore.ts'
import { rewindCursors } from './rewind-cursors.ts'
import { listTar } from './tar.ts'
import type { TarMember } from './tar.ts'

export interface RestoreOptions {
  readonly dataDir: string
  readonly clock: Clock
  readonly file: string
  readonly isForced: boolean
  readonly onProgress?: ((step: string, done: number, total: number) => void) | undefined
}

export interface Restored {
  readonly manifest: BackupManifest
  readonly aside: readonly string[]
}

export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { dataDir, clock } = options
  openDataDir(dataDir)
  const release = lockAll(dataDir)
  try {
    checkTarget(options)
    const part = join(dataDir, RESTORE_PART)
    rmSync(part, { recursive: true, force: true })
    mkdirSync(part, { mode: 0o700 })
    try {
      const manifest = await unpack(options, part)
      await checkStores(part, options)
      await prepareStores(part, options)
      checkLogs(part)
      writeFileSync(join(part, RESTORE_ASIDE), toAside(clock.now()), { flush: true })
      commitRestore(dataDir)
      return { manifest, aside: finishRestore(dataDir) }
    } catch (error) {
      throw toDiskError(error, `${options.file} cannot be restored into ${dataDir}`)
    } finally {
      rmSync(part, { recursive: true, force: true })
    }
  } finally {
    release()
  }
}

/** A killed supervisor's ledger lives on a while: it would move calls to the renamed database. */
function lockAll(dataDir: string): () => void {
  const journals = journalDir(dataDir)
  const unlockDataDir = lockDataDir(dataDir)
  // Where there are no journals, no process reads them.
  const releaseJournals = existsSync(journals) ? claimJournals(journals) : () => {}
  if (releaseJournals === null) {
    unlockDataDir()
    throw new WeirError('data_dir_in_use', `A ledger is still storing calls in ${dataDir}.`, {
      hint: 'It belongs to a weir start that was killed, and ends by itself. Wait a moment and try again.',
    })
  }
  return () => {
    releaseJournals()
    unlockDataDir()
  }
}

function checkTarget({ dataDir, isForced }: RestoreOptions): void {
  const there = BACKUP_FILES.filter((name) => existsSync(join(dataDir, name)))
  if (there.length === 0 || isForced) return
  throw new WeirError('data_dir_unusable', `${dataDir} already has ${there.join(' and ')}.`, {
    hint: 'Add --force to rename them, or restore into an empty data directory.',
  })
}

async function unpack(options: RestoreOptions, part: string): Promise<BackupManifest> {
  const tar = await openBackup(options.file)
  try {
    const members = await readMembers(tar, options.file)
    const manifest = await readManifest(tar, members)
    await requireFreeBytes(
      part,
      members.reduce((sum, { bytes }) => sum + bytes, 0),
    )
    for (const file of manifest.files) {
      const member = members.find(({ name }) => name === file.name)
      if (member?.bytes !== file.bytes) throw damaged(`${file.name} has a different size`)
      const sha256 = await unpackMember({ tar, member }, part, options)
      if (sha256 !== file.sha256) throw damaged(`${file.name} does not match its checksum`)
    }
    return manifest
  } finally {
    await tar.close()
  }
}

async function openBackup(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r')
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException
    throw new WeirError('invalid_argument', `${file} cannot be read (${code}).`, {
      hint: 'Name a file that weir backup wrote.',
      cause,
    })
  }
}

async function readMembers(tar: FileHandle, file: string): Promise<readonly TarMember[]> {
  if (!(await tar.stat()).isFile()) throw damaged(`${file} is not a file`)
  const listing = await listTar(tar, 1 + BACKUP_FILES.length)
  if (listing.kind === 'malformed') throw damaged(listing.reason)
  return listing.members
}

async function readManifest(
  tar: FileHandle,
  members: readonly TarMember[],
): Promise<BackupManifest> {
  const [first] = members
  if (first?.name !== MANIFEST_NAME || first.bytes > MANIFEST_BYTES) {
    throw damaged(`it does not begin with a ${MANIFEST_NAME}`)
  }
  const bytes = Buffer.alloc(first.bytes)
  await tar.read(bytes, 0, first.bytes, first.offset)
  return parseManifest(bytes.toString('utf8'))
}

async function unpackMember(
  { tar, member }: { tar: FileHandle; member: TarMember },
  part: string,
  { onProgress }: RestoreOptions,
): Promise<string> {
  const to = await open(join(part, member.name), 'wx', 0o600)
  try {
    const from = { handle: tar, offset: member.offset }
    const report = (done: number, total: number): void =>
      onProgress?.(`unpacking ${member.name}`, done, total)
    const { bytes } = member
    const sha256 = await copyBytes(from, { handle: to, offset: 0 }, { bytes, onProgress: report })
    await to.sync()
    return sha256
  } finally {
    await to.close()
  }
}

async function checkStores(part: string, { onProgress }: RestoreOptions): Promise<void> {
  const step = 'checking the databases'
  onProgress?.(step, 0, BACKUP_FILES.length)
  for (const [at, name] of BACKUP_FILES.entries()) {
    const [fault] = findStoreDamage({ dataDir: part }, name)
    if (fault !== undefined) throw damaged(fault)
    onProgress?.(step, at + 1, BACKUP_FILES.length)
  }
}

/** Opened where they were unpacked: a newer Weir's are refused, an older one's are migrated. */
async function prepareStores(part: string, { dataDir, clock }: RestoreOptions): Promise<void> {
  const settings = await openSettingsStore({ dataDir: part, clock })
  try {
    // Otherwise sessions ended and links used since the backup would work again.
    await settings.as(createCommandActor()).sessions.endAll()
  } finally {
    await settings.close()
  }
  const usage = await openLedgerStore({ dataDir: part, clock })
  try {
    await rewindCursors(usage, journalDir(dataDir))
  } finally {
    await usage.close()
  }
}

/** Only the databases are moved: a log that SQLite could not checkpoint would be left behind. */
function checkLogs(part: string): void {
  const left = BACKUP_FILES.filter((name) => existsSync(join(part, `${name}-wal`)))
  if (left.length === 0) return
  const message = `The log of ${left.join(' and ')} in ${part} could not be checkpointed.`
  throw new WeirError('store_unusable', message, {
    hint: 'Check the free space and the disk, then try again. Nothing was changed.',
  })
}

function damaged(reason: string): WeirError {
  return new WeirError('invalid_argument', `The backup cannot be restored: ${reason}.`, {
    hint: 'Nothing was changed. Use another backup.',
  })
}
