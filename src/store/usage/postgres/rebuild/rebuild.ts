// Sums rollups again from the records. Records and rollups always change together, so their
// difference stays the same: it is computed from one state of the database while batches are
// written, and then added in one transaction under the store's lock.

import type { PoolClient } from 'pg'
import { WeirError } from '../../../../core/weir-error.ts'
import { createSql } from '../../../postgres/database.ts'
import type { PostgresDatabase } from '../../../postgres/database.ts'
import { requireEpoch } from '../../../sql/sql.ts'
import type { Sql } from '../../../sql/sql.ts'
import { describeChange, describePartChange } from '../../sql/rebuild-words.ts'
import type { RebuildScope } from '../../sql/rebuild-scope.ts'
import type { SummedRecord } from '../../sql/summed-record.ts'
import type { RecordEngine } from '../../record-engine.ts'
import type { RebuildReport, UsageUpkeep } from '../../usage-upkeep.ts'
import { createNames } from '../../sql/writes/names.ts'
import { POSTGRES } from '../dialect.ts'
import { openPartStaging } from './rebuild-parts.ts'
import type { PartStaging } from './rebuild-parts.ts'
import { openRowStaging } from './rebuild-rows.ts'
import type { RowStaging } from './rebuild-rows.ts'
import { createStagedNames } from './staged-names.ts'
import type { StagedNames } from './staged-names.ts'
import { readScope } from '../../sql/scope.ts'

/** Records summed in memory before their sums go to the temporary tables. */
const CHUNK_RECORDS = 50_000
const EXAMPLES_MAX = 5
/** One statement compares whole tables; between two of them a chunk is summed. */
const LIMITS = ['SET LOCAL statement_timeout = 1800000']
const IDLE = 'SET LOCAL idle_in_transaction_session_timeout = 120000'

type RebuildOptions = Parameters<UsageUpkeep['rebuildRollups']>[0]

interface Staging {
  readonly scope: RebuildScope
  readonly names: StagedNames
  readonly rows: RowStaging
  readonly parts: PartStaging
  readonly records: RecordEngine
}

export function rebuildRollups(
  database: PostgresDatabase,
  records: RecordEngine,
  options: RebuildOptions,
): Promise<RebuildReport> {
  return inSnapshot(database, async (sql) => {
    const scope = await readScope(sql)
    const names = createStagedNames(sql)
    const staging: Staging = {
      scope,
      names,
      rows: await openRowStaging(sql, { scope, names }),
      parts: records.hasParts ? await openPartStaging(sql, { scope, names }) : NO_PARTS,
      records,
    }
    const report = await sumRecords(sql, staging, options)
    const { rowsChanged } = report
    const rebuilds = await readRebuilds(sql)
    if (!options.isTrial) await correct(database, staging, { rowsChanged, rebuilds })
    return report
  })
}

const NO_PARTS: PartStaging = {
  add: async () => {},
  compare: async () => 0,
  changes: async () => [],
  apply: async () => {},
}

/** Not read-only, as temporary tables are made in it; they end with it. */
function inSnapshot<Result>(
  database: PostgresDatabase,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  return database.withClient(async (client: PoolClient) => {
    await client.query(['BEGIN ISOLATION LEVEL REPEATABLE READ', ...LIMITS, IDLE].join('; '))
    const result = await work(createSql(client))
    await client.query('ROLLBACK')
    return result
  })
}

async function sumRecords(
  sql: Sql,
  staging: Staging,
  { onProgress }: RebuildOptions,
): Promise<RebuildReport> {
  const { scope, names, rows, parts } = staging
  let seen = 0
  let summed = 0
  let chunk: SummedRecord[] = []
  const stage = async (): Promise<void> => {
    await names.resolve(chunk)
    await rows.add(chunk)
    await parts.add(chunk)
    chunk = []
    onProgress?.(seen)
  }
  for await (const record of staging.records.readSummed(sql, scope.fromMs)) {
    seen += 1
    if (record.event.status !== 'denied') summed += 1
    if (chunk.push(record) >= CHUNK_RECORDS) await stage()
  }
  if (chunk.length > 0 || seen === 0) await stage()
  const counts = await rows.compare()
  const changedParts = await parts.compare()
  return {
    records: summed,
    ...counts,
    rowsChanged: counts.rowsChanged + changedParts,
    examples: await listExamples(staging),
    rebuiltFrom: scope.fromDay,
  }
}

async function listExamples({ rows, parts, names }: Staging): Promise<readonly string[]> {
  const changes = await rows.changes(0, EXAMPLES_MAX)
  const nameOf = await names.read(changes.flatMap(({ change }) => change.key.slice(1).map(Number)))
  const examples = changes.map(({ change }) => describeChange(change, (id) => nameOf(Number(id))))
  const left = EXAMPLES_MAX - examples.length
  return [...examples, ...(await parts.changes(left)).map(describePartChange)]
}

async function correct(
  database: PostgresDatabase,
  { scope, names, rows, parts }: Staging,
  { rowsChanged, rebuilds }: { readonly rowsChanged: number; readonly rebuilds: number },
): Promise<void> {
  const { epoch } = database
  const epochs = epoch.count()
  const stored = createNames(database, POSTGRES)
  await stored.resolve(names.missing())
  const toId = (id: number): number => (id < 0 ? stored.idOf(names.missingName(id)) : id)
  await database.transact(async (sql) => {
    requireEpoch(epoch, epochs)
    // What another rebuild has added must not be added again.
    if ((await readRebuilds(sql)) !== rebuilds) throw anotherRebuild(database.title)
    await markComplete(sql, scope)
    if (rowsChanged === 0) return
    await rows.apply(sql, toId)
    await parts.apply(sql, toId)
    await sql.run('UPDATE usage_state SET rebuilds = rebuilds + 1')
  })
}

/** A month that lacks records cannot be summed again. */
async function markComplete(sql: Sql, { monthNumber }: RebuildScope): Promise<void> {
  const fromMs = Date.UTC(Math.floor(monthNumber / 100), (monthNumber % 100) - 1)
  await sql.run(
    `UPDATE usage_state SET analysis_from = LEAST(analysis_from, ?::bigint)
      WHERE analysis_from IS NOT NULL`,
    [fromMs],
  )
  if (monthNumber === 0) await sql.run('UPDATE usage_state SET analysis_from = NULL')
}

async function readRebuilds(sql: Sql): Promise<number> {
  const row = await sql.first<{ rebuilds: number }>('SELECT rebuilds FROM usage_state')
  return row?.rebuilds ?? 0
}

function anotherRebuild(title: string): WeirError {
  return new WeirError('store_unusable', `${title} was rebuilt by another process meanwhile.`, {
    hint: 'Nothing was changed. If figures still look wrong, run it again.',
  })
}
