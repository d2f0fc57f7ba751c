// Weir over a filled store, and who asks it. A file is copied where it is kept, so that the calls
// and lines that a run adds are its own.

import { statSync } from 'node:fs'
import { constants, copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { systemClock } from '../../src/core/clock.ts'
import { measureStore } from '../../src/store/databases.ts'
import { openLedgerStore, openSettingsStore } from '../../src/store/open-store.ts'
import type { UsageStore, UsageSum } from '../../src/store/usage/usage-store.ts'
import type { OpenItems } from '../harness/benchmark.ts'
import { readTreeCpuMicros } from '../harness/process-figures.ts'
import type { MeasuredProcess } from '../harness/process-figures.ts'
import { printCallsTables } from '../harness/servers.ts'
import { openUpstream } from '../harness/upstream.ts'
import { openWeir } from '../harness/weir.ts'
import type { WeirContender } from '../harness/weir.ts'
import { createPurse, openAsker } from './asker.ts'
import type { Asker } from './asker.ts'
import { openFilledStore } from './filled-store.ts'
import type { FilledStore, FillOptions } from './filled-store.ts'

export interface FilledWeir {
  readonly weir: WeirContender
  /** The servers, and behind them the API. */
  readonly processes: readonly MeasuredProcess[]
  /** The same store, opened here. */
  readonly usage: UsageStore
  /** A file's path; of no use with servers. */
  readonly file: string
  readonly createTokens: (count: number) => Promise<readonly string[]>
  readonly openAsker: () => Promise<Asker>
}

/** Each may ask sixty times a minute. */
const TOKENS = 2000
const SCOPES = ['read:usage', 'read:keys', 'read:requests'] as const
const MONTHS = { grain: 'month', from: '2020-01', to: '2099-12' } as const

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
      const { credential } = await settings.tokens.create({
        name: 'bench',
        scopes: SCOPES,
        expiresAt: null,
      })
      tokens.push(credential)
    }
    await settings.close()
    return tokens
  }
  const nextToken = createPurse(await createTokens(TOKENS))
  const file = join(dataDir, 'usage.db')
  const filled: FilledWeir = {
    weir,
    processes: [...processes, { name: 'API', pid: weir.apiPid }],
    usage,
    file,
    createTokens,
    openAsker: async () => open.add(await openAsker(addresses.api, nextToken)),
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
      const to = join(dataDir, 'usage.db')
      await copyFile(join(store.dataDir, 'usage.db'), to, constants.COPYFILE_FICLONE)
    },
  })
}

async function printSize({ usage, file }: FilledWeir, store: FilledStore): Promise<void> {
  const { url, callsUrl } = store
  const bytes = url === null ? statSync(file).size : await measureStore({ url, callsUrl }, 'usage')
  const [total] = await usage.sum({ period: MONTHS, grouping: { by: 'total' }, keyId: null })
  const { requests } = total as UsageSum
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
