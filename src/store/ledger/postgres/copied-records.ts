// The records of a batch, by COPY in its own transaction.

import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { UsageRecord } from '../../../core/usage-record.ts'
import { isRepeat } from '../../postgres/faults.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import { POSTGRES } from '../../usage/postgres/dialect.ts'
import { COPY_RECORDS, toCopiedRecords } from '../../usage/postgres/record-copy.ts'
import { NO_RECORDS } from '../batch-records.ts'
import type { BatchRecords } from '../batch-records.ts'
import { withoutStored } from '../sql/ledger-engine.ts'
import { createPartitions } from './partitions.ts'

export function createCopiedRecords(database: SqlDatabase): BatchRecords<PoolClient> {
  const partitions = createPartitions(database)
  return {
    async prepare(records) {
      if (records.length === 0) return NO_RECORDS
      const { chunks, times } = toCopiedRecords(records)
      await partitions.ensure(times)
      return { ...NO_RECORDS, begin: (client, text) => copy(client, `${text}; `, chunks) }
    },
    withoutStored: (records) => withoutStored(database, records, POSTGRES),
    isRepeat,
    recover(error) {
      if (!isWithoutPartition(error)) return false
      partitions.forget()
      return true
    },
  }
}

/** In the transaction of the client. Throws UnstorableRecord. */
export function copyRecords(client: PoolClient, records: readonly UsageRecord[]): Promise<void> {
  return copy(client, '', toCopiedRecords(records).chunks)
}

function copy(client: PoolClient, before: string, chunks: readonly Buffer[]): Promise<void> {
  const stream = client.query(copyFrom(`${before}${COPY_RECORDS}`))
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
