// Where the single calls of a book are: beside it in PostgreSQL, or in an engine of their own. Must
// stay true: a store is not opened where it would show a part of the calls only.

import { WeirError } from '../../../core/weir-error.ts'
import type { SqlDatabase } from '../../sql/sql.ts'

/** It exists while calls are being moved out of the database, or into the engine beside it. */
export const MOVED_BUCKETS = 'weir_moved_buckets'

// A batch has counted where not all numbers are hidden.
const SELECT = `SELECT EXISTS (SELECT 1 FROM records) AS "isHere",
  last_batch > (SELECT COALESCE(SUM(last_batch - first_batch + 1), 0) FROM hidden_batches)
    AS "isElsewhere",
  to_regclass('${MOVED_BUCKETS}') IS NOT NULL AS "isMoving" FROM usage_state`

interface Places {
  readonly isHere: boolean
  readonly isElsewhere: boolean
  readonly isMoving: boolean
}

/** Fails where calls are in an engine of their own. */
export async function requireCallsHere(database: SqlDatabase): Promise<void> {
  const { isHere, isElsewhere, isMoving } = await readPlaces(database)
  // Until a move has ended, all calls are here.
  if (!isElsewhere || (isMoving && isHere)) return
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
      hint: 'Move them by weir migrate-data --from postgres://… --calls-to clickhouse://…, or leave usage.url as it was.',
    },
  )
}

async function readPlaces(database: SqlDatabase): Promise<Places> {
  const places = await database.first<Places>(SELECT)
  return places ?? { isHere: false, isElsewhere: false, isMoving: false }
}
