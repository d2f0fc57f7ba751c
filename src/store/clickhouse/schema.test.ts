import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NEEDS_CLICKHOUSE } from '../../../test/fakes/clickhouse/find-clickhouse.ts'
import { openTestClickhouse } from '../../../test/fakes/clickhouse/test-clickhouse.ts'
import { toCallsUrl } from '../../../test/fakes/clickhouse/usage-place.ts'
import { WeirError } from '../../core/weir-error.ts'
import { CALL_COLUMNS } from '../usage/clickhouse/call-columns.ts'
import { openClickhouse } from './database.ts'
import { migrateClickhouse, requireCalls, toSchemaTexts } from './schema.ts'

test(
  'the tables are made once, beside others that make them',
  { skip: NEEDS_CLICKHOUSE },
  async (t) => {
    const url = toCallsUrl(await openTestClickhouse(t))
    const database = openClickhouse({ url })
    t.after(() => database.close())
    await assert.rejects(
      requireCalls(database),
      (error: unknown) => error instanceof WeirError && error.hint === 'Run weir migrate.',
    )
    await Promise.all([migrateClickhouse(database, url), migrateClickhouse(database, url)])
    await requireCalls(database)
    assert.deepEqual(await migrateClickhouse(database, url), { before: 5, after: 5 })
    const columns = await database.all<{ name: string }>('DESCRIBE TABLE calls')
    assert.deepEqual(
      columns.map(({ name }) => name),
      CALL_COLUMNS,
    )
  },
)

test(
  'a cluster gets replicated tables, in words that the server knows',
  { skip: NEEDS_CLICKHOUSE },
  async (t) => {
    const url = toCallsUrl(await openTestClickhouse(t))
    const database = openClickhouse({ url })
    t.after(() => database.close())
    const { versions, steps } = toSchemaTexts(`${url}?cluster=main`)
    for (const text of [versions, ...steps]) {
      assert.match(text, / ON CLUSTER main\b/)
      if (text.includes('CREATE')) assert.match(text, /ENGINE = ReplicatedMergeTree\('/)
      // The engine of tests has no cluster: it reads the statement and runs nothing.
      await database.run(`EXPLAIN AST ${text}`)
    }
    await assert.rejects(database.run('EXPLAIN AST CREATE TABLE calls ON CLUSTER (a UInt8)'))
  },
)
