// The long form of the cluster, under load: kills at random, of processes, of whole nodes and of
// databases, a ledger that hangs, and a copy of a node. Then the record is judged as after the
// torture of one machine.

import { readKeyCopy } from '../../src/app/settings-copy/key-copy.ts'
import { systemClock } from '../../src/core/clock.ts'
import { openCallers } from '../torture/callers.ts'
import { createRandom } from '../torture/random.ts'
import { judgeRecord } from '../torture/judge-record.ts'
import type { Kill, Verdict } from '../torture/judge-record.ts'
import { checkHungLedger, hangLedger, startCopy } from './node-events.ts'
import type { CallsServer } from './open-calls.ts'
import { openCluster, until, untilSettled } from './open-cluster.ts'
import type { Cluster } from './open-cluster.ts'
import type { ClusterNode } from './open-node.ts'

export interface ClusterTortureOptions {
  readonly seed: number
  readonly kills: number
  readonly callers: number
  /** Where single calls go to ClickHouse. */
  readonly calls?: CallsServer
  readonly say?: (line: string) => void
}

const CALLS_BETWEEN_MAX = 120
const MS_BETWEEN_MAX = 3000

type Random = (below: number) => number

export async function runClusterTorture(options: ClusterTortureOptions): Promise<Verdict> {
  const random = createRandom(options.seed)
  const { calls = null } = options
  const cluster = await openCluster({
    proxyShiftsMs: [5000, -5000],
    apiShiftsMs: [-5000, 5000],
    settings: calls === null ? {} : { USAGE_URL: calls.callsUrl },
  })
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
      const event = EVENTS[random(EVENTS.length)] as Event
      const killed = await event({ cluster, calls, random })
      kills.push(...killed.kills)
      options.say?.(`${kills.length} kills, ${callers.results.length} calls: ${killed.what}`)
    }
    await callers.more(100, 10_000)
    await callers.stop()
    const completeness = await untilSettled(cluster)
    return await judgeRecord({
      dataDir: (cluster.proxies[0] as ClusterNode).dataDir,
      url: cluster.database.url,
      ...(calls === null ? {} : { callsUrl: calls.callsUrl }),
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

interface Scene {
  readonly cluster: Cluster
  readonly calls: CallsServer | null
  readonly random: Random
}

type Event = (scene: Scene) => Promise<Killed> | Killed

const chooseProxy = ({ cluster, random }: Scene): ClusterNode =>
  cluster.proxies[random(cluster.proxies.length)] as ClusterNode
const chooseApi = ({ cluster, random }: Scene): ClusterNode =>
  cluster.apis[random(cluster.apis.length)] as ClusterNode

/** As often as it stands here. */
const EVENTS: readonly Event[] = [
  (scene) => killProcess(chooseProxy(scene), 'ledger'),
  (scene) => killProcess(chooseProxy(scene), 'ledger'),
  (scene) => killProcess(chooseProxy(scene), 'proxy'),
  (scene) => killProcess(chooseProxy(scene), 'proxy'),
  (scene) => killNode(chooseProxy(scene), 'proxy'),
  (scene) => killProcess(chooseApi(scene), 'api'),
  (scene) => killNode(scene.cluster.findLeader() ?? chooseApi(scene), 'api'),
  ({ cluster, random }) => killDatabase(cluster, random),
  ({ calls }) => killCalls(calls),
  (scene) => stopLedger(scene.cluster, chooseProxy(scene)),
  (scene) => copyNode(scene.cluster, chooseProxy(scene)),
]

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

async function killCalls(calls: CallsServer | null): Promise<Killed> {
  if (calls === null) return { kills: [], what: 'nothing' }
  const at = systemClock.monotonic()
  await calls.kill()
  await calls.restart()
  return { kills: [{ role: 'database', at }], what: 'ClickHouse' }
}

/** It stands still until its supervisor ends it, and everything says so meanwhile. */
async function stopLedger(cluster: Cluster, node: ClusterNode): Promise<Killed> {
  if (node.pids('weir ledger').length === 0) return { kills: [], what: 'nothing' }
  // One that was killed just now is watched from when its successor is ready.
  await until(
    async () => (await fetch(`${node.statusUrl}/readyz`)).text(),
    (text) => !text.includes('ended and is started again'),
  )
  const stopped = hangLedger(node)
  const at = systemClock.monotonic()
  await checkHungLedger(cluster, node)
  await until(
    async () => node.pids('weir ledger'),
    (pids) => pids.length > 0 && !pids.includes(stopped),
  )
  return { kills: [{ role: 'ledger', at }], what: `the ledger of ${node.name} stood still` }
}

async function copyNode(cluster: Cluster, node: ClusterNode): Promise<Killed> {
  const said = await startCopy(cluster, node)
  if (!said.includes('is a copy of its data directory')) throw new Error(`the copy said: ${said}`)
  return { kills: [], what: `a copy of ${node.name} refused to start` }
}
