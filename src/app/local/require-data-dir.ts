// Opens a data directory that is there. Must stay true: a command that only reads creates nothing;
// in the wrong folder it says so, and where Weir runs.

import { existsSync } from 'node:fs'

import { findRunningWeirs } from './running-weirs.ts'
import { openDataDir } from '../../backup/data-dir.ts'
import { isRestoreReady } from '../../backup/finish-restore.ts'
import type { Config } from '../../config/config.ts'
import { isShared } from '../../config/store-locations.ts'
import { WeirError } from '../../core/weir-error.ts'
import { journalDir } from '../../journal/journal-dir.ts'
import { hasSettingsStore } from '../../store/open-store.ts'

export interface DataDirNeed {
  /** For commands that store something: the first of them may come before the first start. */
  readonly canCreate?: boolean
}

export function requireDataDir(dataDir: string, { canCreate = false }: DataDirNeed = {}): void {
  // In the last part of a restore the store may be missing for a moment.
  if (canCreate || hasSettingsStore({ dataDir }) || isRestoreReady(dataDir)) openDataDir(dataDir)
  else throw noData(dataDir)
}

/** Stores in a database need no data directory. */
export function requireStores(config: Config, need?: DataDirNeed): void {
  if (!isShared(config)) requireDataDir(config.dataDir, need)
}

/** Journals are in the data directory, wherever the stores are. */
export function requireJournals(config: Config): void {
  const { dataDir } = config
  if (!isShared(config)) return requireDataDir(dataDir)
  if (!existsSync(journalDir(dataDir))) throw noData(dataDir)
  openDataDir(dataDir)
}

/** Says what was looked at. */
export function noData(dataDir: string): WeirError {
  const running = findRunningWeirs().filter((each) => hasSettingsStore(each))
  const places = running.map((each) => `${each.dataDir} (process ${each.pid})`)
  const [first] = running
  const hint =
    first === undefined
      ? 'Looked at the configuration (weir.yaml here, --config, WEIR_CONFIG), WEIR_DATA_DIR, and for a running Weir. Run this where weir start runs, or set WEIR_DATA_DIR.'
      : `Weir runs on ${places.join(' and ')}. To use it: WEIR_DATA_DIR=${first.dataDir}`
  return new WeirError('data_dir_unusable', `There is no Weir data in ${dataDir}.`, { hint })
}
