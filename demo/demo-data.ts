// The data directory of the demo: made once, topped up to the present at each start, made again
// where it is incomplete. Must stay true: nothing is removed but what a demo has made.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { openSettingsStore, openLedgerStore } from '../src/store/open-store.ts'
import type { SettingsStore, LedgerStore } from '../src/store/open-store.ts'
import { lockDataDir } from '../src/backup/data-dir.ts'
import { createSlugOf } from '../src/config/slug-of.ts'
import type { StoreLocation, UsageLocation } from '../src/config/store-locations.ts'
import type { Clock } from '../src/core/clock.ts'
import { factsOf } from '../src/core/teams/team.ts'
import { WeirError } from '../src/core/weir-error.ts'
import { checkAnomalies } from '../src/ledger/anomaly-check.ts'
import { createPriceTables } from '../src/pricing/tables/price-tables.ts'
import { KEY_HANDLES } from './company.ts'
import type { KeyHandle } from './company.ts'
import { DAY_MS, isRunaway, YEAR_DAYS } from './draw-day.ts'
import type { HistoryPlan } from './draw-day.ts'
import { fillHistory } from './fill-history.ts'
import type { FillProgress } from './fill-history.ts'
import { fillBudgets } from './fill-budgets.ts'
import { createPlacedClock, fillSettings, idOf } from './fill-settings.ts'
import type { DemoSecrets } from './fill-settings.ts'
import { listLogins } from './people.ts'
import type { DemoLogin } from './people.ts'

export interface DemoData extends DemoSecrets {
  /** New calls of the past. */
  readonly written: number
  /** Who can sign in. */
  readonly logins: readonly DemoLogin[]
}

export interface DemoDataOptions {
  readonly dataDir: string
  /** Starts from scratch. */
  readonly isFresh: boolean
  /** Of the first year; what is there already keeps its own. */
  readonly calls: number
  readonly clock: Clock
  /** Where the stores are, if not in the data directory: a database of a Weir that is not ours. */
  readonly databases?: { readonly settings: StoreLocation; readonly usage: UsageLocation }
  /** Where alerts are sent. */
  readonly hookUrl: string
  readonly signal: AbortSignal
  readonly onProgress: (progress: FillProgress) => void
}

const SEED = 20_261_116
const ANOMALY_FLOOR = 10n * 10n ** 12n
const MARK_FILE = 'demo.json'
/** What a demo and the Weir that it runs make in a data directory, beside the mark. */
const OWN_NAME = /^(settings\.db|usage\.db|weir\.lock|dead-letters\.|node-id$|journal$)/

/** Beside the stores. The secrets are those of a simulation and open nothing else. */
interface Mark {
  readonly firstDay: number
  readonly calls: number
  /** Null while the settings are being made. */
  readonly secrets: DemoSecrets | null
  readonly hasBudgets: boolean
  readonly hookUrl: string
  /** How far the past is written; it may be a little further. */
  readonly filledUntil: number
}

export async function openDemoData(options: DemoDataOptions): Promise<DemoData> {
  const { dataDir, clock, hookUrl } = options
  const nowMs = clock.now()
  let mark = takeUp(options)
  const release = lock(dataDir)
  const keep = (change: Partial<Mark>): void => {
    mark = { ...mark, ...change }
    writeMark(dataDir, mark)
  }
  const { firstDay } = mark
  const placed = createPlacedClock(clock)
  const { databases = { settings: { dataDir }, usage: { dataDir } } } = options
  const settings = await openSettingsStore({ ...databases.settings, clock: placed })
  const store = await openLedgerStore({ ...databases.usage, clock })
  try {
    const secrets = mark.secrets ?? (await fillSettings({ settings, clock: placed, firstDay }))
    keep({ secrets })
    const { rules } = await settings.prices.read()
    const priceTables = createPriceTables({ rules })
    const keyIds = toIds(secrets)
    // Every process that writes calls counts budgets.
    const slugOf = createSlugOf({ providers: {} })
    await store.progress.budgets.watch(await settings.budgets.list(), { slugOf, nowMs })
    const facts = new Map((await settings.keys.list()).map((key) => [key.id, factsOf(key)]))
    const plan: HistoryPlan = { seed: SEED, firstDay, calls: mark.calls, keyIds, facts }
    const { filledUntil: fromMs } = mark
    const { signal, onProgress } = options
    const span = { fromMs, untilMs: nowMs }
    const written = await fillHistory({ plan, store, priceTables, ...span, signal, onProgress })
    if (!mark.hasBudgets) {
      await noticeRunaway(store, plan)
      await fillBudgets({
        settings,
        clock: placed,
        firstDay,
        usage: store.usage,
        keyIds,
        nowMs,
        hookUrl,
      })
    } else if (mark.hookUrl !== hookUrl) {
      placed.place(nowMs)
      await moveTargets(settings, mark.hookUrl, hookUrl)
    }
    keep({ hasBudgets: true, hookUrl, filledUntil: nowMs })
    return { ...secrets, written, logins: listLogins(await settings.users.list()) }
  } finally {
    await store.close()
    await settings.close()
    release()
  }
}

