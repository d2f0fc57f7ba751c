// `weir backup`: both databases and a manifest in one tar file, while Weir runs. Must stay true:
// FILE is whole or absent; it is written under another name, synced to disk, and renamed.

import { existsSync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Clock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'
import { copyStore } from '../store/open-store.ts'
import {
  BACKUP_FILES,
  BACKUP_FORMAT,
  MANIFEST_BYTES,
  MANIFEST_NAME,
  toManifestBytes,
} from './backup-manifest.ts'
import type { BackupFileName, BackupManifest } from './backup-manifest.ts'
import { openDataDir } from './data-dir.ts'
import { copyBytes, writeWhole } from './copy-bytes.ts'
import { requireFreeBytes, toDiskError } from './disk-space.ts'
import { syncDirectory } from './sync-directory.ts'
import { BLOCK_BYTES, paddingBytes, TAR_END, toTarHeader } from './tar.ts'
import { VERSION } from '../core/version.ts'

export interface BackupOptions {
  readonly dataDir: string
  readonly clock: Clock
  readonly file: string
  readonly isForced: boolean
  readonly onProgress?: ((step: string, done: number, total: number) => void) | undefined
}

export interface Backup {
  readonly file: string
  readonly bytes: number
  readonly manifest: BackupManifest
}

export async function writeBackup(options: BackupOptions): Promise<Backup> {
  const target = resolve(options.file)
  // Only if it exists: a wrong path must not create one. An interrupted restore is finished first.
  if (existsSync(options.dataDir)) openDataDir(options.dataDir)
  checkSource(options.dataDir)
  checkTarget(options, target)
  const part = `${target}.part`
  const copies = BACKUP_FILES.map((name) => ({ name, path: `${part}-${name}` }))
  if (options.isForced) await removeFiles([part, ...copies.map(({ path }) => path)])
  const tar = await createPart(part)
  try {
    // Twice: for SQLite's copies, and for the file they are put together in.
    await requireFreeBytes(dirname(target), 2 * countBytes(options.dataDir))
    // Before the first copy: later calls may be missing from it.
    const createdAt = options.clock.now()
    for (const { name, path } of copies) {
      await copyStore(options, name, {
        to: path,
        onProgress: (done, total) => options.onProgress?.(`copying ${name}`, done, total),
      })
    }
    const backup = await writeTar(tar, copies, { ...options, createdAt })
    await tar.sync()
    await rename(part, target)
    syncDirectory(dirname(target))
    return { ...backup, file: target }
  } catch (error) {
    await removeFiles([part])
    throw toDiskError(error, `The backup ${target} cannot be written`)
  } finally {
    await tar.close()
    await removeFiles(copies.map(({ path }) => path))
  }
}

function checkSource(dataDir: string): void {
  const missing = BACKUP_FILES.filter((name) => !existsSync(join(dataDir, name)))
  if (missing.length === 0) return
  throw new WeirError(
    'data_dir_unusable',
    `There is no ${missing.join(' and no ')} in ${dataDir}.`,
    {
      hint: 'Is this the right data directory? weir start creates both; see dataDir and WEIR_DATA_DIR.',
    },
  )
}

function checkTarget({ dataDir, isForced }: BackupOptions, target: string): void {
  // A name such as usage.db would otherwise overwrite what the backup is to save.
  if (dirname(target) === resolve(dataDir)) {
    throw new WeirError(
      'invalid_argument',
      'A backup cannot be written to the data directory itself.',
      {
        hint: 'Choose another directory, preferably on another disk.',
      },
    )
  }
  const there = statSync(target, { throwIfNoEntry: false })
  if (there === undefined || (isForced && there.isFile())) return
  const hint = there.isFile()
    ? 'Choose another name, or add --force.'
    : 'It is not a file; name a file in it.'
  throw new WeirError('invalid_argument', `${target} already exists.`, { hint })
}

function countBytes(dataDir: string): number {
  const files = BACKUP_FILES.flatMap((name) => [name, `${name}-wal`])
  return files.reduce((sum, name) => {
    return sum + (statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0)
  }, 0)
}

async function createPart(part: string): Promise<FileHandle> {
  try {
    return await open(part, 'wx+', 0o600)
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') {
      throw new WeirError('invalid_argument', `${part} already exists.`, {
        hint: 'Another backup is being written, or one was interrupted. Add --force if none is running.',
        cause,
      })
    }
    throw new WeirError('invalid_argument', `${part} cannot be created (${code}).`, {
      hint: 'Choose an existing directory that this user may write to.',
      cause,
    })
  }
}

interface StoreCopy {
  readonly name: BackupFileName
  readonly path: string
}

async function writeTar(
  tar: FileHandle,
  copies: readonly StoreCopy[],
  { createdAt, onProgress }: BackupOptions & { readonly createdAt: number },
): Promise<Omit<Backup, 'file'>> {
  const files: BackupManifest['files'] = []
  let offset = BLOCK_BYTES + MANIFEST_BYTES
  for (const { name, path } of copies) {
    const copy = await open(path, 'r')
    try {
      const { size: bytes } = await copy.stat()
      await writeWhole(tar, toTarHeader({ name, bytes }, createdAt), offset)
      const to = { handle: tar, offset: offset + BLOCK_BYTES }
      const report = (done: number, total: number): void =>
        onProgress?.(`writing ${name}`, done, total)
      const sha256 = await copyBytes({ handle: copy, offset: 0 }, to, { bytes, onProgress: report })
      files.push({ name, bytes, sha256 })
      offset = to.offset + bytes + paddingBytes(bytes)
    } finally {
      await copy.close()
    }
    // Now, because the disk has everything twice.
    await removeFiles([path])
  }
  // Written at its offset, so the gap also pads the last file.
  await writeWhole(tar, TAR_END, offset)
  const created = new Date(createdAt).toISOString()
  const manifest = { format: BACKUP_FORMAT, version: VERSION, created_at: created, files } as const
  const header = toTarHeader({ name: MANIFEST_NAME, bytes: MANIFEST_BYTES }, createdAt)
  await writeWhole(tar, Buffer.concat([header, toManifestBytes(manifest)]), 0)
  return { bytes: offset + TAR_END.length, manifest }
}

async function removeFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true })
}
