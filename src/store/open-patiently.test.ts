import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'

import { systemClock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'
import { openSqliteFile } from './sqlite/sqlite-file.ts'
import { isBusy } from './open-store.ts'
import { openPatiently } from './open-patiently.ts'

function busy(): WeirError {
  const cause = Object.assign(new Error('database is locked'), { errcode: 5 })
  return new WeirError('store_unusable', 'The store is locked.', { cause })
}

/** Opens what is busy for so many tries; time passes by ten seconds with each. */
function createScene(busyTries: number) {
  const told: string[] = []
  const stop = new AbortController()
  let tries = 0
  const open = async (): Promise<string> => {
    tries += 1
    if (tries <= busyTries) throw busy()
    return 'open'
  }
  const clock = { now: () => 0, monotonic: () => tries * 10_000 }
  const tell = (reason: string): void => void told.push(reason)
  return { open, told, stop, options: { clock, signal: stop.signal, tell, pauseMs: 0 } }
}

test('waits for what is busy, and tells why at once and every half minute', async () => {
  const { open, told, options } = createScene(7)
  assert.equal(await openPatiently(open, options), 'open')
  assert.deepEqual(told, Array(3).fill('The store is locked. It is tried again until it is free.'))
})

test('throws at once what will not pass by itself', async () => {
  const { told, options } = createScene(0)
  const open = () => Promise.reject(new WeirError('store_unusable', 'It is no database.'))
  await assert.rejects(openPatiently(open, options), /no database/)
  assert.deepEqual(told, [])
})

test('gives up with the reason when it is told to', async () => {
  const { open, stop, options } = createScene(Infinity)
  const opening = openPatiently(open, options)
  stop.abort()
  await assert.rejects(opening, /The store is locked/)
})

test('a store that another process holds is busy, and opens once it is let go', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-patience-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'settings.db')
  const holder = new DatabaseSync(file)
  holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  const told: string[] = []
  const options = { file, name: 'settings store', migrations: [], busyTimeoutMs: 10 }
  const close = await openPatiently(
    () => openSqliteFile(options, (opened) => () => opened.close()),
    {
      clock: systemClock,
      signal: new AbortController().signal,
      tell: (reason) => {
        told.push(reason)
        holder.close()
      },
    },
  )
  close()
  assert.equal(told.length, 1)
  assert.match(told[0] ?? '', /settings store .* cannot be used: database is locked/)
})

test('a fault without a cause is not busy', () => {
  assert.deepEqual([isBusy(new Error('away')), isBusy(busy())], [false, true])
})
