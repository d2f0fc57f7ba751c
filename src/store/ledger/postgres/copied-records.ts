// The records of a batch, by COPY in its own transaction.

import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { toTextArray } from '../../postgres/array-text.ts'
import { isRepeat } from '../../postgres/faults.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import { COPY_RECORDS, toCopiedRecords } from '../../usage/postgres/record-copy.ts'
import { NO_RECORDS } from '../batch-records.ts'
import type { BatchRecords } from '../batch-records.ts'
import { createPartitions } from './partitions.ts'

export function createCopiedRecords(database: SqlDatabase): BatchRecords<PoolClient> {
  const partitions = createPartitions(database)
  return {
    async prepare(records) {
      if (records.length === 0) return NO_RECORDS
      const { chunks, times } = toCopiedRecords(records)
      await partitions.ensure(times)
      return { ...NO_RECORDS, begin: (client, text) => copy(client, text, chunks) }
    },
    async withoutStored(records) {
      const ids = toTextArray(records.map(({ event }) => event.id))
      const text = 'SELECT id::text AS id FROM records WHERE id = ANY (?::uuid[])'
      const rows = await database.all<{ id: string }>(text, [ids])
      const stored = new Set(rows.map(({ id }) => id))
      return records.filter(({ event }) => !stored.has(event.id))
    },
    isRepeat,
    recover(error) {
      if (!isWithoutPartition(error)) return false
      partitions.forget()
      return true
    },
  }
}

function copy(client: PoolClient, begin: string, chunks: readonly Buffer[]): Promise<void> {
  const stream = client.query(copyFrom(`${begin}; ${COPY_RECORDS}`))
  return new Promise((resolve, reject) => {
    stream.on('error', reject)
    stream.on('finish', resolve)
    for (const chunk of chunks) stream.write(chunk)
    stream.end()
  })
}

/** `no partition of relation "records" found for row`: retention removed it meanwhile. */
function isWithoutPartition(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '23514'
}
