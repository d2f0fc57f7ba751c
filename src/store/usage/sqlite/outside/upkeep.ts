// The upkeep of sums on SQLite whose calls are kept elsewhere. Must stay true: what a transaction
// changes rests on the calls as they were read before it, so it is made again where others counted
// meanwhile.

import type { SqliteFile } from '../../../sqlite/file.ts'
import { createSql } from '../../../sqlite/database.ts'
import { readWithin } from '../../../sqlite/snapshots.ts'
import type { Snapshots } from '../../../sqlite/snapshots.ts'
import { transactConfirmed } from '../../../ledger/sqlite/confirmed-transaction.ts'
import { StoreBusy } from '../../../store-busy.ts'
import { requireWhole } from '../../changed-months.ts'
import { pickChanges, toLast } from '../../picked-changes.ts'
import type { RecordEngine } from '../../record-engine.ts'
import type { RebuildReport, Repricing, UsageUpkeep } from '../../usage-upkeep.ts'
import { prepareCostRevision, writeChanges } from '../cost-changes.ts'
import { beginComparison, findFileFaults } from '../faults.ts'
import { beginSumming, correct } from '../rebuild.ts'
import { openStaging } from '../rebuild-staging.ts'
import { createSqliteUpkeep } from '../upkeep.ts'

export interface OutsideOptions {
  readonly records: RecordEngine
  readonly snapshots: Snapshots
  /** Another connection that may write, to be closed by whoever asks. */
  readonly openConnection: () => SqliteFile
}

/** Each is for costs that another process changed in between. */
const ATTEMPTS_MAX = 8

export function createOutsideUpkeep(file: SqliteFile, options: OutsideOptions): UsageUpkeep {
  const { records } = options
  return {
    ...createSqliteUpkeep(file),
    removeRecords: (beforeMs, rowsMax) => records.remove(beforeMs, rowsMax),
    rebuildRollups: (how) => rebuildRollups(options, how),
    readRecords: (filter, page) => records.readPage(filter, page),
    changeCosts: (changes, line) => changeCosts(file, options, { changes, line }),
    findFaults: () => findFaults(file, options),
  }
}

interface WantedChanges {
  readonly changes: Parameters<UsageUpkeep['changeCosts']>[0]
  readonly line: Parameters<UsageUpkeep['changeCosts']>[1]
}

async function changeCosts(
  file: SqliteFile,
  { records, snapshots }: OutsideOptions,
  { changes, line }: WantedChanges,
): Promise<Repricing> {
  for (const { id, after } of changes) requireWhole(id, after)
  const ids = changes.map(({ id }) => id)
  for (let attempts = 1; attempts <= ATTEMPTS_MAX; attempts += 1) {
    const { stored, revision } = await snapshots.read(async (snapshot) => ({
      stored: await records.find(snapshot.sql, ids),
      revision: prepareCostRevision(snapshot.file)(),
    }))
    const changed = pickChanges(stored, changes)
    const confirm = await records.sendCosts(toLast(changed))
    const written = await transactConfirmed(file, { snapshots, confirm }, (makeItCount) =>
      file.transact(() => {
        // A cost that was read may be another by now.
        if (prepareCostRevision(file)() !== revision) return null
        makeItCount()
        return writeChanges(file, changed, { line, hasParts: false })
      }),
    )
    if (written !== null) return written
  }
  throw new StoreBusy('Other processes change costs at the same time, again and again.')
}

/** On a connection of its own, as the temporary tables are one's. */
async function rebuildRollups(
  { records, openConnection }: OutsideOptions,
  how: Parameters<UsageUpkeep['rebuildRollups']>[0],
): Promise<RebuildReport> {
  const file = openConnection()
  try {
    const staging = file.guard(() => openStaging(file.database, { hasParts: false }))
    const found = await readWithin({ file, sql: createSql(file) }, async ({ sql }) => {
      const summing = beginSumming(file, staging, how)
      for await (const record of records.readSummed(sql, summing.fromMs)) summing.add(record)
      return summing.finish()
    })
    if (!how.isTrial) correct(file, staging, found)
    return found.report
  } finally {
    file.close()
  }
}

async function findFaults(
  file: SqliteFile,
  { records, snapshots }: OutsideOptions,
): Promise<readonly string[]> {
  const damage = findFileFaults(file)
  if (damage.length > 0) return damage
  return snapshots.read(async (snapshot) => {
    const comparison = beginComparison(snapshot.file)
    for await (const record of records.readSummed(snapshot.sql, comparison.fromMs)) {
      comparison.add(record)
    }
    return comparison.finish()
  })
}
