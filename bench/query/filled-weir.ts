// Weir over two years of a company's calls in any store, and who asks it: a file, a PostgreSQL of
// the benchmark's own, or a ClickHouse beside it. What is kept in a folder is used again by other
// runs of the same day; a file is copied, so that the calls and lines that a run adds are its own.

import { existsSync, statSync } from 'node:fs'
import { constants, copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { systemClock } from '../../src/core/clock.ts'
import { measureStore } from '../../src/store/databases.ts'
import { openLedgerStore, openSettingsStore } from '../../src/store/open-store.ts'
import type { BackendOptions } from '../../src/store/open-store.ts'
import { openPostgresDatabase } from '../../src/store/postgres/database.ts'
import { LOCKS } from '../../src/store/postgres/locks.ts'
import type { UsageStore } from '../../src/store/usage/usage-store.ts'
import { openChild } from '../../test/fakes/servers/child.ts'
import type { OpenItems } from '../harness/benchmark.ts'
import { keep } from '../harness/options.ts'
import type { StoreName } from '../harness/options.ts'
import { readTreeCpuMicros } from '../harness/process-figures.ts'
import type { MeasuredProcess } from '../harness/process-figures.ts'
import { openServers, printCallsTables } from '../harness/servers.ts'
import type { Servers } from '../harness/servers.ts'
import { openUpstream } from '../harness/upstream.ts'
import { openWeir } from '../harness/weir.ts'
import type { WeirContender } from '../harness/weir.ts'
import { sumAll } from '../ledger/portion.ts'
import { createPurse, openAsker } from './asker.ts'
import type { Asker } from './asker.ts'
import type { ToFill } from './run-fill.ts'

export interface FillOptions extends Pick<ToFill, 'months'> {
  readonly store: StoreName
  /** All ten million calls, which takes a quarter of an hour, or a tenth of them. */
  readonly isFull: boolean
  /** Of the company of 400 teams. */
  readonly hasTeams?: boolean
}

interface FilledStore extends Omit<Servers, 'url'> {
  /** Of PostgreSQL; null where the store is a file. */
  readonly url: string | null
  /** With the file. */
  readonly dataDir: string
}

export interface FilledWeir {
  readonly weir: WeirContender
  /** The servers, and behind them the API. */
  readonly processes: readonly MeasuredProcess[]
  /** The same store, opened here. */
  readonly usage: UsageStore
  /** A file's path; of no use with servers. */
  readonly file: string
  readonly where: BackendOptions
  readonly createTokens: (count: number) => Promise<readonly string[]>
  readonly openAsker: () => Promise<Asker>
}

const NO_SERVERS = { url: null, callsUrl: null, processes: [] } as const
/** Of millions of rows on a busy machine. */
const STATEMENT_MS_MAX = 1_800_000
/** Each may ask sixty times a minute. */
const TOKENS = 2000
const SCOPES = ['read:usage', 'read:keys', 'read:requests'] as const
const NEW_TOKEN = { name: 'bench', scopes: SCOPES, teamId: null, expiresAt: null }

export async function openFilledWeir(open: OpenItems, options: FillOptions): Promise<FilledWeir> {
  const store = await openFilledStore(open, options)
  const weir = await startWeir(open, store)
  const { dataDir, addresses } = weir.program
  const { url, callsUrl, processes } = store
  const where = { dataDir, url, clock: systemClock }
  const { usage } = open.add(await openLedgerStore({ ...where, callsUrl, hasJournals: false }))
  if (callsUrl !== null) {
    await makeMonthSums(usage, processes.at(-1) as MeasuredProcess)
    await printCallsTables(callsUrl)
  }
  const createTokens = async (count: number): Promise<readonly string[]> => {
    const settings = await openSettingsStore(where)
    const tokens: string[] = []
    while (tokens.length < count) {
      tokens.push((await settings.tokens.create(NEW_TOKEN)).credential)
    }
    await settings.close()
    return tokens
  }
  const nextHeader = createPurse(await createTokens(TOKENS))
  const file = join(dataDir, 'usage.db')
  const filled: FilledWeir = {
    weir,
    processes: [...processes, { name: 'API', pid: weir.apiPid }],
    usage,
    file,
    where,
    createTokens,
    openAsker: async () => open.add(await openAsker(addresses.api, nextHeader)),
  }
  await printSize(filled, store)
  return filled
}

async function startWeir(open: OpenItems, store: FilledStore): Promise<WeirContender> {
  return openWeir(open, await openUpstream(open), {
    settings: {
      ...(store.url === null ? {} : { SETTINGS_URL: store.url }),
      ...(store.callsUrl === null ? {} : { USAGE_URL: store.callsUrl }),
      // Calls older than its default would be removed beside the measurements.
      RETENTION_EVENTS: '36500',
    },
    prepare: async (dataDir) => {
      if (store.url !== null) return
      await mkdir(dataDir, { mode: 0o700 })
      for (const file of await readdir(store.dataDir)) {
        if (!file.endsWith('.db')) continue
        const from = join(store.dataDir, file)
        await copyFile(from, join(dataDir, file), constants.COPYFILE_FICLONE)
      }
    },
  })
}

async function printSize({ usage, file }: FilledWeir, store: FilledStore): Promise<void> {
  const { url, callsUrl } = store
  const bytes = url === null ? statSync(file).size : await measureStore({ url, callsUrl }, 'usage')
  const requests = (await sumAll(usage))?.requests ?? 0
  const perCall = ((bytes ?? 0) / requests).toFixed(0)
  console.log(`${requests} calls. With all sums, each has ${perCall} bytes in the store.`)
}

/** As the leader does each hour. Those that an earlier run has made are used again. */
async function makeMonthSums(usage: UsageStore, engine: MeasuredProcess): Promise<void> {
  const [startedAt, cpuBefore] = [performance.now(), readTreeCpuMicros(engine.pid)]
  await usage.upkeep.removeRecords(0, 1)
  const ms = performance.now() - startedAt
  const cpuMs = (readTreeCpuMicros(engine.pid) - cpuBefore) / 1000
  console.log(
    `Sums by month for analysis: ${ms.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms CPU of ClickHouse`,
  )
}

async function openFilledStore(open: OpenItems, options: FillOptions): Promise<FilledStore> {
  const { store, isFull, hasTeams = false, ...some } = options
  const { months } = some
  const size = months === undefined ? (isFull ? 'full' : 'tenth') : `${months}-months`
  const day = new Date().toISOString().slice(0, 10)
  const folder =
    keep === undefined
      ? await open.addFolder()
      : join(keep, `${store}-${size}-${hasTeams ? 'teams-' : ''}${day}`)
  const mark = join(folder, 'filled')
  // A run that ended in its midst may have left half of it.
  if (keep !== undefined && !existsSync(mark)) await rm(folder, { recursive: true, force: true })
  const dataDir = join(folder, 'data')
  await mkdir(dataDir, { recursive: true })
  const servers =
    store === 'sqlite' ? NO_SERVERS : await openServers(open, folder, store === 'clickhouse')
  if (!existsSync(mark)) {
    const child = open.add(openChild<ToFill, unknown>(new URL('./run-fill.ts', import.meta.url)))
    const { url, callsUrl } = servers
    await child.ask({ dataDir, url, callsUrl, endMs: Date.now(), isFull, hasTeams, ...some })
    await child.close()
    if (url !== null) await vacuum(url)
    await writeFile(mark, '')
  }
  return { dataDir, ...servers }
}

/** As the server does by itself after a while. */
async function vacuum(url: string): Promise<void> {
  const fixed = { name: 'usage store', lock: LOCKS.usage, statementMsMax: STATEMENT_MS_MAX }
  const database = openPostgresDatabase({ url, ...fixed })
  for (const text of ['VACUUM (ANALYZE)', 'CHECKPOINT']) await database.run(text)
  await database.close()
}
