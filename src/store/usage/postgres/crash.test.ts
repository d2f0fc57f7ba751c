// What a process remembers of the store has to be in it, also after a crash of the server.

import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openClusterDatabase } from '../../../../test/cluster/open-database.ts'
import { migrateUsage, withUsage } from '../../../../test/fakes/postgres/usage-place.ts'
import { createKeptValues } from '../sql/writes/kept-values.ts'
import { createNames } from '../sql/writes/names.ts'
import { POSTGRES } from './dialect.ts'

const MONTH = 202_611

/** What is not flushed at a commit is lost in a crash for as long as the test takes. */
const SETTINGS = ['wal_writer_delay=10s', 'wal_writer_flush_after=1GB']

test('names and values that are known survive a crash of the server', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-crash-'))
  // The server is another user's.
  chmodSync(folder, 0o755)
  const server = await openClusterDatabase(folder, SETTINGS)
  t.after(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  await migrateUsage(server.url)
  await withUsage(server.url, async (database) => {
    const names = createNames(database, POSTGRES)
    const kept = createKeptValues(database, { dialect: POSTGRES })
    await names.resolve(['team', 'search'])
    const [team, search] = [names.idOf('team'), names.idOf('search')]
    await kept.resolve([{ month: MONTH, key: 1, dim: team, value: search }], new Set([MONTH]))
    await server.kill()
    await server.start()
    const stored = await database.all('SELECT id, name FROM names WHERE id > 1 ORDER BY name DESC')
    assert.deepEqual(stored, [
      { id: team, name: 'team' },
      { id: search, name: 'search' },
    ])
    assert.deepEqual(await database.all('SELECT * FROM analysis_values ORDER BY dim'), [
      { month: MONTH, dim: 0, value: team, key: 1, place: 1 },
      { month: MONTH, dim: team, value: search, key: 1, place: 1 },
    ])
  })
})
