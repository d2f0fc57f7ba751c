// What happens to a database under nodes that go on: a failover to a replica that lacks the last
// commits, a restore to an earlier state, and an empty one, under load. Afterwards every call whose
// journal is on a disk is on record once, every sum is that of the records by every grouping, and
// keys that are gone are refused.

import type { CompletenessAnswer } from '../../src/api/contract.ts'
import type { Cleanups } from '../fakes/servers/shared-server.ts'
import { planCall } from '../torture/call-plan.ts'
import { openCallers } from '../torture/callers.ts'
import { CALL_HEADER } from '../torture/counting-upstream.ts'
import { judgeRecord } from '../torture/judge-record.ts'
import type { Verdict } from '../torture/judge-record.ts'
import { openCallsServer } from './open-calls.ts'
import { openCluster, until } from './open-cluster.ts'
import type { Cluster } from './open-cluster.ts'
import type { ClusterNode } from './open-node.ts'

export const DATABASE_EVENTS = ['failover', 'restore', 'empty'] as const
export type DatabaseEvent = (typeof DATABASE_EVENTS)[number]

export interface DatabaseEventOptions {
  readonly event: DatabaseEvent
  readonly hasClickhouse: boolean
  readonly callers: number
  readonly callsBetween?: number
  readonly say?: (line: string) => void
}

const CALLS_BETWEEN = 200
const CALLS_MS_MAX = 60_000

interface Scene {
  readonly cluster: Cluster
  readonly event: DatabaseEvent
  readonly say: (line: string) => void
}

export async function runDatabaseEvent(
  context: Cleanups,
  options: DatabaseEventOptions,
): Promise<Verdict> {
  const { event, hasClickhouse, callsBetween = CALLS_BETWEEN, say = () => {} } = options
  const calls = hasClickhouse ? await openCallsServer(context) : null
  const cluster = await openCluster({
    proxyShiftsMs: [0, 0],
    apiShiftsMs: [0],
    settings: {
      // All that was stored can be stored again.
      JOURNAL_KEEP_HOURS: '1',
      ...(calls !== null && { USAGE_URL: calls.callsUrl }),
    },
  })
  context.after(() => cluster.close())
  const { database, proxies, upstream } = cluster
  const { key } = await createKey(cluster)
  let turn = 0
  const url = (): string => (proxies[turn++ % proxies.length] as ClusterNode).url
  const first = openCallers({ url, key, count: options.callers })
  await first.more(callsBetween, CALLS_MS_MAX)
  if (event === 'restore') await database.save()
  const gone = await createKey(cluster)
  await first.more(callsBetween, CALLS_MS_MAX)
  // A replica lacks little, a backup much.
  if (event === 'failover') await database.save()
  const newer = event === 'failover' ? await createKey(cluster) : gone
  await first.more(event === 'failover' ? 1 + callsBetween / 20 : 1, CALLS_MS_MAX)
  say(`${first.results.length} calls before the ${event}`)
  await (event === 'empty' ? database.empty() : database.goBack())
  await first.more(callsBetween, CALLS_MS_MAX)
  await first.stop()
  const after = await goOn({ cluster, event, say }, newer)
  const count = options.callers
  const second = openCallers({ url, key: after.key ?? key, count, after: first.results.length })
  await second.more(callsBetween, CALLS_MS_MAX)
  await second.stop()
  const completeness = await untilComplete(cluster, after.token)
  return judgeRecord({
    dataDir: (proxies[0] as ClusterNode).dataDir,
    url: database.url,
    ...(calls !== null && { callsUrl: calls.callsUrl }),
    received: upstream.received,
    results: [...first.results, ...second.results],
    kills: [],
    completeness,
  })
}

function createKey(cluster: Cluster): Promise<{ id: string; key: string }> {
  return cluster.json('keys', 'create', '--name', 'torture')
}

/** What an operator does, and that a key which the database does not have is refused by all. */
async function goOn(
  { cluster, event, say }: Scene,
  gone: { readonly key: string },
): Promise<{ readonly key: string | null; readonly token: string }> {
  if (event === 'empty') await cluster.json('migrate')
  for (const { url } of cluster.proxies) {
    await until(
      () => callOnce(url, gone.key),
      (status) => status === 401,
    )
  }
  say('the key that is gone is refused')
  if (event !== 'empty') return { key: null, token: cluster.token }
  const words = ['tokens', 'create', '--name', 'again', '--scope', 'admin']
  const { token } = await cluster.json<{ token: string }>(...words)
  return { key: (await createKey(cluster)).key, token }
}

/** Numbers that no caller has. */
let probe = 10_000_000

/** Counted as any other while it is let through. */
async function callOnce(url: string, key: string): Promise<number> {
  const n = ++probe
  const { path, body, kind } = planCall(n)
  const headers = { 'x-svc-api-key': key, 'x-svc-dims': `call=${n},kind=${kind}` }
  const type = { 'content-type': 'application/json', [CALL_HEADER]: String(n) }
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    body,
    headers: { ...headers, ...type },
  })
  await answer.arrayBuffer()
  return answer.status
}

async function untilComplete(cluster: Cluster, token: string): Promise<CompletenessAnswer> {
  const [api] = cluster.apis
  const headers = { authorization: `Bearer ${token}` }
  return until(
    async () => {
      const answer = await fetch(`${api?.url}/v1/completeness`, { headers })
      return (await answer.json()) as CompletenessAnswer
    },
    ({ pending, forwarded }) => pending === 0 && forwarded >= cluster.upstream.received.size,
  )
}
