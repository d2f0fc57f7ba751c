import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openTestDatabase } from '../../../test/fakes/postgres/test-database.ts'
import { systemClock } from '../../core/clock.ts'
import type { Sql } from '../sql/sql.ts'
import { openDatabaseClock } from './database-clock.ts'
import { openPostgresDatabase } from './database.ts'

const NO_SQL = {} as Sql

test('nodes whose clocks are 5 s apart agree on the time', async (context) => {
  const url = await openTestDatabase(context)
  const database = openPostgresDatabase({ url, name: 'settings store', lock: 7 })
  const fast = { ...systemClock, now: () => systemClock.now() + 5000 }
  const one = await openDatabaseClock(database, systemClock)
  const other = await openDatabaseClock(database, fast)
  assert.ok(Math.abs(one.now() - other.now()) < 1000)
  assert.ok(Math.abs(one.offsetMs() - other.offsetMs() - 5000) < 1000)
  one.close()
  other.close()
  await database.close()
})

test('the answer is as old as half the round trip', async () => {
  let monotonic = 0
  const clock = { now: () => 1000 + monotonic, monotonic: () => monotonic }
  const readTime = async (): Promise<number> => {
    monotonic += 20
    const timeMs = 9000 + monotonic
    monotonic += 20
    return timeMs
  }
  const measured = await openDatabaseClock(NO_SQL, clock, { readTime })
  assert.equal(measured.offsetMs(), 8000)
  assert.equal(measured.now(), 9040)
  measured.close()
})

test('while the database is away the last measurement counts, and a later one corrects it', async () => {
  const answers: (() => number)[] = [() => 5000, fail, () => 7000]
  let asked = 0
  const readTime = async (): Promise<number> => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? fail
    asked += 1
    return answer()
  }
  const clock = { now: () => 0, monotonic: () => 0 }
  const measured = await openDatabaseClock(NO_SQL, clock, { readTime, intervalMs: 5 })
  assert.equal(measured.now(), 5000)
  while (asked < 2) await pause(1)
  assert.equal(measured.now(), 5000)
  while (measured.now() !== 7000) await pause(1)
  measured.close()
})

function fail(): never {
  throw new Error('away')
}
