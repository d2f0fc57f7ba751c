// A cluster: two proxies, two APIs, one PostgreSQL, the calls in a ClickHouse where one runs,
// clocks five seconds off to either side, calls by the official SDKs, and one failure after the
// other. The short form has one API, no ClickHouse and two of the failures; sixty kills are
// `node scripts/torture.ts --cluster`.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { systemClock } from '../../src/core/clock.ts'
import type { Completeness } from '../../src/core/completeness.ts'
import { readBudgetCopy } from '../../src/app/settings-copy/budget-copy.ts'
import { readKeyCopy } from '../../src/app/settings-copy/key-copy.ts'
import { NEEDS_OWN_CLICKHOUSE } from '../fakes/clickhouse/find-clickhouse.ts'
import { byForm, isLongForm, LONG_ONLY } from '../long-form.ts'
import { openWebhookReceiver } from '../fakes/peers/webhook-receiver.ts'
import { planCall } from '../torture/call-plan.ts'
import { CALL_HEADER } from '../torture/counting-upstream.ts'
import { judgeRecord } from '../torture/judge-record.ts'
import type { Kill } from '../torture/judge-record.ts'
import { findWrongAnswers } from './calls-away.ts'
import { openCallsServer } from './open-calls.ts'
import { checkHungLedger, hangLedger, startCopy } from './node-events.ts'
import { openCluster, until, untilSettled } from './open-cluster.ts'
import type { Cluster } from './open-cluster.ts'
import type { ClusterNode } from './open-node.ts'
import { openSdkCallers } from './sdk-callers.ts'

const CALLERS = 6
const CALLS_MS_MAX = 30_000
/** From the kill until another does the leader's work. */
const LEADER_MS_MAX = 10_000
const CHANGE_MS_MAX = 1000
/** A busy machine may delay some changes, but not all of them. */
const CHANGE_TRIES_MAX = 5
/** Beyond the callers' numbers; each step from it on is a plain call that the provider answers. */
const FIRST_SPENT = 11_000_000
const KINDS_OF_CALLS = 11
const SLOWLY = { skip: LONG_ONLY }

interface Created {
  readonly id: string
  readonly key: string
}

test('a cluster loses no call and counts none twice, whatever fails', async (t) => {
  // The SDK warns of the model's age at every call.
  t.mock.method(console, 'warn', () => {})
  const hasCalls = isLongForm && NEEDS_OWN_CLICKHOUSE === false
  const calls = hasCalls ? await openCallsServer(t) : null
  const cluster = await openCluster({
    proxyShiftsMs: [5000, -5000],
    apiShiftsMs: byForm([-5000], [-5000, 5000]),
    settings: calls === null ? {} : { USAGE_URL: calls.callsUrl },
  })
  t.after(() => cluster.close())
  const { proxies, apis, database } = cluster
  const [one, other] = proxies as [ClusterNode, ClusterNode]
  const receiver = await openWebhookReceiver(t)
  await addBudget(cluster, receiver.url)
  const { key } = await cluster.json<Created>('keys', 'create', '--name', 'callers')
  const urls = (): string[] => proxies.filter((node) => node.isRunning()).map(({ url }) => url)
  const callers = openSdkCallers({ urls, key, count: CALLERS })
  const kills: Kill[] = []
  const more = async (count: number, what: string): Promise<void> => {
    assert.ok(await callers.more(count, CALLS_MS_MAX), `callers are not served: ${what}`)
  }

  await t.test('a key is new, changed and revoked on every node within a second', async () => {
    await checkKeyChanges(cluster)
  })
  await more(30, 'all is well')

  await t.test('a proxy without power costs only its running calls', async () => {
    kills.push({ role: 'proxy', at: systemClock.monotonic() })
    await other.kill()
    await more(30, 'one proxy is gone')
    await other.start()
  })

  await t.test('a leader that is gone is replaced within ten seconds', SLOWLY, async (s) => {
    const leader = await until(
      async () => cluster.findLeader(),
      (found) => found !== null,
    )
    const next = apis.find((node) => node !== leader) as ClusterNode
    const killedAt = systemClock.monotonic()
    await leader?.kill()
    await until(
      async () => cluster.findLeader(),
      (found) => found === next,
    )
    const tookMs = systemClock.monotonic() - killedAt
    s.diagnostic(`replaced after ${Math.round(tookMs)} ms`)
    assert.ok(tookMs <= LEADER_MS_MAX, `it took ${tookMs} ms`)
    await leader?.start()
  })

  await t.test('a ledger that hangs is replaced, and keeps nobody waiting', SLOWLY, async () => {
    const ledger = hangLedger(one)
    await more(40, 'a ledger hangs')
    await checkHungLedger(cluster, one)
    await more(10, 'a ledger hangs')
    await until(
      async () => one.pids('weir ledger'),
      (pids) => pids.length === 1 && pids[0] !== ledger,
    )
  })

  await t.test('a copy of a node does not start beside it', SLOWLY, async () => {
    assert.match(await startCopy(cluster, other), /is a copy of its data directory/)
    await more(10, 'a copy of a node was started')
  })

  await t.test('calls go on without the database, also after a restart', async () => {
    const spent = await useUpBudget(cluster, other)
    await database.kill()
    await more(30, 'PostgreSQL is gone')
    kills.push({ role: 'proxy', at: systemClock.monotonic() })
    await other.kill()
    await other.start()
    // Used up stays used up: the node knows it from the copy on its disk.
    assert.equal(await spent.call(), 402)
    await more(30, 'PostgreSQL is gone, and a proxy was started without it')
    const answer = await fetch(`${apis[0]?.url}/v1/usage`, { headers: {} }).catch(() => null)
    assert.notEqual(answer?.status, 200)
    await database.start()
  })
  await more(30, 'PostgreSQL is back')

  await t.test(
    'calls go on without ClickHouse, and what waits is counted',
    { skip: LONG_ONLY || NEEDS_OWN_CLICKHOUSE },
    async () => {
      await calls?.kill()
      await more(40, 'ClickHouse is gone')
      await checkWithoutCalls(cluster)
      await calls?.restart()
    },
  )
  if (hasCalls) await more(30, 'ClickHouse is back')
  await callers.stop()

  await t.test('every call is on record once, and all sums are those of the records', async (s) => {
    const completeness = await untilSettled(cluster)
    const verdict = await judgeRecord({
      dataDir: one.dataDir,
      url: database.url,
      ...(calls === null ? {} : { callsUrl: calls.callsUrl }),
      received: cluster.upstream.received,
      results: callers.results,
      kills,
      completeness,
    })
    s.diagnostic(JSON.stringify(verdict))
    assert.deepEqual(verdict.faults.slice(0, 20), [])
  })

  await t.test('each threshold of the budget was sent once', async () => {
    const sent = await until(
      async () =>
        receiver.messages.map(({ body }) => Number(thresholdOf(body))).toSorted((a, b) => a - b),
      (found) => found.length >= 2,
    )
    assert.deepEqual(sent, [50, 100])
  })
})