/** The alerts of the evenings on which the job ran away. */
async function noticeRunaway(store: LedgerStore, plan: HistoryPlan): Promise<void> {
  for (let day = plan.firstDay; day < plan.firstDay + YEAR_DAYS; day += 1) {
    if (!isRunaway(plan, day)) continue
    const clock = { now: () => (day + 1) * DAY_MS - 1 }
    const { signal } = new AbortController()
    await checkAnomalies({ store, clock, floor: ANOMALY_FLOOR, consoleUrl: null, signal })
  }
}

/** The port on which alerts are received was taken this time. */
async function moveTargets(settings: SettingsStore, from: string, to: string): Promise<void> {
  const old = (await settings.targets.list()).filter(({ address }) => address === from)
  for (const { id, kind, budgetId } of old) {
    await settings.targets.create({ kind, address: to, budgetId })
    await settings.targets.remove(id)
  }
}

function takeUp({ dataDir, isFresh, calls, clock, hookUrl }: DemoDataOptions): Mark {
  const found = readMark(dataDir)
  if (found !== null && found.secrets !== null && !isFresh) return found
  if (existsSync(dataDir) && found === null && readdirSync(dataDir).length > 0) {
    throw new WeirError('data_dir_in_use', `${dataDir} contains data that no demo made.`, {
      hint: 'Choose another folder with --data.',
    })
  }
  // Not from under a demo that is running.
  if (found !== null) lock(dataDir)()
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const firstDay = Math.floor(clock.now() / DAY_MS) - YEAR_DAYS
  const mark = { firstDay, calls, secrets: null, hasBudgets: false, hookUrl, filledUntil: 0 }
  // The mark first: a directory that is left incomplete is still a demo's.
  writeMark(dataDir, mark)
  removeOwn(dataDir)
  return mark
}

/** Other files there are not the demo's. */
function removeOwn(dataDir: string): void {
  for (const name of readdirSync(dataDir).filter((each) => OWN_NAME.test(each))) {
    rmSync(path.join(dataDir, name), { recursive: true, force: true })
  }
}

function lock(dataDir: string): () => void {
  try {
    return lockDataDir(dataDir)
  } catch (error) {
    if (!(error instanceof WeirError) || error.code !== 'data_dir_in_use') throw error
    const hint = 'Stop it first, or choose another folder with --data.'
    throw new WeirError(error.code, error.message, { hint, cause: error })
  }
}

function toIds({ keys }: DemoSecrets): Readonly<Record<KeyHandle, string>> {
  const ids = KEY_HANDLES.map((handle) => [handle, idOf(keys[handle])])
  return Object.fromEntries(ids) as Record<KeyHandle, string>
}

function readMark(dataDir: string): Mark | null {
  const file = path.join(dataDir, MARK_FILE)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Mark) : null
}

/** Whole or not at all. */
function writeMark(dataDir: string, mark: Mark): void {
  const file = path.join(dataDir, MARK_FILE)
  writeFileSync(`${file}.part`, JSON.stringify(mark), { mode: 0o600 })
  renameSync(`${file}.part`, file)
}
