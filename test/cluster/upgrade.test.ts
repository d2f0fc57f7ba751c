// An upgrade node by node: the tables are expanded while nodes of this version run, nodes of the
// next one join, and only tables that were contracted keep an older program from starting.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { judgeRecord } from '../torture/judge-record.ts'
import { openCallers } from '../torture/callers.ts'
import { makeNextVersion } from './next-version.ts'
import { openCluster, untilSettled } from './open-cluster.ts'
import type { ClusterNode } from './open-node.ts'

const CALLS_MS_MAX = 30_000

interface Listed {
  readonly nodes: readonly { readonly role: string; readonly version: string }[]
}

test('nodes of two versions work side by side through an upgrade', async (t) => {
  const cluster = await openCluster({ proxyShiftsMs: [0], apiShiftsMs: [0] })
  t.after(() => cluster.close())
  const [before] = cluster.proxies as [ClusterNode]
  const { key } = await cluster.json<{ key: string }>('keys', 'create', '--name', 'callers')
  const next = makeNextVersion(cluster.root, '99.0.0')
  next.addStep('CREATE TABLE IF NOT EXISTS added_by_the_next_version (id INTEGER)', 'before')

  const migrated = await cluster.run(next.weir, 'migrate', '--json')
  assert.equal(migrated.code, 0, migrated.err)
  const after = await cluster.add({ role: 'proxy', weir: next.weir })
  let turn = 0
  const url = (): string => (turn++ % 2 === 0 ? before : after).url
  const callers = openCallers({ url, key, count: 4 })
  assert.ok(await callers.more(60, CALLS_MS_MAX))
  const { nodes } = await cluster.json<Listed>('nodes')
  const versions = nodes.filter(({ role }) => role === 'proxy').map(({ version }) => version)
  assert.equal(new Set(versions).size, 2)

  // The one before is replaced, as its machine would be.
  await before.stop()
  await before.start()
  assert.ok(await callers.more(60, CALLS_MS_MAX))
  await callers.stop()
  const completeness = await untilSettled(cluster)
  const { faults } = await judgeRecord({
    dataDir: before.dataDir,
    url: cluster.database.url,
    received: cluster.upstream.received,
    results: callers.results,
    kills: [],
    completeness,
  })
  assert.deepEqual(faults, [])

  next.addStep('SELECT 1', 'after')
  assert.equal((await cluster.run(next.weir, 'migrate')).code, 0)
  await before.stop()
  await assert.rejects(
    before.start(),
    /settings store .* works back to version 3; this Weir knows version 1/,
  )
})
