import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { once } from 'node:events'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { PLAIN_KEY } from '../../../../test/contracts/settings-scene.ts'
import { settingsStoreContract } from '../../../../test/contracts/settings/settings-store-contract.ts'
import { layEmptyStore } from '../../../../test/fakes/sqlite/empty-stores.ts'
import { byForm } from '../../../../test/long-form.ts'
import { systemClock } from '../../../core/clock.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { SettingsStore } from '../settings-store.ts'
import { openSqliteSettings, SQLITE_SETTINGS } from './store.ts'

const root = mkdtempSync(path.join(tmpdir(), 'weir-settings-'))
after(() => rmSync(root, { recursive: true }))

let files = 0
function createPath(): string {
  files += 1
  return path.join(root, `${files}.db`)
}

settingsStoreContract('sqlite', async (clock, limits) => {
  const file = createPath()
  await layEmptyStore('settings', file)
  const stores: SettingsStore[] = []
  const reopen = async (): Promise<SettingsStore> => {
    const store = await openSqliteSettings({ ...limits, file, clock })
    stores.push(store)
    return store
  }
  const close = async (): Promise<void> => {
    for (const store of stores) await store.close()
  }
  return { store: await reopen(), reopen, close }
})

const clock = systemClock

describe('the file', () => {
  test('is readable by its owner only', async () => {
    const file = createPath()
    const store = await openSqliteSettings({ file, clock })
    await store.keys.create(PLAIN_KEY)
    for (const each of [file, `${file}-wal`]) assert.equal(statSync(each).mode & 0o777, 0o600)
    await store.close()
  })

  test('of a newer Weir is refused and left as it is', async () => {
    const file = createPath()
    const database = new DatabaseSync(file)
    const known = SQLITE_SETTINGS.firstVersion + SQLITE_SETTINGS.migrations.length - 1
    database.exec(`pragma user_version = ${known + 1}`)
    database.close()
    await assert.rejects(openSqliteSettings({ file, clock }), (error) => {
      assert.ok(error instanceof WeirError)
      assert.equal(error.code, 'store_unusable')
      assert.match(
        error.message,
        new RegExp(`has version ${known + 1}; this Weir knows versions up to ${known}`),
      )
      assert.match(error.hint ?? '', /newer Weir/)
      return true
    })
    const after = new DatabaseSync(file)
    assert.deepEqual(after.prepare('select name from sqlite_schema').all(), [])
    after.close()
  })

  test('that is no database is refused with a remedy', async () => {
    const file = createPath()
    writeFileSync(
      file,
      'not a database, and long enough for SQLite to tell that it is none'.repeat(9),
    )
    const opening = openSqliteSettings({ file, clock })
    await assert.rejects(opening, { code: 'store_unusable', hint: /no SQLite database/ })
  })

  test('in a directory that does not exist is refused with a remedy', async () => {
    const opening = openSqliteSettings({ file: path.join(root, 'nowhere', 'settings.db'), clock })
    await assert.rejects(opening, { code: 'store_unusable', hint: /directory exists/ })
  })

  test('that was replaced while in use is a fault', async () => {
    const file = createPath()
    const store = await openSqliteSettings({ file, clock })
    renameSync(file, `${file}.old`)
    assert.match((await store.check()) ?? '', /moved or replaced/)
    await store.close()
  })
})

/** So long that what took half of it has waited for the lock, however slow the machine is. */
const BUSY_MS = 60_000

test('the last use of a token is not waited for while another process writes', async () => {
  const file = createPath()
  const store = await openSqliteSettings({ file, clock, busyTimeoutMs: BUSY_MS })
  const used = await store.tokens.create({
    name: 'used',
    scopes: ['admin'],
    teamId: null,
    expiresAt: null,
  })
  const unused = await store.tokens.create({
    name: 'unused',
    scopes: ['admin'],
    teamId: null,
    expiresAt: null,
  })
  await store.tokens.touch(used.token.id)
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  const startedAt = clock.monotonic()
  await store.tokens.touch(used.token.id)
  await assert.rejects(store.tokens.touch(unused.token.id), /database is locked/)
  assert.ok(clock.monotonic() - startedAt < BUSY_MS / 2)
  other.exec('ROLLBACK')
  other.close()
  await store.tokens.touch(unused.token.id)
  assert.notEqual((await store.tokens.find(unused.token.id))?.lastUsedAt, null)
  await store.close()
})

