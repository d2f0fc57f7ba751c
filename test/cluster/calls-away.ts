// ClickHouse away under load: two proxies, two APIs, PostgreSQL, and callers with the official SDKs
// while the server of single calls is gone. No call may fail, what waits is counted by node and
// none of it lost, sums are answered, and afterwards every call is on record once.

import { setTimeout as pause } from 'node:timers/promises'

import type { CompletenessAnswer } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import type { Cleanups } from '../fakes/servers/shared-server.ts'
import { judgeRecord } from '../torture/judge-record.ts'
import type { Verdict } from '../torture/judge-record.ts'
import { openCallsServer } from './open-calls.ts'
import { openCluster, until, untilSettled } from './open-cluster.ts'
import type { Cluster } from './open-cluster.ts'
import type { ClusterNode } from './open-node.ts'
import { openSdkCallers } from './sdk-callers.ts'

export interface CallsAwayOptions {
  readonly seconds: number
  readonly callers: number
  readonly say?: (line: string) => void
}

export interface CallsAway extends Verdict {
  readonly awaySeconds: number
  readonly callsMeanwhile: number
  /** Of the last answer before ClickHouse came back, by node. */
  readonly pendingByNode: Readonly<Record<string, number>>
  /** From when ClickHouse answered again, with the callers going on for some of it. */
  readonly storedAfterSeconds: number
}

const LOOK_MS = 2000
/** Before ClickHouse goes, and after it is back. */
const CALLS_AROUND = 100
const CALLS_MS_MAX = 60_000
const SUMS = '/v1/usage?metric=requests&window=month_to_date'

export async function runCallsAway(
  context: Cleanups,
  { seconds, callers: count, say = () => {} }: CallsAwayOptions,
): Promise<CallsAway> {
  const calls = await openCallsServer(context)
  const cluster = await openCluster({
    proxyShiftsMs: [5000, -5000],
    apiShiftsMs: [-5000, 5000],
    settings: { USAGE_URL: calls.callsUrl },
  })
  context.after(() => cluster.close())
  const { proxies, database } = cluster
  const { key } = await cluster.json<{ key: string }>('keys', 'create', '--name', 'callers')
  const urls = (): string[] => proxies.map(({ url }) => url)
  const callers = openSdkCallers({ urls, key, count })
  await callers.more(CALLS_AROUND, CALLS_MS_MAX)

  const before = callers.results.length
  await calls.kill()
  const away = await watchAway(cluster, { seconds, say })
  const callsMeanwhile = callers.results.length - before
  await calls.restart()
  const backAt = systemClock.monotonic()
  await callers.more(CALLS_AROUND, CALLS_MS_MAX)
  await callers.stop()
  const completeness = await untilSettled(cluster)
  const storedAfterSeconds = (systemClock.monotonic() - backAt) / 1000
  say(`everything was stored ${storedAfterSeconds.toFixed(0)} s after ClickHouse was back`)

  const verdict = await judgeRecord({
    dataDir: (proxies[0] as ClusterNode).dataDir,
    url: database.url,
    callsUrl: calls.callsUrl,
    received: cluster.upstream.received,
    results: callers.results,
    kills: [],
    completeness,
  })
  const failed = callers.results.filter(({ isWhole, isAbandoned }) => !isWhole && !isAbandoned)
  const faults = [...failed.map(({ n }) => `call ${n} failed`), ...away.faults, ...verdict.faults]
  const { pendingByNode } = away
  return {
    ...verdict,
    faults,
    awaySeconds: seconds,
    callsMeanwhile,
    pendingByNode,
    storedAfterSeconds: Math.round(storedAfterSeconds),
  }
}

interface Away {
  readonly faults: readonly string[]
  readonly pendingByNode: Readonly<Record<string, number>>
}

/** What either API says meanwhile, now and again. */
async function watchAway(
  cluster: Cluster,
  { seconds, say }: Required<Pick<CallsAwayOptions, 'seconds' | 'say'>>,
): Promise<Away> {
  const faults: string[] = []
  const endAt = systemClock.monotonic() + seconds * 1000
  const ask = (node: ClusterNode) => cluster.ask<CompletenessAnswer>(node, '/v1/completeness')
  const [first, second] = cluster.apis as [ClusterNode, ClusterNode]
  let answer = await until(
    () => ask(first),
    ({ pending }) => pending > 0,
  )
  for (let look = 0; systemClock.monotonic() < endAt; look += 1) {
    await pause(LOOK_MS)
    const api = look % 2 === 0 ? second : first
    const now = await ask(api)
    if (now.lost > 0) faults.push(`${now.lost} calls are lost while ClickHouse is away`)
    if (now.is_complete) faults.push('the record is complete while ClickHouse is away')
    answer = now
    faults.push(...(await findWrongAnswers(cluster, api)))
  }
  const behind = answer.nodes.filter(({ pending }) => pending > 0)
  if (behind.length < cluster.proxies.length)
    faults.push('a node with calls that wait is not named')
  const byNode = behind.map(({ id, pending }) => [id, pending] as const)
  say(`${answer.pending} calls wait, ${answer.lost} are lost, by node ${byNode.join(' ')}`)
  return { faults, pendingByNode: Object.fromEntries(byNode) }
}

/** While ClickHouse is away: sums are in PostgreSQL, what reads single calls says it cannot. */
export async function findWrongAnswers(
  cluster: Cluster,
  api: ClusterNode,
): Promise<readonly string[]> {
  const say = (error: unknown): string => (error instanceof Error ? error.message : String(error))
  const sums = await cluster.ask(api, SUMS).then(() => null, say)
  const log = await cluster.ask(api, '/v1/requests').then(() => 'answered', say)
  const faults: string[] = []
  if (sums !== null) faults.push(`sums are not answered: ${sums}`)
  if (!log.includes(': 503 ')) faults.push(`the request log, while ClickHouse is away: ${log}`)
  return faults
}
