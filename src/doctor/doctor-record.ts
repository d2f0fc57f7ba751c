// What `weir doctor` checks about records: stores, journals, dead letters and their totals.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { readJournalFault } from '../journal/journal-fault.ts'
import { NO_LAG } from '../journal/journal.ts'
import type { JournalReader } from '../journal/journal.ts'
import { openJournalReader } from '../journal/reader.ts'
import { readCompleteness } from '../ledger/read-completeness.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'
import type { Config } from '../config/config.ts'
import { journalDir } from '../journal/journal-dir.ts'
import { countLetters, deadLetterFile } from '../ledger/dead-letter-file.ts'
import { fault, good, toStoreRemedy } from './finding.ts'
import type { Finding } from './finding.ts'

/** More than a healthy ledger ever leaves behind. */
const LAG_BYTES_MAX = 67_108_864

export interface RecordContext {
  readonly config: Config
  readonly store: LedgerStore
  /** Reads the whole store, which takes minutes where it is large. */
  readonly isDeep: boolean
}

export async function checkRecord({ config, store, isDeep }: RecordContext): Promise<Finding[]> {
  const reader = openJournalReader({ dir: journalDir(config.dataDir) })
  try {
    return [
      ...(await checkUsage(config, store, isDeep)),
      await checkJournal(config, store, reader),
      await checkCompleteness(config, store, reader),
      await checkDeadLetters(config),
    ]
  } finally {
    await reader.close()
  }
}

async function checkUsage(config: Config, store: LedgerStore, isDeep: boolean): Promise<Finding[]> {
  const remedy = toStoreRemedy(config)
  const text = await store.check()
  if (text !== null) return [fault('usage', text, remedy)]
  if (!isDeep) return [good('usage', 'the store answers; weir doctor --deep reads all of it')]
  const damage = await store.usage.upkeep.findDamage()
  if (damage.length > 0) return damage.map((sentence) => fault('usage', sentence, remedy))
  return [await compareSums(store)]
}

/** By every grouping that sums are kept by. */
async function compareSums({ usage }: LedgerStore): Promise<Finding> {
  const report = await usage.upkeep.rebuildRollups({ isTrial: true })
  const { records, rowsChanged, examples, rebuiltFrom } = report
  const since = rebuiltFrom === null ? '' : ` since ${rebuiltFrom}`
  if (rowsChanged === 0) {
    const what = 'by provider, key, model, dimension and for analysis'
    return good('usage', `all sums of ${records} calls${since} are those of the calls, ${what}`)
  }
  const text = `${rowsChanged} sums${since} are not those of their calls: ${examples.join('; ')}`
  return fault('usage', text, 'Run weir rollups rebuild.')
}

async function checkJournal(
  config: Config,
  store: LedgerStore,
  reader: JournalReader,
): Promise<Finding> {
  const dir = journalDir(config.dataDir)
  if (!hasJournals(dir)) return good('journal', 'empty so far')
  const refused = await readJournalFault(dir)
  if (refused !== null) return fault('journal', refused, `Make room on the disk of ${dir}.`)
  const { cursors } = await store.progress.readState()
  const { bytes } = await reader.lag(cursors)
  const { damagedLines, missingLines } = await reader.read(cursors, config.ledger.batchLinesMax)
  const text = `${bytes} bytes are waiting to be stored`
  if (damagedLines > 0 || missingLines > 0) {
    const damage = `${text}; ${damagedLines} lines are damaged, ${missingLines} missing`
    return fault(
      'journal',
      damage,
      `Check the disk; weir journal inspect shows the lines (${dir}).`,
    )
  }
  return bytes <= LAG_BYTES_MAX
    ? good('journal', text)
    : fault('journal', text, 'Is weir start running? It stores them; watch weir_journal_lag_bytes.')
}

function hasJournals(dir: string): boolean {
  return existsSync(dir) && readdirSync(dir).length > 0
}

async function checkCompleteness(
  { dataDir }: Config,
  store: LedgerStore,
  reader: JournalReader,
): Promise<Finding> {
  const found = await readCompleteness(
    store.progress,
    hasJournals(journalDir(dataDir)) ? reader : NO_JOURNALS,
  )
  const { forwarded, recorded, pending, dead, lost } = found
  const text = `forwarded ${forwarded}, recorded ${recorded}, pending ${pending}, dead ${dead}, lost ${lost}`
  if (lost > 0) {
    const remedy =
      'Their journal lines were damaged, dropped or removed, or waited in the memory of a process that ended. Check the disk, weir journal inspect, and the metrics ' +
      'weir_journal_dropped_total and weir_journal_damaged_lines_total.'
    return fault('record', text, remedy)
  }
  if (dead > 0) return fault('record', text, 'Run weir journal replay.')
  return good('record', text)
}

const NO_JOURNALS = { lag: async () => NO_LAG }

async function checkDeadLetters({ dataDir }: Config): Promise<Finding> {
  const count = await countLetters(dataDir)
  if (count === 0) return good('dead letters', 'none')
  const text = `${count} journal lines could not be stored and were put aside`
  const remedy = `Run weir journal replay. ${join(deadLetterFile(dataDir))} says what could not be stored, and why.`
  return fault('dead letters', text, remedy)
}