test('a snapshot is not waited for while another process writes', async () => {
  const file = createPath()
  const store = await openSqliteSettings({ file, clock, busyTimeoutMs: BUSY_MS })
  const takenAt = clock.now()
  const snapshot = { identity: 'one', takenAt, validUntil: takenAt + 3_600_000, text: '{}' }
  await store.snapshots.put(snapshot)
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  const startedAt = clock.monotonic()
  await assert.rejects(store.snapshots.put({ ...snapshot, identity: 'two' }), /database is locked/)
  assert.deepEqual(await store.snapshots.find('one'), snapshot)
  assert.ok(clock.monotonic() - startedAt < BUSY_MS / 2)
  other.exec('ROLLBACK')
  other.close()
  assert.equal(await store.snapshots.find('two'), null)
  await store.close()
})

const MODULE = JSON.stringify(new URL('./store.ts', import.meta.url).href)
const CHILD = `
  import { openSqliteSettings } from ${MODULE}
  const clock = { now: () => 1, monotonic: () => 1 }
  const store = await openSqliteSettings({ file: process.argv[1], clock })
  const ids = []
  for (let count = 0; count < 25; count += 1) {
    const { key } = await store.keys.create(${JSON.stringify(PLAIN_KEY)})
    await store.keys.revoke(key.id)
    ids.push(key.id)
  }
  await store.close()
  process.stdout.write(JSON.stringify(ids))
`

async function createKeysInChild(file: string): Promise<string[]> {
  const run = promisify(execFile)
  const child = await run(process.execPath, ['--input-type=module', '--eval', CHILD, file])
  return JSON.parse(child.stdout) as string[]
}

test('processes that start at once on a new file all keep what they change', async () => {
  const file = createPath()
  const children = Promise.all([createKeysInChild(file), createKeysInChild(file)])
  // This process joins in: it changes and polls while the others write.
  const store = await openSqliteSettings({ file, clock })
  const own = await store.keys.create(PLAIN_KEY)
  const seen = new Map<string, number | null>()
  let revision = 0
  let isOver = false
  const finished = children.finally(() => (isOver = true))
  while (!isOver || (await store.keys.readChanges(revision)).revision !== revision) {
    const changes = await store.keys.readChanges(revision)
    for (const key of changes.keys) seen.set(key.id, key.revokedAt)
    revision = changes.revision
    await new Promise((resolve) => setImmediate(resolve))
  }
  const ids = (await finished).flat()
  assert.equal(revision, 101)
  assert.deepEqual([...seen.keys()].sort(), [own.key.id, ...ids].sort())
  assert.ok(ids.every((id) => seen.get(id) === 1))
  assert.equal(await store.check(), null)
  await store.close()
})

// Threads, since they can be made to open each file in the same microsecond.
const RACER = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { arrivals, files } = workerData
  const clock = { now: () => 1, monotonic: () => 1 }
  async function race(open) {
    for (const [round, file] of files.entries()) {
      Atomics.add(arrivals, round, 1)
      while (Atomics.load(arrivals, round) < 2);
      await open({ file, clock }).then((store) => store.close(), (error) => parentPort.postMessage(error))
    }
  }
  import(${MODULE}).then((module) => race(module.openSqliteSettings))
`

test('connections that open a new file in the same instant all succeed', async () => {
  const files = Array.from({ length: byForm(15, 60) }, createPath)
  const arrivals = new Int32Array(new SharedArrayBuffer(4 * files.length))
  const failures: unknown[] = []
  const racers = [1, 2].map(() => {
    const racer = new Worker(RACER, { eval: true, workerData: { arrivals, files } })
    racer.on('message', (failure) => failures.push(failure))
    return once(racer, 'exit')
  })
  await Promise.all(racers)
  assert.deepEqual(failures, [])
})
