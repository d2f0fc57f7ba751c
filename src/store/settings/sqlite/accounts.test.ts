// What is SQLite's own about users, sessions and the audit log: limits, the file itself, old files.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import {
  ADA,
  listAudit,
  START_MS,
  toNewSession,
} from '../../../../test/contracts/settings-scene.ts'
import { createTour } from '../../../../test/contracts/settings/settings-tour.ts'
import { byForm } from '../../../../test/long-form.ts'
import type { Clock } from '../../../core/clock.ts'
import { systemClock } from '../../../core/clock.ts'
import { ROTATION_GRACE_MS } from '../session-store.ts'
import { openSqliteSettings } from './store.ts'

const root = mkdtempSync(path.join(tmpdir(), 'weir-accounts-'))
after(() => rmSync(root, { recursive: true }))

const still: Clock = { now: () => START_MS, monotonic: () => 0 }
let files = 0
function createPath(): string {
  files += 1
  return path.join(root, `${files}.db`)
}

test('no secret that was ever shown is in the file', async () => {
  const file = createPath()
  const store = await openSqliteSettings({ file, clock: still })
  const tour = createTour()
  for (const { change } of tour.steps) await change(store)
  await store.close()
  const database = new DatabaseSync(file, { readOnly: true })
  const audit = JSON.stringify(database.prepare('SELECT * FROM audit').all())
  database.close()
  for (const secret of tour.secrets) assert.ok(!audit.includes(secret), secret)
  // What users, sessions and links hold of their secrets is a hash, in the whole file.
  const bytes = readFileSync(file)
  const shown = [...tour.secrets].filter((secret) => /^[A-Za-z0-9_-]{43}$/.test(secret))
  assert.ok(shown.length >= 6)
  for (const secret of shown) assert.ok(!bytes.includes(secret), secret)
})

test('a session, its old secrets and what has expired are removed with it', async () => {
  const file = createPath()
  let nowMs = START_MS
  const store = await openSqliteSettings({ file, clock: { ...still, now: () => nowMs } })
  const { id } = await store.users.create(ADA)
  const old = await store.sessions.create(toNewSession({ id }))
  for (let count = 0; count < 3; count += 1) {
    nowMs += ROTATION_GRACE_MS
    assert.ok(await store.sessions.rotate(old.session.id))
  }
  const database = new DatabaseSync(file)
  const count = (table: string): unknown =>
    database.prepare(`SELECT COUNT(*) AS n FROM ${table}`).get()?.['n']
  assert.deepEqual([count('sessions'), count('session_old_secrets')], [1, 3])
  nowMs = old.session.expiresAt
  await store.sessions.create({ ...toNewSession({ id }), expiresAt: nowMs + 1 })
  assert.deepEqual([count('sessions'), count('session_old_secrets')], [1, 0])
  database.close()
  await store.close()
})

test('who is disabled has no session, also where the file still has one', async () => {
  const file = createPath()
  const store = await openSqliteSettings({ file, clock: still })
  const { id } = await store.users.create(ADA)
  const { credential } = await store.sessions.create(toNewSession({ id }))
  const database = new DatabaseSync(file)
  database.exec('UPDATE users SET disabled_at = 1')
  database.close()
  assert.equal(await store.sessions.find(credential, 0), null)
  assert.equal((await store.sessions.list(id)).length, 1)
  await store.close()
})

/** So long that what took half of it has waited for the lock, however slow the machine is. */
const BUSY_MS = 60_000

test('a session is not waited for while another process writes', async () => {
  const file = createPath()
  let nowMs = START_MS
  const clock = { ...still, now: () => nowMs }
  const store = await openSqliteSettings({ file, clock, busyTimeoutMs: BUSY_MS })
  const { id } = await store.users.create(ADA)
  const { session, credential } = await store.sessions.create(toNewSession({ id }))
  nowMs += ROTATION_GRACE_MS
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  const startedAt = systemClock.monotonic()
  assert.ok(await store.sessions.find(credential, 0))
  await assert.rejects(store.sessions.touch(session.id), /database is locked/)
  const rotation = store.sessions.rotate(session.id, { canWait: false })
  await assert.rejects(rotation, /database is locked/)
  assert.ok(systemClock.monotonic() - startedAt < BUSY_MS / 2)
  other.exec('ROLLBACK')
  const rotated = await store.sessions.rotate(session.id)
  other.exec('BEGIN IMMEDIATE')
  assert.ok(await store.sessions.find(rotated?.credential ?? '', 0))
  assert.ok(systemClock.monotonic() - startedAt < BUSY_MS / 2)
  other.exec('ROLLBACK')
  other.close()
  await store.close()
})

const ROUNDS = byForm(15, 40)
const MODULE = JSON.stringify(new URL('./store.ts', import.meta.url).href)
// Threads, since they can be made to come in the same microsecond. The first makes the code good
// again for each round.
const RACER = `
  const { DatabaseSync } = require('node:sqlite')
  const { parentPort, workerData } = require('node:worker_threads')
  const { arrivals, file, code, name, user, rounds } = workerData
  const clock = { now: () => 1, monotonic: () => 1 }
  function meet(place) {
    Atomics.add(arrivals, place, 1)
    while (Atomics.load(arrivals, place) < 2);
  }
  async function race(open) {
    const store = await open({ file, clock })
    const database = new DatabaseSync(file)
    let served = 0
    for (let round = 0; round < rounds; round += 1) {
      if (name === 'first') {
        database.exec("UPDATE setup_code SET spent_at = NULL; UPDATE users SET role = 'viewer'")
      }
      meet(2 * round)
      const email = name + round + '@example.com'
      if (await store.setupCode.redeem(code, { ...user, email }) !== null) served += 1
      meet(2 * round + 1)
    }
    database.close()
    await store.close()
    parentPort.postMessage(served)
  }
  import(${MODULE}).then((module) => race(module.openSqliteSettings))
`

test('of two threads that redeem the setup code in the same instant, one is served', async () => {
  const file = createPath()
  const store = await openSqliteSettings({ file, clock: still })
  const code = await store.setupCode.create()
  const arrivals = new Int32Array(new SharedArrayBuffer(4 * 2 * ROUNDS))
  const served = ['first', 'second'].map(async (name) => {
    const workerData = { arrivals, file, code, name, user: ADA, rounds: ROUNDS }
    const racer = new Worker(RACER, { eval: true, workerData })
    const [count] = (await once(racer, 'message')) as [number]
    return count
  })
  const [first = 0, second = 0] = await Promise.all(served)
  assert.equal(first + second, ROUNDS)
  assert.equal((await store.users.list()).length, ROUNDS)
  assert.equal((await listAudit(store)).length, ROUNDS)
  await store.close()
})
