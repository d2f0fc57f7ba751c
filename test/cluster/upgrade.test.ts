// An upgrade node by node: a cluster of the version before, the tables expanded while it runs,
// nodes of this version beside it and then in its place. Only tables that were contracted keep an
// older program from starting, which a made-up next version shows. The short form is
// `test/upgrade/`, with the data directory of the version before.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import type { CountedCalls } from '../../src/api/api-options.ts'
import type { KeyAnswer } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import { VERSION } from '../../src/core/version.ts'
import { LONG_ONLY } from '../long-form.ts'
import { WEIR } from '../fakes/program.ts'
import { openCallers } from '../torture/callers.ts'
import { judgeRecord } from '../torture/judge-record.ts'
import type { Kill } from '../torture/judge-record.ts'
import { makeNextVersion } from './next-version.ts'
import { openCluster, until, untilSettled } from './open-cluster.ts'
import type { Cluster } from './open-cluster.ts'
import type { ClusterNode } from './open-node.ts'
import { checkOutVersionBefore } from './version-before.ts'

const CALLS_MS_MAX = 30_000
/** More calls than the callers at the other proxy make. */
const SECOND_CALLERS = 1_000_000

interface Listed {
  readonly id: string
  readonly role: string
  readonly version: string
}

const NAME = 'nodes of the version before and of this one work side by side through an upgrade'

test(NAME, { skip: LONG_ONLY }, async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'weir-before-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const before = checkOutVersionBefore(root)
  const cluster = await openCluster({ proxyShiftsMs: [0], apiShiftsMs: [0], weir: before.weir })
  t.after(() => cluster.close())
  const { database, upstream } = cluster
  const [oldProxy] = cluster.proxies as [ClusterNode]
  const [oldApi] = cluster.apis as [ClusterNode]

  await migrate(cluster, WEIR)
  const [newProxy, newApi] = await Promise.all([cluster.add('proxy'), cluster.add('api')])
  // Each proxy gets the keys that an API of the other version made, and at once.
  const oldKey = await createKey(cluster, oldApi)
  const newKey = await createKey(cluster, newApi)
  const atOld = openCallers({ url: () => oldProxy.url, key: newKey, count: 2, pauseMs: 20 })
  const atNew = openCallers({
    url: () => newProxy.url,
    key: oldKey,
    count: 2,
    pauseMs: 20,
    after: SECOND_CALLERS,
  })
  const more = async (count: number): Promise<void> => {
    for (const callers of [atOld, atNew]) assert.ok(await callers.more(count, CALLS_MS_MAX))
  }
  const kills: Kill[] = []
  let oldId: string | undefined

  await t.test('both forward and record, and are listed with their versions', async () => {
    await more(30)
    for (const api of [oldApi, newApi]) {
      await until(
        () => cluster.ask<CountedCalls>(api, '/v1/completeness'),
        ({ nodes = [] }) => nodes.filter(({ recorded }) => recorded > 0).length === 2,
      )
    }
    const nodes = await listNodes(cluster)
    oldId = nodes.find(({ role, version }) => role === 'proxy' && version !== VERSION)?.id
    assert.deepEqual(nodes.map(({ role, version }) => `${role} ${version}`).toSorted(), [
      `api ${before.version}`,
      `api ${VERSION}`,
      `proxy ${before.version}`,
      `proxy ${VERSION}`,
    ])
  })

  await t.test('the older program finds nothing to migrate', async () => {
    const lines = (await migrate(cluster, before.weir)).trim().split('\n')
    for (const line of lines) assert.match(line, /^\w+: version \d+, as it was$/)
  })

  await t.test(
    'a key keeps what only this version knows when the one before changes it',
    async () => {
      const body = { name: 'tools', use_credentials: ['openai'] }
      const { id } = await cluster.ask<{ id: string }>(newApi, '/v1/keys', body)
      const grace = { grace_seconds: 60 }
      const { version } = await cluster.ask<KeyAnswer>(oldApi, `/v1/keys/${id}/rotate`, grace)
      const key = await cluster.ask<KeyAnswer>(newApi, `/v1/keys/${id}`)
      assert.deepEqual([key.version, key.use_credentials], [version, ['openai']])
    },
  )

  await t.test('what the version before has not stored, this one stores in its place', async () => {
    process.kill(oldProxy.pids('weir ledger')[0] as number, 'SIGSTOP')
    await more(20)
    const called = atOld.results.length
    kills.push({ role: 'proxy', at: systemClock.monotonic() })
    await oldProxy.kill()
    const { nodes = [] } = await cluster.ask<CountedCalls>(newApi, '/v1/completeness')
    const recorded = nodes.find(({ id }) => id === oldId)?.recorded ?? Infinity
    assert.ok(recorded < called, `${recorded} of ${called} calls are stored already`)
    await oldProxy.start(WEIR)
    await more(20)
  })

  const next = makeNextVersion(cluster.root, '99.0.0')
  await t.test('nodes go on when the next version expands the tables', async () => {
    next.addStep('CREATE TABLE IF NOT EXISTS added_by_the_next_version (id INTEGER)', 'before')
    await migrate(cluster, next.weir)
    await more(20)
  })

  await t.test('nothing is lost or counted twice, and all sums are right', async () => {
    await Promise.all([atOld.stop(), atNew.stop()])
    const completeness = await untilSettled(cluster)
    const judge = async (): Promise<readonly string[]> => {
      const { faults } = await judgeRecord({
        dataDir: oldProxy.dataDir,
        url: database.url,
        received: upstream.received,
        results: [...atOld.results, ...atNew.results],
        kills,
        completeness,
      })
      return faults
    }
    // The version before counts the first byte of any answer, this one that of streams alone.
    for (const fault of await judge()) assert.match(fault, /: \d+ sums for analysis differ$/)
    const { code, err } = await cluster.run(WEIR, 'rollups', 'rebuild')
    assert.equal(code, 0, err)
    assert.deepEqual(await judge(), [])
  })

  await t.test('a program that is too old for contracted tables does not start', async () => {
    next.addStep('SELECT 1', 'after')
    await migrate(cluster, next.weir)
    await newApi.stop()
    await assert.rejects(
      newApi.start(),
      /settings store .* works back to version \d+; this Weir knows version \d+/,
    )
  })
})

async function migrate(cluster: Cluster, weir: string): Promise<string> {
  const { code, out, err } = await cluster.run(weir, 'migrate')
  assert.equal(code, 0, err)
  return out
}

async function createKey(cluster: Cluster, api: ClusterNode): Promise<string> {
  return (await cluster.ask<{ key: string }>(api, '/v1/keys', { name: 'callers' })).key
}

async function listNodes(cluster: Cluster): Promise<readonly Listed[]> {
  const { out, err } = await cluster.run(WEIR, 'nodes', '--json')
  assert.notEqual(out, '', err)
  return (JSON.parse(out) as { nodes: readonly Listed[] }).nodes
}
