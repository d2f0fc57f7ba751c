// Where the single calls of a ledger database are: beside it in PostgreSQL, or in an engine of
// their own. Must stay true: a store is not opened where it would show a part of the calls only.

import { WeirError } from '../../../core/weir-error.ts'
import type { SqlDatabase } from '../../sql/sql.ts'

/** It exists while calls are being moved out of the database, or into the engine beside it. */
export const MOVED_BUCKETS = 'weir_moved_buckets'

const SELECT = `SELECT EXISTS (SELECT 1 FROM records) AS "isHere",
  last_batch - (SELECT COALESCE(SUM(last_batch - first_batch + 1), 0) FROM hidden_batches)
    AS counted,
  to_regclass('${MOVED_BUCKETS}') IS NOT NULL AS "isMoving" FROM usage_state`
const SELECT_MOVED = `SELECT COUNT(DISTINCT batch) AS moved FROM ${MOVED_BUCKETS}`

interface CallsFound {
  readonly isHere: boolean
  /** How many numbers of batches are not hidden. */
  readonly counted: number
  readonly isMoving: boolean
}

/** Fails where calls are in an engine of their own. */
export async function requireCallsHere(database: SqlDatabase): Promise<void> {
  const { counted, isMoving } = await readPlaces(database)
  // What was copied so far is here as well, until the move has ended.
  const copied = isMoving ? await database.first<{ moved: number }>(SELECT_MOVED) : null
  if (counted <= (copied?.moved ?? 0)) return
  throw new WeirError(
    'store_unusable',
    `${database.title} is the book of calls that are in ClickHouse.`,
    { hint: 'Name that ClickHouse in usage.url (WEIR_USAGE_URL), on every node.' },
  )
}

/** Fails where some or all calls are in the database. */
export async function requireCallsElsewhere(database: SqlDatabase): Promise<void> {
  const { isHere, isMoving } = await readPlaces(database)
  if (isMoving) {
    throw new WeirError('store_unusable', `${database.title}: its calls are being moved.`, {
      hint: 'Run the same weir migrate-data again: it goes on from where it was and finishes.',
    })
  }
  if (!isHere) return
  throw new WeirError(
    'store_unusable',
    `${database.title} has calls, and usage.url names another place for them.`,
    {
      hint: 'Move them by weir migrate-data --from postgres://… --usage-to clickhouse://…, or leave usage.url as it was.',
    },
  )
}

async function readPlaces(database: SqlDatabase): Promise<CallsFound> {
  const places = await database.first<CallsFound>(SELECT)
  return places ?? { isHere: false, counted: 0, isMoving: false }
}
