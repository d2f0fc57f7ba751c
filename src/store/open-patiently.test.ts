import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'

import { systemClock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'
import { openSqliteFile } from './sqlite/file.ts'
import { StoreBusy } from './store-busy.ts'
import { openPatiently } from './open-patiently.ts'

/** Opens what is busy for so many tries; time passes by ten seconds with each. */
function createScene(busyTries: number) {
  const said: string[] = []
  const stop = new AbortController()
  let tries = 0
  const open = async (): Promise<string> => {
    tries += 1
    if (tries <= busyTries) throw new StoreBusy('The store is locked.')
    return 'open'
  }
  const clock = { now: () => 0, monotonic: () => tries * 10_000 }
  const tell = (reason: string): void => void said.push(reason)
  return { open, said, stop, options: { clock, signal: stop.signal, tell, pauseMs: 0 } }
}

test('waits for a store that is busy, and says why at once and every half minute', async () => {
  const { open, said, options } = createScene(7)
  assert.equal(await openPatiently(open, options), 'open')
  assert.deepEqual(said, Array(3).fill('The store is locked. It is tried again until it is free.'))
})

test('throws at once what will not pass by itself', async () => {
  const { said, options } = createScene(0)
  const open = () => Promise.reject(new WeirError('store_unusable', 'It is no database.'))
  await assert.rejects(openPatiently(open, options), /no database/)
  assert.deepEqual(said, [])
})

test('gives up with the reason when it is asked to', async () => {
  const { open, stop, options } = createScene(Infinity)
  const opening = openPatiently(open, options)
  stop.abort()
  await assert.rejects(opening, /The store is locked/)
})

test('a store that another process has locked is busy, and opens once it is released', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-patience-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'settings.db')
  const other = new DatabaseSync(file)
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  const said: string[] = []
  const options = { file, name: 'settings store', migrations: [], busyTimeoutMs: 10 }
  const close = await openPatiently(
    () => openSqliteFile(options, (opened) => () => opened.close()),
    {
      clock: systemClock,
      signal: new AbortController().signal,
      tell: (reason) => {
        said.push(reason)
        other.close()
      },
    },
  )
  close()
  assert.equal(said.length, 1)
  assert.match(said[0] ?? '', /settings store .* cannot be used: database is locked/)
})
