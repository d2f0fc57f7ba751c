// Writes records and their rollups inside a transaction of the caller. Must stay true: only a newly
// inserted record is added to the rollups, so a batch that comes twice counts once. Where calls are
// kept elsewhere, the caller gives new ones only, and analysis reads them there.

import type { StoredPrice, UsageRecord } from '../../../core/usage-record.ts'
import { UnstorableRecord } from '../../ledger/ledger-store.ts'
import type { UsageBatch } from '../../ledger/ledger-store.ts'
import { isDataFault } from '../../sqlite/file.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { createAnalysisRows } from '../analysis-rows.ts'
import { createRollups } from '../rollup.ts'
import { createPartWriter } from './analysis/part-writer.ts'
import { createKeptValues } from './analysis/kept-values.ts'
import { createKeyUses } from './key-uses.ts'
import { createNames } from './names.ts'
import { INSERT_RECORD, toRecordRow } from '../sql/record-row.ts'
import { ROLLUP_TABLES } from '../sql/rollup-tables.ts'
import { addSum, prepareAddition } from './rollup-rows.ts'

export interface RecordWriter {
  /** `onInserted` runs for each record that is new to the store, in order. */
  writeRecords(
    { records, knownDims }: Pick<UsageBatch, 'records' | 'knownDims'>,
    onInserted: (record: UsageRecord) => void,
  ): void
  writePrices(prices: readonly StoredPrice[]): void
  /** To be called when the transaction failed. */
  forget(): void
}

export function createRecordWriter(
  { database }: SqliteFile,
  { isOutside = false }: { readonly isOutside?: boolean } = {},
): RecordWriter {
  const keyUses = createKeyUses({ database })
  const names = createNames(database)
  const kept = createKeptValues(database)
  let reserved: UsageBatch['knownDims']
  const parts = createPartWriter(database)
  const insertRecord = database.prepare(INSERT_RECORD)
  const putPrice = database.prepare('INSERT OR IGNORE INTO prices VALUES (?, ?)')
  const additions = ROLLUP_TABLES.map(
    ({ name, key, sumsOf }) => [prepareAddition(database, key, name), sumsOf] as const,
  )

  /** False when it exists already. */
  function insert(record: UsageRecord): boolean {
    try {
      return insertRecord.run(...toRecordRow(record, names.idOf)).changes === 1
    } catch (error) {
      throw isDataFault(error) ? new UnstorableRecord(record.event.id, error) : error
    }
  }

  return {
    writeRecords({ records, knownDims }, onInserted) {
      if (knownDims !== undefined && knownDims !== reserved && !isOutside) {
        kept.reserve(knownDims.map(names.idOf))
        reserved = knownDims
      }
      const rollups = createRollups()
      const analyzed = createAnalysisRows({ ...kept, idOf: names.idOf })
      for (const record of records) {
        if (!isOutside && !insert(record)) continue
        rollups.add(record)
        if (!isOutside) analyzed.add(record.event, record.cost)
        keyUses.add(record)
        onInserted(record)
      }
      keyUses.write()
      parts.append(analyzed.hours())
      for (const [addition, sumsOf] of additions) {
        for (const sum of sumsOf(rollups)) addSum(addition, sum, names)
      }
    },
    writePrices(prices) {
      for (const { version, sheet } of prices) putPrice.run(version, sheet)
    },
    forget: () => {
      names.forget()
      kept.forget()
      reserved = undefined
      keyUses.forget()
    },
  }
}
