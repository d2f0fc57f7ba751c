import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { SQLITE_LEDGER } from '../../../ledger/sqlite/schema.ts'
import { createSqliteDatabase } from '../../../sqlite/database.ts'
import { openSqliteFile } from '../../../sqlite/file.ts'
import { SQLITE } from '../../sqlite/dialect.ts'
import { createNames } from './names.ts'

test('a name keeps its id, also when more names came than are remembered', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-names-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const database = await openSqliteFile(
    { file: join(folder, 'usage.db'), name: 'usage', ...SQLITE_LEDGER, busyTimeoutMs: 1000 },
    (file) => createSqliteDatabase(file),
  )
  t.after(() => database.close())
  const names = createNames(database, SQLITE, 2)
  const idsOf = async (): Promise<number[]> => {
    const ids: number[] = []
    for (const name of ['a', 'b', 'c', 'd']) {
      await names.resolve([name])
      ids.push(names.idOf(name))
    }
    return ids
  }
  const first = await idsOf()
  assert.equal(new Set(first).size, 4)
  assert.deepEqual(await idsOf(), first)
  assert.equal(names.idOf(''), 0)
})
