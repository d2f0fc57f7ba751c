import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'
import { findOwner, openOwner } from './data-dir-owner.ts'
import { NO_OWNER } from './ledger/ledger-owner.ts'

function createDataDir(context: TestContext): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-owner-'))
  context.after(() => rmSync(dataDir, { recursive: true }))
  return dataDir
}

test('a data directory is given ids once, private, and has them from then on', (context) => {
  const dataDir = createDataDir(context)
  assert.deepEqual(findOwner(dataDir), NO_OWNER)
  assert.deepEqual(readdirSync(dataDir), [])
  const owner = openOwner(dataDir)
  assert.notEqual(owner.node, owner.journal)
  assert.deepEqual(openOwner(dataDir), owner)
  assert.deepEqual(findOwner(dataDir), owner)
  assert.equal(readFileSync(join(dataDir, 'journal', 'id'), 'utf8'), `${owner.journal}\n`)
  for (const name of ['node-id', 'journal/id']) {
    assert.equal(statSync(join(dataDir, name)).mode & 0o777, 0o600)
  }
  assert.equal(statSync(join(dataDir, 'journal')).mode & 0o777, 0o700)
  assert.deepEqual(readdirSync(dataDir).toSorted(), ['journal', 'node-id'])
})

test('a journal directory that was replaced has another id, the node keeps its own', (context) => {
  const dataDir = createDataDir(context)
  const before = openOwner(dataDir)
  rmSync(join(dataDir, 'journal'), { recursive: true })
  assert.deepEqual(findOwner(dataDir), NO_OWNER)
  const after = openOwner(dataDir)
  assert.equal(after.node, before.node)
  assert.notEqual(after.journal, before.journal)
})

test('a file that contains no id is refused and left as it is', (context) => {
  const dataDir = createDataDir(context)
  writeFileSync(join(dataDir, 'node-id'), '')
  assert.throws(() => openOwner(dataDir), { code: 'store_unusable', hint: /remove it/ })
  assert.equal(readFileSync(join(dataDir, 'node-id'), 'utf8'), '')
})

test('a data directory that is not there is not made', (context) => {
  const dataDir = join(createDataDir(context), 'none')
  assert.throws(() => openOwner(dataDir), { code: 'store_unusable' })
  assert.deepEqual(findOwner(dataDir), NO_OWNER)
})

const ROUNDS = 20
const MODULE = JSON.stringify(new URL('./data-dir-owner.ts', import.meta.url).href)
const RACER = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { arrivals, dirs } = workerData
  import(${MODULE}).then(({ openOwner }) => {
    parentPort.postMessage(dirs.map((dir, round) => {
      Atomics.add(arrivals, round, 1)
      while (Atomics.load(arrivals, round) < 2);
      return openOwner(dir)
    }))
  })
`

test('two that open a new data directory in the same instant are given the same ids', async (context) => {
  const dirs = Array.from({ length: ROUNDS }, () => createDataDir(context))
  const arrivals = new Int32Array(new SharedArrayBuffer(4 * ROUNDS))
  const racers = [1, 2].map(async () => {
    const racer = new Worker(RACER, { eval: true, workerData: { arrivals, dirs } })
    const [owners] = (await once(racer, 'message')) as [unknown]
    return owners
  })
  const [first, second] = await Promise.all(racers)
  assert.deepEqual(first, second)
})