/** What is not stored is pending. For longer: `node scripts/torture.ts --clickhouse --away 60`. */
async function checkWithoutCalls(cluster: Cluster): Promise<void> {
  const [first, second] = cluster.apis as [ClusterNode, ClusterNode]
  const waiting = await until(
    () => cluster.ask<Completeness>(first, '/v1/completeness'),
    ({ pending }) => pending > 0,
  )
  assert.equal(waiting.lost, 0)
  assert.deepEqual(await findWrongAnswers(cluster, second), [])
}

/** So small that the first calls use it up; it blocks nobody. */
async function addBudget(cluster: Cluster, url: string): Promise<void> {
  const budget = ['--name', 'all', '--limit-usd', '0.002', '--period', 'month', '--scope', 'global']
  await cluster.json('budgets', 'create', ...budget, '--at', '50,100', '--webhook', url)
}

function thresholdOf(body: string): unknown {
  return (JSON.parse(body) as { data: { threshold_percent?: unknown } }).data.threshold_percent
}

/** A key of its own, whose blocking budget is used up and known to be so on the proxy's disk. */
async function useUpBudget(cluster: Cluster, proxy: ClusterNode) {
  const { id, key } = await cluster.json<Created>('keys', 'create', '--name', 'spent')
  let n = FIRST_SPENT
  const call = (): Promise<number> => callOnce(proxy.url, key, (n += KINDS_OF_CALLS))
  assert.equal(await call(), 200)
  const budget = ['--name', 'spent', '--limit-usd', '0.000001', '--period', 'month', '--block']
  await cluster.json('budgets', 'create', ...budget, '--scope', `api_key=${id}`)
  await until(
    async () => readBudgetCopy(proxy.dataDir, () => {})?.states ?? [],
    (states) => states.some(({ spent, budget: { limit } }) => spent >= limit),
  )
  await until(
    async () => readKeyCopy(proxy.dataDir, () => {})?.keys ?? [],
    (keys) => keys.some((copied) => copied.id === id),
  )
  assert.equal(await call(), 402)
  return { call }
}

async function callOnce(url: string, key: string, n: number): Promise<number> {
  const { path, body } = planCall(n)
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'x-svc-api-key': key,
      'x-svc-dims': `call=${n}`,
      'content-type': 'application/json',
      [CALL_HEADER]: String(n),
    },
    body,
  })
  await response.arrayBuffer()
  return response.status
}

async function checkKeyChanges(cluster: Cluster): Promise<void> {
  const { proxies, apis } = cluster
  const [first, second = first] = apis as [ClusterNode, ClusterNode?]
  const statuses = (key: string): Promise<number[]> =>
    Promise.all(proxies.map((node) => tryKey(node.url, key)))
  const tries: string[] = []
  while (tries.length < CHANGE_TRIES_MAX) {
    const { id, key } = await cluster.ask<Created>(first, '/v1/keys', {
      name: 'short-lived',
      allowed_models: ['openai/none'],
    })
    const known = await statuses(key)
    await cluster.ask(second, `/v1/keys/${id}/revoke`, {})
    const revokedAt = systemClock.monotonic()
    await until(
      () => statuses(key),
      (found) => found.every((status) => status === 401),
    )
    const tookMs = systemClock.monotonic() - revokedAt
    if (known.every((status) => status === 403) && tookMs <= CHANGE_MS_MAX) return
    tries.push(`new: ${known.join(' ')}, revoked after ${Math.round(tookMs)} ms`)
  }
  assert.fail(tries.join('; '))
}

/** Of a call with a model that the key may not use: it is not forwarded. */
async function tryKey(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-svc-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4.1-mini', messages: [] }),
  })
  await response.arrayBuffer()
  return response.status
}
