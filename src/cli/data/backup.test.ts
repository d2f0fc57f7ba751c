import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import { createCall } from '../../../test/contracts/request-log-contract.ts'
import { batchOf } from '../../../test/contracts/usage-scene.ts'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import type { CommandLine } from '../../../test/fakes/command-line.ts'
import { openLedgerStore } from '../../store/open-store.ts'
import { lockDataDir } from '../../backup/data-dir.ts'

/** A key and a call; returns where a backup may go. */
async function fill({ dataDir, clock, json }: CommandLine): Promise<string> {
  await json('keys', 'create', '--name', 'search')
  const time = { now: () => clock.nowMs, monotonic: () => clock.nowMs }
  const usage = await openLedgerStore({ dataDir, clock: time })
  await usage.writeBatch(batchOf(createCall(clock.nowMs)))
  await usage.close()
  return path.join(dataDir, '..', 'weir.tar')
}

test('backup and restore bring back what was there, and say so', async (t) => {
  const line = createCommandLine(t)
  const { weir, json, clock } = line
  const file = await fill(line)
  const { code, out } = await weir('backup', file)
  assert.equal(code, 0)
  assert.match(out, /weir\.tar: .* KiB \(usage\.db .*, settings\.db .*\), as of 2026-01-31T12:00/)
  assert.match(out, /hashes of keys/)
  assert.equal(statSync(file).mode & 0o777, 0o600)

  await json('keys', 'create', '--name', 'later')
  clock.nowMs += 1000
  const refused = await weir('restore', file)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /already has usage\.db and settings\.db\.\nAdd --force/)
  const restored = await weir('restore', file, '--force')
  assert.equal(restored.code, 0)
  assert.match(
    restored.out,
    /is as it was at 2026-01-31T12:00:00\.000Z \(Weir .+\)\.\nRenamed the old databases: /,
  )
  const keys = await json<{ keys: readonly { name: string }[] }>('keys', 'list')
  assert.deepEqual(
    keys.keys.map(({ name }) => name),
    ['search'],
  )
})

test('backup and restore speak JSON', async (t) => {
  const line = createCommandLine(t)
  const file = await fill(line)
  const made = await line.json<Record<string, unknown>>('backup', file)
  assert.deepEqual(Object.keys(made), ['file', 'bytes', 'format', 'version', 'created_at', 'files'])
  const restored = await line.json<{ put_aside: string[]; data_dir: string }>(
    'restore',
    file,
    '--force',
  )
  assert.equal(restored.data_dir, line.dataDir)
  assert.equal(restored.put_aside.length, 2)
  assert.ok(readdirSync(line.dataDir).includes(path.basename(restored.put_aside[0] as string)))
})

test('restore is refused while weir start runs', async (t) => {
  const line = createCommandLine(t)
  const file = await fill(line)
  await line.weir('backup', file)
  const release = lockDataDir(line.dataDir)
  const { code, err } = await line.weir('restore', file, '--force')
  release()
  assert.equal(code, 1)
  assert.match(err, /data_dir_in_use[^]*Stop it first/)
})

test('backup of nothing and restore of nothing say what is missing', async (t) => {
  const { weir, dataDir } = createCommandLine(t, { hasData: false })
  const file = path.join(dataDir, '..', 'weir.tar')
  const backup = await weir('backup', file)
  assert.equal(backup.code, 1)
  assert.match(backup.err, /There is no usage\.db and no settings\.db in /)
  const restore = await weir('restore', file)
  assert.equal(restore.code, 1)
  assert.match(restore.err, /cannot be read \(ENOENT\)\.\nName a file that weir backup wrote/)
  assert.equal((await weir('backup')).code, 2)
})

test('on PostgreSQL, backup and restore name what to use instead, and no password', async (t) => {
  const settings = 'settings: { url: "postgres://weir:not-shown@127.0.0.1:1/weir" }'
  const { weir } = createCommandLine(t, { hasData: false, settings })
  for (const [command, instead] of [
    ['backup', /pg_dump.*point-in-time.*journals/],
    ['restore', /pg_restore.*point-in-time.*journals/],
  ] as const) {
    const { code, err } = await weir(command, 'weir.tar')
    assert.equal(code, 1)
    assert.match(err, instead)
    assert.doesNotMatch(err, /not-shown/)
  }
})
