// A ledger database whose calls are in one place is not opened with another.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { batchOf, createRecord } from '../../../../test/contracts/usage-scene.ts'
import { NEEDS_CLICKHOUSE } from '../../../../test/fakes/clickhouse/find-clickhouse.ts'
import { createClickhousePlaces } from '../../../../test/fakes/clickhouse/usage-place.ts'
import { WeirError } from '../../../core/weir-error.ts'
import { openPostgresLedger } from '../../ledger/postgres/store.ts'

const createPlace = createClickhousePlaces(after)

const says =
  (message: RegExp, hint: RegExp) =>
  (error: unknown): boolean =>
    error instanceof WeirError && message.test(error.message) && hint.test(error.hint ?? '')

test(
  'calls in PostgreSQL are not left behind by a usage.url that names ClickHouse',
  { skip: NEEDS_CLICKHOUSE },
  async (t) => {
    const place = await createPlace()
    const { url } = place
    t.after(() => place.remove())
    const here = await openPostgresLedger({ url })
    await here.writeBatch(batchOf(createRecord()))
    await here.close()
    await assert.rejects(
      place.open(),
      says(/has calls, and usage\.url names another/, /migrate-data/),
    )
  },
)

test(
  'calls in ClickHouse are not left behind by a usage.url that does not name it',
  { skip: NEEDS_CLICKHOUSE },
  async (t) => {
    const place = await createPlace()
    const { url } = place
    t.after(() => place.remove())
    const elsewhere = await place.open()
    await elsewhere.writeBatch(batchOf(createRecord()))
    await elsewhere.close()
    const refusal = says(/the book of calls that are in ClickHouse/, /usage\.url/)
    await assert.rejects(openPostgresLedger({ url }), refusal)
    await assert.rejects(openPostgresLedger({ url, readOnly: true }), refusal)
    // Journals are inspected by the ledger database alone.
    const book = await openPostgresLedger({ url, readOnly: true, isBookOnly: true })
    t.after(() => book.close())
    assert.equal((await book.progress.readState()).tally.recorded, 1)
  },
)
