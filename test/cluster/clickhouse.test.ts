// The cluster with its calls in ClickHouse: a proxy is killed, ClickHouse is killed and away while
// calls go on, and every call is on record once.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { systemClock } from '../../src/core/clock.ts'
import type { Completeness } from '../../src/core/completeness.ts'
import { NEEDS_OWN_CLICKHOUSE } from '../fakes/clickhouse/find-clickhouse.ts'
import { withUsage } from '../fakes/postgres/usage-place.ts'
import { judgeRecord } from '../torture/judge-record.ts'
import type { Kill } from '../torture/judge-record.ts'
import { openCallsServer } from './open-calls.ts'
import { openCluster, until, untilSettled } from './open-cluster.ts'
import type { ClusterNode } from './open-node.ts'
import { openSdkCallers } from './sdk-callers.ts'

const CALLERS = 4
const CALLS_MS_MAX = 30_000

test(
  'a cluster with its calls in ClickHouse loses none and counts none twice',
  { skip: NEEDS_OWN_CLICKHOUSE },
  async (t) => {
    // The SDK warns of the model's age at every call.
    t.mock.method(console, 'warn', () => {})
    const root = mkdtempSync(join(tmpdir(), 'weir-cluster-calls-'))
    const server = await openCallsServer(root)
    const { callsUrl } = server
    t.after(async () => {
      await server.close()
      rmSync(root, { recursive: true, force: true })
    })
    const settings = { USAGE_URL: callsUrl }
    const cluster = await openCluster({ proxyShiftsMs: [0, 0], apiShiftsMs: [0, 0], settings })
    t.after(() => cluster.close())
    const { proxies, apis, database, upstream } = cluster
    const [one, other] = proxies as [ClusterNode, ClusterNode]
    const { key } = await cluster.json<{ key: string }>('keys', 'create', '--name', 'callers')
    const urls = (): string[] => proxies.filter((node) => node.isRunning()).map(({ url }) => url)
    const callers = openSdkCallers({ urls, key, count: CALLERS })
    const kills: Kill[] = []
    const more = async (count: number, what: string): Promise<void> => {
      assert.ok(await callers.more(count, CALLS_MS_MAX), `callers are not served: ${what}`)
    }
    await more(30, 'all is well')
    kills.push({ role: 'proxy', at: systemClock.monotonic() })
    await other.kill()
    await more(20, 'one proxy is gone')
    await other.start()

    await t.test('calls go on without ClickHouse, and what waits is counted', async () => {
      await server.kill()
      await more(60, 'ClickHouse is gone')
      const waiting = await until(
        () => cluster.ask<Completeness>(apis[0] as ClusterNode, '/v1/completeness'),
        ({ pending }) => pending > 0,
      )
      assert.equal(waiting.lost, 0)
      // However often it is tried meanwhile: one open number a node, and one in doubt.
      const hidden = await withUsage(database.url, (sql) => sql.all('SELECT * FROM hidden_batches'))
      assert.ok(hidden.length <= 2 * proxies.length + kills.length, `${hidden.length} numbers`)
      // Sums are in PostgreSQL, single calls are not.
      await cluster.ask(apis[1] as ClusterNode, '/v1/usage?metric=requests&window=month_to_date')
      await assert.rejects(cluster.ask(apis[1] as ClusterNode, '/v1/requests'), /: 503 /)
      await server.restart()
    })
    await more(20, 'ClickHouse is back')
    await callers.stop()

    await t.test(
      'every call is on record once, and all sums are those of the records',
      async () => {
        const completeness = await untilSettled(cluster)
        const { faults } = await judgeRecord({
          dataDir: one.dataDir,
          url: database.url,
          callsUrl,
          received: upstream.received,
          results: callers.results,
          kills,
          completeness,
        })
        assert.deepEqual(faults, [])
      },
    )
  },
)
