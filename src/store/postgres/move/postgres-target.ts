// Records into PostgreSQL, beside their sums.

import type { UsageRecord } from '../../../core/usage-record.ts'
import { requireCallsHere } from '../../ledger/postgres/calls-location.ts'
import { createPartitions } from '../../ledger/postgres/partitions.ts'
import { POSTGRES } from '../../usage/postgres/dialect.ts'
import { toStorableRecord } from '../../usage/postgres/storable-record.ts'
import { LONG_MS } from '../../usage/sql/log/log-parts.ts'
import { RECORD_COLUMNS, toRecordRow } from '../../usage/sql/record-row.ts'
import type { PostgresDatabase } from '../database.ts'
import { createCallSource } from './call-source.ts'
import type { CallsTarget } from './copy-calls.ts'
import { copyRows } from './copy-rows.ts'
import type { CopiedValue } from './copy-rows.ts'
import { timesOf, toRange } from './record-buckets.ts'

const [ID, COST] = ['id', 'cost_pico'].map((name) =>
  (RECORD_COLUMNS as readonly string[]).indexOf(name),
) as [number, number]
const COLUMNS = [...RECORD_COLUMNS, 'id_away']
const TIME_BYTES = 6

export function createPostgresTarget(database: PostgresDatabase): CallsTarget {
  const partitions = createPartitions(database)
  const { readDigests } = createCallSource(database, 'postgres')
  return {
    prepare: () => requireCallsHere(database),
    readDigests: () => readDigests(),
    async readMoved() {
      const digests = await readDigests()
      return new Map(Array.from(digests, ([bucket, { digest }]) => [bucket, digest]))
    },
    async takeBack(buckets) {
      for (const bucket of buckets) {
        const { isIn, ids } = toRange(bucket, POSTGRES.toId)
        await database.transact((sql) => sql.run(`DELETE FROM records WHERE ${isIn}`, ids))
      }
    },
    async write(buckets, copy) {
      await partitions.ensure(buckets.map(timesOf).flatMap(({ fromMs, toMs }) => [fromMs, toMs]))
      await database.withClient(async (client) => {
        await client.query('BEGIN')
        await copy(async (records) => {
          await copyRows(client, { table: 'records', columns: COLUMNS, rows: records.map(toRow) })
        })
        const { command } = await client.query('COMMIT')
        if (command !== 'COMMIT') throw new Error(`${database.title} rolled copied calls back`)
      })
    },
    finish: async () => {},
    close: async () => {},
  }
}

function toRow(record: UsageRecord): readonly CopiedValue[] {
  const row = toRecordRow(toStorableRecord(record)) as CopiedValue[]
  const id = Buffer.from(row[ID] as Uint8Array)
  const sinceId = record.event.endedAt - id.readUIntBE(0, TIME_BYTES)
  row[ID] = id.toString('hex')
  row[COST] = record.cost.amount
  return [...row, sinceId > LONG_MS || sinceId < 0 ? 't' : null]
}
