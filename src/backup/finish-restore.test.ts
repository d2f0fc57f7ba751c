import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { lockDataDir, openDataDir } from './data-dir.ts'
import { finishRestore, isRestoreReady, toAside } from './finish-restore.ts'

const ASIDE = toAside(Date.UTC(2026, 9, 15, 12))
const OLD = ['usage.db', 'usage.db-wal', 'usage.db-shm', 'settings.db']
const NEW = ['usage.db', 'settings.db']

/** A data directory at the moment from which a restore will be finished. */
function createDataDir(context: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'weir-restore-'))
  context.after(() => rmSync(dir, { recursive: true }))
  for (const name of OLD) writeFileSync(join(dir, name), `old ${name}`)
  mkdirSync(join(dir, 'restore.ready'))
  for (const name of NEW) writeFileSync(join(dir, 'restore.ready', name), `new ${name}`)
  writeFileSync(join(dir, 'restore.ready', 'aside'), ASIDE)
  return dir
}

// What is done one after the other; a kill can come behind each of them.
const STEPS: readonly (readonly [string, string])[] = [
  ['usage.db-wal', `usage.db${ASIDE}-wal`],
  ['usage.db-shm', `usage.db${ASIDE}-shm`],
  ['usage.db', `usage.db${ASIDE}`],
  ['restore.ready/usage.db', 'usage.db'],
  ['settings.db', `settings.db${ASIDE}`],
  ['restore.ready/settings.db', 'settings.db'],
]

for (let done = 0; done <= STEPS.length; done += 1) {
  test(`a restore that was killed after ${done} of its last steps is finished`, (context) => {
    const dir = createDataDir(context)
    for (const [from, to] of STEPS.slice(0, done)) renameSync(join(dir, from), join(dir, to))
    openDataDir(dir)
    for (const name of NEW) assert.equal(readFileSync(join(dir, name), 'utf8'), `new ${name}`)
    for (const name of OLD) {
      const kept = name.replace('.db', `.db${ASIDE}`)
      assert.equal(readFileSync(join(dir, kept), 'utf8'), `old ${name}`)
    }
    const names = readdirSync(dir).filter((name) => name.startsWith('restore'))
    assert.deepEqual(names, [])
    assert.equal(existsSync(join(dir, 'usage.db-wal')), false)
  })
}

test('a restore that was killed before is forgotten', (context) => {
  const dir = createDataDir(context)
  renameSync(join(dir, 'restore.ready'), join(dir, 'restore.part'))
  openDataDir(dir)
  assert.equal(readFileSync(join(dir, 'usage.db'), 'utf8'), 'old usage.db')
})

test('nobody opens a data directory while somebody else finishes it', (context) => {
  const dir = createDataDir(context)
  const release = lockDataDir(dir)
  assert.throws(() => openDataDir(dir), { code: 'data_dir_in_use' })
  release()
  openDataDir(dir)
  assert.equal(isRestoreReady(dir), false)
})

test('a database from an earlier restore is never overwritten', (context) => {
  const dir = createDataDir(context)
  writeFileSync(join(dir, `usage.db${ASIDE}`), 'earlier')
  assert.throws(() => finishRestore(dir), { code: 'data_dir_unusable', message: /in the way/ })
  assert.equal(readFileSync(join(dir, `usage.db${ASIDE}`), 'utf8'), 'earlier')
  assert.equal(isRestoreReady(dir), true)
})
