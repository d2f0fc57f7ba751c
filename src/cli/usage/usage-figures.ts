// Usage figures from open stores, computed by the API's own functions so that both agree.

import type { Overview, UsageBreakdown } from '../../../client/weir-client.js'
import type { UsageRow } from '../../api/contract.ts'
import { toCsvHead, toCsvLine } from '../../api/exports/csv.ts'
import type { CsvColumn } from '../../api/exports/csv.ts'
import { parseUsageQuery } from '../../api/usage/parse-usage-query.ts'
import type { UsageQuery } from '../../api/usage/parse-usage-query.ts'
import { readBreakdown } from '../../api/usage/read-breakdown.ts'
import { readOverview } from '../../api/usage/read-overview.ts'
import { createUsageSnapshots } from '../../api/usage/usage-snapshots.ts'
import type { Clock } from '../../core/clock.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { LedgerBook } from '../../store/ledger/ledger-book.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'

/** The parameters of GET /v1/usage, by name. */
export type UsageQuestion = Readonly<Record<string, string>>

export interface UsageFigures {
  readonly asOf: string
  readonly rows: readonly UsageRow[]
}

export interface UsageReader {
  /** What GET /v1/usage answers, from the snapshot that all share. */
  ask(question: UsageQuestion): Promise<UsageFigures>
  /** The rows with the whole that they are part of, of one moment. */
  readBreakdown(question: UsageQuestion): Promise<UsageBreakdown>
  /** Everything at a glance, of one moment. */
  readOverview(): Promise<Overview>
}

/** What is said beside the figures. */
export interface UsageNotes {
  /** By id. */
  readonly readKeyNames: () => Promise<ReadonlyMap<string, string>>
  /** Whether calls of unknown cost are on record. */
  readonly hasUnpriced: () => Promise<boolean>
}

export const QUESTION_HINT =
  'weir usage --help shows the options; a parameter such as dim_key is --dim-key there.'

export interface UsageFiguresOptions {
  readonly usage: UsageStore
  readonly settings: Pick<SettingsStore, 'snapshots'>
  readonly ledgerBook: Pick<LedgerBook, 'readState'>
  readonly clock: Clock
}

export function createUsageFigures(options: UsageFiguresOptions): UsageReader {
  const { usage, settings, ledgerBook, clock } = options
  const snapshots = createUsageSnapshots({
    usage,
    snapshots: settings.snapshots,
    clock,
    // A snapshot that could not be shared is still right, and no other process needs it.
    log: { warn: () => undefined },
  })
  return {
    async ask(question) {
      const { body } = await snapshots.read(parseQuestion(question, clock.now()))
      return JSON.parse(body.toString()) as UsageFigures
    },
    readBreakdown(question) {
      const nowMs = clock.now()
      return readBreakdown(parseQuestion(question, nowMs), usage, nowMs)
    },
    readOverview() {
      return readOverview({ usage, ledgerBook }, { dimKey: null, hasKeys: false }, clock.now())
    },
  }
}

function parseQuestion(question: UsageQuestion, nowMs: number): UsageQuery {
  try {
    return parseUsageQuery(new URLSearchParams(question), nowMs)
  } catch (error) {
    if (!(error instanceof WeirError)) throw error
    throw new WeirError(error.code, error.message, { hint: QUESTION_HINT, cause: error })
  }
}

const CSV_COLUMNS: readonly CsvColumn[] = [
  { name: 'label', kind: 'text' },
  { name: 'value', kind: 'plain' },
  { name: 'bucket', kind: 'plain' },
  { name: 'model', kind: 'text' },
  { name: 'requests', kind: 'plain' },
  { name: 'tokens', kind: 'plain' },
]

const USD_DIGITS = 9

/** Where the rows are keys. */
const NAMED_COLUMNS: readonly CsvColumn[] = [...CSV_COLUMNS, { name: 'api_key_name', kind: 'text' }]

/** RFC 4180, with a header line. `keyNames` is given where the rows are by key. */
export function toUsageCsv({ rows }: UsageFigures, keyNames?: ReadonlyMap<string, string>): string {
  const columns = keyNames === undefined ? CSV_COLUMNS : NAMED_COLUMNS
  const lines = rows.map((row) => {
    const name = keyNames?.get(row.label) ?? null
    return toCsvLine(columns, { ...row, value: toDecimal(row.value), api_key_name: name })
  })
  return [toCsvHead(columns), ...lines].join('')
}

/** Never `4.2e-7`: not every CSV reader accepts that. */
export function toDecimal(value: number): string {
  const text = String(value)
  return text.includes('e-') ? value.toFixed(USD_DIGITS).replace(/\.?0+$/, '') : text
}
