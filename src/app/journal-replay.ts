// `weir journal replay`: the dead letters are tried again with the prices of today. Must stay true: one replay at a
// time works on a data directory, beside whatever else runs on it.

import { join } from 'node:path'

import type { Clock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'
import { claimLock } from '../journal/lock.ts'
import type { PriceBook } from '../pricing/price-book.ts'
import { openSettingsStore, openUsageStore } from './backends.ts'
import type { Config } from './config.ts'
import { openDataDir } from './data-dir.ts'
import { createConfiguredBook } from './price-book.ts'
import { replayLetterFile } from './replay-letter-file.ts'
import type { ReplayReport } from './replay-letter-file.ts'

export type { ReplayReport } from './replay-letter-file.ts'

export interface ReplayOptions {
  readonly config: Config
  readonly clock: Clock
  readonly isTrial: boolean
}

export async function replayJournal({
  config,
  clock,
  isTrial,
}: ReplayOptions): Promise<ReplayReport> {
  const { dataDir } = config
  openDataDir(dataDir)
  const release = claimLock(join(dataDir, 'dead-letters.lock'))
  if (release === null) {
    throw new WeirError('data_dir_in_use', `Another replay is running on ${dataDir}.`, {
      hint: 'Wait for it to end; it does all there is to do.',
    })
  }
  try {
    const book = await readBook(config, clock)
    const store = await openUsageStore({ dataDir, clock })
    try {
      return await replayLetterFile(store, { dataDir, book, nowMs: clock.now(), isTrial })
    } finally {
      await store.close()
    }
  } finally {
    release()
  }
}

async function readBook(config: Config, clock: Clock): Promise<PriceBook> {
  const settings = await openSettingsStore({ dataDir: config.dataDir, clock })
  try {
    return createConfiguredBook(await settings.prices.read(), config)
  } finally {
    await settings.close()
  }
}
