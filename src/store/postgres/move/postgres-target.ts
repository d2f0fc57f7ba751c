// Records into PostgreSQL, beside their sums.

import { requireCallsHere } from '../../ledger/postgres/calls-location.ts'
import { copyRecords } from '../../ledger/postgres/copied-records.ts'
import { createPartitions } from '../../ledger/postgres/partitions.ts'
import { POSTGRES } from '../../usage/postgres/dialect.ts'
import { toStorableRecord } from '../../usage/postgres/storable-record.ts'
import type { PostgresDatabase } from '../database.ts'
import { createCallSource } from './call-source.ts'
import type { CallsTarget } from './copy-calls.ts'
import { timesOf, toRange } from './record-buckets.ts'

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
        await copy((records) => copyRecords(client, records.map(toStorableRecord)))
        const { command } = await client.query('COMMIT')
        if (command !== 'COMMIT') throw new Error(`${database.title} rolled copied calls back`)
      })
    },
    finish: async () => {},
    close: async () => {},
  }
}
