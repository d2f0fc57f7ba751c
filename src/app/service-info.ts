// What GET /v1/service shows: the providers, where the data is, and how large it is. What cannot
// be read here is null.

import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataSizes, ServiceInfo } from '../api/service/service-figures.ts'
import type { Config } from '../config/config.ts'
import { toSettingsLocation, toUsageLocation } from '../config/store-locations.ts'
import type { StoreLocation } from '../config/store-locations.ts'
import { hasStoredCredential } from '../config/provider-credentials.ts'
import type { Clock } from '../core/clock.ts'
import { journalDir } from '../journal/journal-dir.ts'
import type { JournalHealth } from '../core/completeness.ts'
import { mergeHealth, readJournalHealth } from '../journal/read-journal-health.ts'
import { SILENT_MS } from '../store/nodes/node-store.ts'
import type { NodeStore } from '../store/nodes/node-store.ts'
import { resolveAddresses } from '../config/provider-addresses.ts'

/** A store's log is beside it, and may be as large as the store. */
const STORE_ENDINGS = ['', '-wal', '-shm']
/** A disk that was full for a day leaves some thousand journal files. */
const JOURNAL_FILES_MAX = 10_000

/** A database looks at every file of a table: once a minute is enough. */
const TABLES_KEPT_MS = 60_000

export interface ServiceInfoOptions {
  readonly clock: Clock
  /** False on an API node: the journals are on the disks of the proxies. */
  readonly hasJournals: boolean
  /** Absent where there is one node only. */
  readonly nodes?: Pick<NodeStore, 'list'> | null
}

export function createServiceInfo(
  config: Config,
  { clock, hasJournals, nodes = null }: ServiceInfoOptions,
): ServiceInfo {
  const { dataDir, providers } = config
  const usage = createStoreSize(toUsageLocation(config), 'usage', clock)
  const settings = createStoreSize(toSettingsLocation(config), 'settings', clock)
  return {
    startedAt: clock.now(),
    nodeVersion: process.versions.node,
    providers: [...resolveAddresses(config)].map(([id, url]) => {
      const hasCredential = hasStoredCredential(config, id)
      return { id, url, shape: providers[id]?.shape ?? null, hasCredential }
    }),
    dataDir,
    retentionDays: config.retention.events,
    measureData: async () => ({
      usageBytes: await usage(),
      settingsBytes: await settings(),
      journalBytes: hasJournals ? await sizeOfJournals(journalDir(dataDir)) : null,
      freeBytes: await readFreeBytes(dataDir),
    }),
    onFull: config.journal.onFull,
    readJournalHealth: () =>
      nodes === null ? readJournalHealth(journalDir(dataDir)) : readNodesHealth(nodes),
  }
}

/** Of all that answer, as their last heartbeats say. */
async function readNodesHealth(store: Pick<NodeStore, 'list'>): Promise<JournalHealth> {
  const { at, nodes } = await store.list()
  const living = nodes.filter(({ seenAt }) => at - seenAt <= SILENT_MS)
  return mergeHealth(living.flatMap(({ journal }) => (journal === null ? [] : [journal])))
}

function createStoreSize(
  { dataDir, url, callsUrl = null }: StoreLocation & { readonly callsUrl?: string | null },
  name: 'usage' | 'settings',
  clock: Clock,
): () => Promise<DataSizes['usageBytes']> {
  // Loaded where it is needed: without a database, no engine of one is.
  const load = () => import('../store/databases.ts')
  if (url !== null) {
    return createKeptSize(async () => (await load()).measureStore({ url, callsUrl }, name), clock)
  }
  return () => sizeOfFiles(join(dataDir, `${name}.db`))
}

/** Null where it cannot be measured. */
function createKeptSize(
  measure: () => Promise<number | null>,
  clock: Clock,
): () => Promise<number | null> {
  let kept: number | null = null
  let keptUntil = 0
  return async () => {
    if (kept !== null && clock.monotonic() < keptUntil) return kept
    kept = await measure().catch(() => null)
    keptUntil = clock.monotonic() + TABLES_KEPT_MS
    return kept
  }
}

function sizeOfFiles(file: string): Promise<number> {
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
