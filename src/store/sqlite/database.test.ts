import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlDatabaseContract } from '../../../test/contracts/sql/sql-database-contract.ts'
import { createSqliteDatabase } from './database.ts'
import { openSqliteFile } from './file.ts'

sqlDatabaseContract('SQLite', async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-sql-'))
  const options = { file: join(dir, 'a.db'), name: 'store', migrations: [], busyTimeoutMs: 5000 }
  const open = () => openSqliteFile(options, createSqliteDatabase)
  const [one, other] = [await open(), await open()]
  context.after(async () => {
    await Promise.all([one.close(), other.close()])
    rmSync(dir, { recursive: true })
  })
  return [one, other]
})
