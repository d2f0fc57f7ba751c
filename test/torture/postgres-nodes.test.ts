// Nodes that store calls in one PostgreSQL while they and the server are killed and stopped. Must
// stay true: every call is on record once, the sums are those of the records, and each threshold of
// a budget was raised once.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createRandom } from './random.ts'
import { openPostgresLedger } from '../../src/store/ledger/postgres/store.ts'
import { CENT, percentsOf } from '../contracts/usage-budget-scene.ts'
import { ask, batchOf, createRecord, EMPTY, findFaults, total } from '../contracts/usage-scene.ts'
import { openPostgresServer } from '../fakes/postgres/postgres-server.ts'
import { listPostgresPrograms } from '../fakes/postgres/test-database.ts'
import type { PostgresPrograms } from '../fakes/postgres/test-database.ts'
import { migrateUsage, withUsage } from '../fakes/postgres/usage-place.ts'

const CALLS = 800
/** Of the node that is stopped, which must not be done before. */
const STOPPED_CALLS = 1500
const NODES = ['1', '2']
/** Every tenth call is the same on both. */
const DISTINCT = 2 * CALLS - CALLS / 10
const ENTRY = fileURLToPath(new URL('../fakes/postgres/run-node.ts', import.meta.url))

async function openServer(context: TestContext) {
  const { bin } = listPostgresPrograms()[0] as PostgresPrograms
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-postgres-nodes-'))
  // The server runs as another user.
  chmodSync(folder, 0o755)
  let server = await openPostgresServer({ bin, folder })
  context.after(async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await migrateUsage(server.url)
  const { url, port } = server
  return {
    url,
    killAndOpen: async () => {
      await server.kill()
      server = await openPostgresServer({ bin, folder, port })
    },
  }
}

interface NodeWork {
  readonly calls: number
  readonly batch: number
}

function startNode(url: string, node: string, { calls, batch }: NodeWork): ChildProcess {
  const args = [ENTRY, `${url}?application_name=node${node}`, node, String(calls), String(batch)]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

interface NodeScene {
  readonly context: TestContext
  readonly url: string
}

/** Kills it so many times, each after a few of its batches and a moment more. */
async function runKilled({ context, url }: NodeScene, node: string, kills: number): Promise<void> {
  const random = createRandom(Number(node))
  for (let left = kills; ; left -= 1) {
    const child = startNode(url, node, { calls: CALLS, batch: 20 })
    // One that is left by a test that failed would keep this process from ending.
    context.after(() => child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    if (left <= 0) {
      child.stdout?.resume()
      assert.deepEqual(await exited, [0, null])
      return
    }
    let batches = 1 + random(8)
    child.stdout?.on('data', (dots: Buffer) => {
      batches -= dots.length
      if (batches <= 0) setTimeout(() => child.kill('SIGKILL'), random(20))
    })
    await exited
  }
}

async function requireExact(url: string): Promise<void> {
  const store = await openPostgresLedger({ url, readOnly: true })
  try {
    const sum = await total(store)
    assert.deepEqual([sum?.requests, sum?.cost], [DISTINCT, BigInt(DISTINCT) * CENT])
    const teams = await ask(store, { by: 'dim', dimKey: 'team' })
    assert.equal(
      teams.reduce((count, { requests }) => count + requests, 0),
      DISTINCT,
    )
    const tallies = await store.progress.readTallies()
    assert.deepEqual(
      tallies.map(({ node, forwarded }) => [node, forwarded]),
      NODES.map((node) => [node, CALLS]),
    )
    assert.equal(
      tallies.reduce((count, { recorded }) => count + recorded, 0),
      DISTINCT,
    )
    assert.deepEqual(await percentsOf(store), [10, 50, 100])
    assert.deepEqual(await findFaults(store), [])
  } finally {
    await store.close()
  }
  const rows = await withUsage(url, (database) =>
    database.first<{ records: number; counted: number; spent: string }>(
      `SELECT (SELECT COUNT(*) FROM records) AS records, (SELECT records FROM usage_state) AS counted,
        (SELECT spent FROM budget_spend) AS spent`,
    ),
  )
  const spent = String(BigInt(DISTINCT) * CENT)
  assert.deepEqual(rows, { records: DISTINCT, counted: DISTINCT, spent })
}

test('every call is stored once, whoever is killed in the midst of it', async (context) => {
  const server = await openServer(context)
  const { url } = server
  const nodes = NODES.map((node) => runKilled({ context, url }, node, 2))
  await pause(1000)
  await server.killAndOpen()
  await Promise.all(nodes)
  await requireExact(url)

  // A journal that is read again from its beginning changes nothing but its own cursor.
  const store = await openPostgresLedger({ url, owner: { node: '1', journal: 'a' } })
  const cursor = { worker: 'w0', segment: 1, offset: 0, sequence: 0, forwarded: 0 }
  await store.writeBatch({ ...EMPTY, cursors: [cursor], forwarded: -CALLS })
  await store.close()
  await runKilled({ context, url }, '1', 0)
  await requireExact(url)
})

test('a node that stops with the lock keeps the others waiting for seconds only', async (context) => {
  const { url } = await openServer(context)
  const node = startNode(url, '1', { calls: STOPPED_CALLS, batch: 10 })
  context.after(() => node.kill('SIGKILL'))
  node.stdout?.resume()
  await stopWithLock(url, node)
  const store = await openPostgresLedger({ url, owner: { node: '2', journal: 'a' } })
  context.after(() => store.close())
  const record = createRecord({ keyId: 'svc_k_2' })
  const began = performance.now()
  await store.writeBatch(batchOf(record))
  const waitedMs = performance.now() - began
  assert.ok(waitedMs > 1000 && waitedMs < 15_000, `waited ${waitedMs} ms`)
  node.kill('SIGCONT')
  assert.deepEqual(await once(node, 'exit'), [0, null])
  assert.equal((await total(store))?.requests, STOPPED_CALLS + 1)
})

/** Where it happened to have none, it goes on and is stopped again. */
async function stopWithLock(url: string, node: ChildProcess): Promise<void> {
  await withUsage(`${url}?application_name=watcher`, async (database) => {
    const isLocked = async (): Promise<boolean> => {
      const row = await database.first<{ locks: number }>(`SELECT COUNT(*) AS locks FROM pg_locks
        JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted
          AND application_name = 'node1' AND state LIKE 'idle in transaction%'`)
      return (row?.locks ?? 0) > 0
    }
    for (;;) {
      assert.equal(node.exitCode, null, 'it is stopped before it is done')
      if (!(await isLocked())) continue
      node.kill('SIGSTOP')
      // What it sent before is done by then.
      await pause(100)
      if (await isLocked()) return
      node.kill('SIGCONT')
    }
  })
}
