import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { usageRebuildContract } from '../../../../test/contracts/usage/usage-rebuild-contract.ts'
import { isInScope, toScope } from '../sql/rebuild-scope.ts'
import { openSqliteLedger } from '../../ledger/sqlite/store.ts'

usageRebuildContract('SQLite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'weir-rebuild-'))
  const file = join(directory, 'usage.db')
  return {
    open: () => openSqliteLedger({ file }),
    remove: () => rm(directory, { recursive: true }),
    async tamper(sql) {
      const database = new DatabaseSync(file)
      database.exec(sql)
      database.close()
    },
  }
})

for (const [removedBefore, inScope, outOfScope] of [
  ['2026-10-15', ['2026-10-15', '2026-11-01', '2026-11'], ['2026-10-14', '2026-10', '2025-12']],
  ['2026-10-01', ['2026-10-01', '2026-10'], ['2026-09-30', '2026-09']],
  ['2026-12-31', ['2026-12-31', '2027-01'], ['2026-12', '2026-12-30']],
] as const) {
  test(`knows which days and months are whole since ${removedBefore}`, () => {
    const scope = toScope(Date.parse(`${removedBefore}T00:00:00Z`))
    for (const period of inScope) assert.equal(isInScope(period, scope), true, period)
    for (const period of outOfScope) assert.equal(isInScope(period, scope), false, period)
  })
}
