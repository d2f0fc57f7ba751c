// What GET /v1/service shows: the providers, where the data is, and how large it is.

import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataSizes, ServiceSite } from '../api/service/service-figures.ts'
import type { Config } from '../config/config.ts'
import { journalDir } from '../journal/journal-dir.ts'
import { readJournalHealth } from '../journal/read-journal-health.ts'
import { resolveAddresses } from '../config/provider-addresses.ts'

/** A store's log is beside it, and may be as large as the store. */
const STORE_ENDINGS = ['', '-wal', '-shm']
/** A disk that was full for a day leaves some thousand journal files. */
const JOURNAL_FILES_MAX = 10_000

export function createServiceSite(config: Config, startedAt: number): ServiceSite {
  const { dataDir, providers } = config
  return {
    startedAt,
    nodeVersion: process.versions.node,
    providers: [...resolveAddresses(config)].map(([id, url]) => {
      return { id, url, shape: providers[id]?.shape ?? null }
    }),
    dataDir,
    retentionDays: config.retention.events,
    measureData: () => measureData(dataDir),
    onFull: config.journal.onFull,
    readJournalHealth: () => readJournalHealth(journalDir(dataDir)),
  }
}

async function measureData(dataDir: string): Promise<DataSizes> {
  return {
    usageBytes: await sizeOfStore(join(dataDir, 'usage.db')),
    settingsBytes: await sizeOfStore(join(dataDir, 'settings.db')),
    journalBytes: await sizeOfJournals(journalDir(dataDir)),
    freeBytes: await readFreeBytes(dataDir),
  }
}

function sizeOfStore(file: string): Promise<number> {
  return addSizes(STORE_ENDINGS.map((ending) => file + ending))
}

async function sizeOfJournals(dir: string): Promise<number> {
  const names = await readdir(dir, { recursive: true }).catch(() => [])
  return addSizes(names.slice(0, JOURNAL_FILES_MAX).map((name) => join(dir, name)))
}

/** One after the other: others need the threads that read files. */
async function addSizes(files: readonly string[]): Promise<number> {
  let bytes = 0
  for (const file of files) {
    // Files are written and removed meanwhile.
    const found = await stat(file).catch(() => null)
    if (found?.isFile() === true) bytes += found.size
  }
  return bytes
}

async function readFreeBytes(dir: string): Promise<number | null> {
  const found = await statfs(dir).catch(() => null)
  return found === null ? null : found.bavail * found.bsize
}
