// The long form of the cluster: kills at random, of processes, of whole nodes and of PostgreSQL,
// under load, then the record is judged as after the torture of one machine.

import { readKeyCopy } from '../../src/app/settings-copy/key-copy.ts'
import { systemClock } from '../../src/core/clock.ts'
import { openCallers } from '../torture/callers.ts'
import { createRandom } from '../torture/random.ts'
import { judgeRecord } from '../torture/judge-record.ts'
import type { Kill, Verdict } from '../torture/judge-record.ts'
import { openCluster, until, untilSettled } from './open-cluster.ts'
import type { Cluster } from './open-cluster.ts'
import type { ClusterNode } from './open-node.ts'

export interface ClusterTortureOptions {
  readonly seed: number
  readonly kills: number
  readonly callers: number
  readonly say?: (line: string) => void
}

const CALLS_BETWEEN_MAX = 120
const MS_BETWEEN_MAX = 3000

type Random = (below: number) => number

export async function runClusterTorture(options: ClusterTortureOptions): Promise<Verdict> {
  const random = createRandom(options.seed)
  const cluster = await openCluster({ proxyShiftsMs: [5000, -5000], apiShiftsMs: [-5000, 5000] })
  try {
    const words = ['keys', 'create', '--name', 'torture']
    const { id, key } = await cluster.json<{ id: string; key: string }>(...words)
    await untilCopied(cluster, id)
    let turn = 0
    // As a load balancer would: one that runs, in turn.
    const url = (): string => {
      const running = cluster.proxies.filter((node) => node.isRunning())
      return (running[turn++ % running.length] ?? (cluster.proxies[0] as ClusterNode)).url
    }
    const callers = openCallers({ url, key, count: options.callers })
    const kills: Kill[] = []
    while (kills.length < options.kills) {
      await callers.more(1 + random(CALLS_BETWEEN_MAX), MS_BETWEEN_MAX)
      const killed = await killSomething(cluster, random)
      kills.push(...killed.kills)
      options.say?.(`${kills.length} kills, ${callers.results.length} calls: ${killed.what}`)
    }
    await callers.more(100, 10_000)
    await callers.stop()
    const completeness = await untilSettled(cluster)
    return await judgeRecord({
      dataDir: (cluster.proxies[0] as ClusterNode).dataDir,
      url: cluster.database.url,
      received: cluster.upstream.received,
      results: callers.results,
      kills,
      completeness,
    })
  } finally {
    await cluster.close()
  }
}

/** A proxy that starts without the database knows the keys of its copy, written once a second. */
async function untilCopied({ proxies }: Cluster, keyId: string): Promise<void> {
  for (const { dataDir } of proxies) {
    await until(
      async () => readKeyCopy(dataDir, () => {})?.keys ?? [],
      (keys) => keys.some(({ id }) => id === keyId),
    )
  }
}

interface Killed {
  readonly kills: readonly Kill[]
  readonly what: string
}

async function killSomething(cluster: Cluster, random: Random): Promise<Killed> {
  const proxy = cluster.proxies[random(cluster.proxies.length)] as ClusterNode
  const api = cluster.apis[random(cluster.apis.length)] as ClusterNode
  switch (random(8)) {
    case 0:
    case 1:
      return killProcess(proxy, 'ledger')
    case 2:
    case 3:
      return killProcess(proxy, 'proxy')
    case 4:
      return killNode(proxy, 'proxy')
    case 5:
      return killProcess(api, 'api')
    case 6:
      return killNode(cluster.findLeader() ?? api, 'api')
    default:
      return killDatabase(cluster, random)
  }
}

/** None where it is being started just now. */
function killProcess(node: ClusterNode, role: 'proxy' | 'ledger' | 'api'): Killed {
  const [pid] = node.pids(`weir ${role}`)
  if (pid === undefined) return { kills: [], what: 'nothing' }
  process.kill(pid, 'SIGKILL')
  return { kills: [{ role, at: systemClock.monotonic() }], what: `the ${role} of ${node.name}` }
}

async function killNode(node: ClusterNode, role: 'proxy' | 'api'): Promise<Killed> {
  const at = systemClock.monotonic()
  await node.kill()
  await node.start()
  return { kills: [{ role, at }], what: `all of ${node.name}` }
}

/** With a while without it, in which a proxy may be started, too. */
async function killDatabase(cluster: Cluster, random: Random): Promise<Killed> {
  const at = systemClock.monotonic()
  await cluster.database.kill()
  const kills: Kill[] = [{ role: 'database', at }]
  if (random(2) === 0) {
    const proxy = cluster.proxies[random(cluster.proxies.length)] as ClusterNode
    kills.push(...(await killNode(proxy, 'proxy')).kills)
  }
  await cluster.database.start()
  return { kills, what: kills.length === 1 ? 'PostgreSQL' : 'PostgreSQL, and a proxy meanwhile' }
}
