import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  listPostgresPrograms,
  openTestDatabase,
} from '../../../../test/fakes/postgres/test-database.ts'
import { openPostgresDatabase } from '../../postgres/database.ts'
import { LOCKS } from '../../postgres/locks.ts'
import { migratePostgres, requireSchema } from '../../postgres/migrate.ts'
import { OTHER_NAME } from '../../usage/analysis-rows.ts'
import { USAGE_SCHEMA } from './schema.ts'

for (const programs of listPostgresPrograms()) {
  test(`${programs.title}: takes the tables, and a name of any length once`, async (context) => {
    const url = await openTestDatabase(context, programs)
    const database = openPostgresDatabase({ url, name: 'usage store', lock: LOCKS.usage })
    context.after(() => database.close())
    await migratePostgres(database, USAGE_SCHEMA)
    await requireSchema(database, USAGE_SCHEMA)
    const long = Array.from({ length: 4000 }, (_, at) => at.toString(36)).join('')
    const insert = 'INSERT INTO names (name) VALUES (?) ON CONFLICT DO NOTHING'
    assert.deepEqual(
      [await database.run(insert, [long]), await database.run(insert, [long])],
      [1, 0],
    )
    const rows = await database.all<{ id: number; name: string }>('SELECT * FROM names ORDER BY id')
    const other = OTHER_NAME.replace('\0', '\u0001')
    assert.deepEqual(rows, [
      { id: 0, name: '' },
      { id: 1, name: other },
      { id: 2, name: long },
    ])
  })
}
