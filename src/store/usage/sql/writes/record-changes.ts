// Changes the costs of stored records, and books those without a team to one. Must stay true: a
// record, its sums and the audit line change in one transaction under the store's lock; a record
// that has changed since it was read is left alone.

import type { UsageRecord } from '../../../../core/usage-record.ts'
import { requireEpoch } from '../../../sql/sql.ts'
import type { Sql, SqlDatabase } from '../../../sql/sql.ts'
import { StoreBusy } from '../../../store-busy.ts'
import { createAnalysisRows } from '../../analysis-rows.ts'
import type { NameIds } from '../../analysis-rows.ts'
import { requireWhole, sumMonths } from '../../changed-months.ts'
import { listParts } from '../../block-tiers.ts'
import { pickBookings, pickChanges, toLast } from '../../picked-changes.ts'
import type { ChangedRecord, RecordEngine } from '../../record-engine.ts'
import { createRollups } from '../../rollup.ts'
import type { UsageUpkeep } from '../../usage-upkeep.ts'
import { readCostRevision } from '../cost-revision.ts'
import { forgetDays } from '../day-spend.ts'
import type { Dialect } from '../dialect.ts'
import { writeLine } from '../repricings.ts'
import { removeEmptySessionSums } from '../retention.ts'
import { planParts, readTiers } from './block-writes.ts'
import { toPriceRows } from './price-rows.ts'
import { toRollupAdditions } from './rollup-writes.ts'
import { createSumIds } from './sum-ids.ts'

/** Each is for records that another process changed in between. */
const ATTEMPTS_MAX = 20

export type RecordChanges = Pick<UsageUpkeep, 'changeCosts' | 'bookToTeams'>

export interface RecordChangesOptions {
  readonly records: RecordEngine
  readonly dialect: Dialect
  /** Of parts that are merged under the lock. */
  readonly rowsMax: number
}

interface Work<Done> {
  readonly ids: readonly string[]
  readonly pick: (stored: ReadonlyMap<string, UsageRecord>) => readonly ChangedRecord[]
  /** In the transaction, behind the records and their sums. */
  readonly finish: (sql: Sql, changed: readonly ChangedRecord[]) => Promise<Done>
}

export function createRecordChanges(
  database: SqlDatabase,
  { records, dialect, rowsMax }: RecordChangesOptions,
): RecordChanges {
  const { epoch } = database
  const { hasParts } = records
  const sumIds = createSumIds(database, { dialect, hasParts })

  async function writeSums(
    sql: Sql,
    changed: readonly ChangedRecord[],
    ids: NameIds,
  ): Promise<void> {
    const rollups = createRollups()
    for (const { before, after } of changed) rollups.change(before, after)
    for (const rows of toRollupAdditions(rollups, ids.idOf)) await sql.insertMany(rows)
    if (!hasParts) return
    const analyzed = createAnalysisRows(ids)
    for (const { before, after } of changed) analyzed.change(before, after)
    const parts = [...listParts(analyzed.hours())]
    const tiers = await readTiers(sql, parts, dialect)
    const plan = await planParts(sql, { added: parts, tiers, rowsMax })
    for (const { text, values } of plan) await sql.run(text, values)
  }

  async function change<Done>({ ids: wanted, pick, finish }: Work<Done>): Promise<Done> {
    for (let attempts = 1; attempts <= ATTEMPTS_MAX; attempts += 1) {
      // Without the lock: the calls may be in another engine.
      const { stored, revision } = await database.readSnapshot(async (sql) => ({
        revision: await readCostRevision(sql),
        stored: await records.find(sql, wanted),
      }))
      const epochs = epoch.count()
      const changed = pick(stored)
      const ids = await sumIds.resolve(changed.flatMap(({ before, after }) => [before, after]))
      const confirm = await records.sendChanges(toLast(changed))
      const written = await database.transact(async (sql) => {
        requireEpoch(epoch, epochs)
        // A record that was read may be another by now.
        if ((await readCostRevision(sql)) !== revision) return null
        for (const { text, values } of await confirm(sql)) await sql.run(text, values)
        await writeSums(sql, changed, ids)
        return { done: await finish(sql, changed) }
      })
      if (written !== null) return written.done
    }
    throw new StoreBusy('Other processes change records at the same time, again and again.')
  }

  return {
    changeCosts(changes, line) {
      for (const { id, after } of changes) requireWhole(id, after)
      return change({
        ids: changes.map(({ id }) => id),
        pick: (stored) => pickChanges(stored, changes),
        finish: async (sql, changed) => {
          await sql.insertMany(toPriceRows(line.prices))
          return writeLine(sql, line, sumMonths(changed))
        },
      })
    },
    bookToTeams: (bookings) =>
      change({
        ids: bookings.map(({ id }) => id),
        pick: (stored) => pickBookings(stored, bookings),
        finish: (sql, changed) => finishBooking(sql, changed, dialect),
      }),
  }
}

/** The sums are as if they had been made again. */
const RAISE_REVISION = 'UPDATE usage_state SET rebuilds = rebuilds + 1'

async function finishBooking(
  sql: Sql,
  changed: readonly ChangedRecord[],
  dialect: Dialect,
): Promise<readonly UsageRecord[]> {
  const records = changed.map(({ after }) => after)
  if (records.length === 0) return records
  await sql.run(RAISE_REVISION)
  // What a team spent on earlier days is what the next ones are compared with.
  const ends = records.map(({ event }) => event.endedAt)
  await forgetDays(sql, ends, dialect)
  await removeEmptySessionSums(sql, ends, dialect)
  return records
}
