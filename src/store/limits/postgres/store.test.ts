import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openLeaseDatabase, openLeasesAt } from '../../../../test/fakes/postgres/lease-stores.ts'
import type { LeaseDatabase } from '../../../../test/fakes/postgres/lease-stores.ts'
import {
  listPostgresPrograms,
  openTestDatabase,
} from '../../../../test/fakes/postgres/test-database.ts'
import type { PostgresPrograms } from '../../../../test/fakes/postgres/test-database.ts'
import { openPostgresDatabase } from '../../postgres/database.ts'
import { LOCKS } from '../../postgres/locks.ts'
import { migratePostgres } from '../../postgres/migrate.ts'
import { LIMITS_SCHEMA } from './schema.ts'
import { createPostgresLeases } from './store.ts'
import type { LeaseAsk, LeaseOwner, LeaseStore } from '../lease-store.ts'

const DAY_MS = 86_400_000
const START_MS = Math.floor(Date.parse('2026-11-17T00:00:00Z') / DAY_MS) * DAY_MS
const FAR_MS = Date.parse('2999-01-01T00:00:00Z')

interface Node {
  readonly store: LeaseStore
  readonly owner: LeaseOwner
  /** Asks once; returns the amount of the lease. */
  lease(changes: Partial<LeaseAsk>, sequence?: number): Promise<bigint | undefined>
}

interface Scene extends LeaseDatabase {
  readonly nodes: readonly Node[]
  /** As if this node had not been seen for so long. */
  silence(node: Node, ms: number): Promise<void>
}

async function createScene(
  context: TestContext,
  { count = 2, programs }: { count?: number; programs?: PostgresPrograms } = {},
): Promise<Scene> {
  const leases = await openLeaseDatabase(context, programs)
  const nodes = Array.from({ length: count }, (_, index) =>
    createNode(leases.openStore(), { owner: `owner-${index}`, node: `node-${index}` }),
  )
  for (const { store, owner } of nodes) await store.beat(owner, null)
  return {
    ...leases,
    nodes,
    async silence({ owner }, ms) {
      await leases.database.run(
        `UPDATE limit_owners SET beat_at = clock_timestamp() - CAST(? AS BIGINT) * INTERVAL '1 ms'
          WHERE owner = ?`,
        [ms, owner.owner],
      )
    },
  }
}

function createNode(store: LeaseStore, owner: LeaseOwner): Node {
  let last = 0
  return {
    store,
    owner,
    async lease(changes, sequence) {
      last = sequence ?? last + 1
      const [lease] = await store.leaseBudgets(owner, last, [{ ...PLAIN, ...changes }])
      return lease?.amount
    },
  }
}

const PLAIN: LeaseAsk = {
  budgetId: 'bud_1',
  startMs: START_MS,
  endMs: FAR_MS,
  limit: 1000n,
  spent: 0n,
  keep: 0n,
  need: 0n,
  needOnce: 0n,
  isActive: false,
  running: 0,
  reserved: 0n,
  ended: 0n,
}

const need = (amount: bigint) => ({ need: amount, needOnce: amount })

for (const programs of listPostgresPrograms()) {
  test(`${programs.title}: leases and what is spent are never more than the limit`, async (t) => {
    const { nodes } = await createScene(t, { count: 4, programs })
    const amounts = await Promise.all(
      nodes.flatMap((node) => [
        node.lease({ ...need(90n), budgetId: 'bud_1', spent: 400n }),
        node.lease({ need: 900n, needOnce: 1n, budgetId: 'bud_2', spent: 400n }),
      ]),
    )
    const sum = (from: number): bigint =>
      amounts.filter((_, at) => at % 2 === from).reduce<bigint>((all, one) => all + (one ?? 0n), 0n)
    assert.deepEqual([sum(0), sum(1)], [360n, 600n])
  })
}

test('a node that is active gets a sixteenth of what is free, and one that is idle nothing', async (t) => {
  const { nodes } = await createScene(t)
  const [one, other] = nodes as [Node, Node]
  assert.equal(await one.lease({ isActive: true, spent: 200n }), 50n)
  assert.equal(await other.lease({ isActive: true, spent: 200n }), 46n)
  assert.equal(await one.lease({ keep: 20n, reserved: 20n, spent: 200n }), 20n)
  assert.equal(await one.lease({ isActive: true, keep: 45n, reserved: 20n, spent: 200n }), 65n)
  assert.equal(await other.lease({ spent: 200n }), 0n)
})

test('as on one machine a call passes while anything is free, and only one', async (t) => {
  const { nodes } = await createScene(t)
  const [one, other] = nodes as [Node, Node]
  const asked = { need: 80n, needOnce: 20n, spent: 995n }
  const amounts = await Promise.all([one.lease(asked), other.lease(asked)])
  assert.deepEqual(new Set(amounts), new Set([0n, 20n]))
})

test('money goes through the database without being rounded', async (t) => {
  const { nodes } = await createScene(t)
  const limit = 1_000_000_000_000_000_000_001n
  assert.equal(await nodes[0]?.lease({ limit, spent: 1n, need: limit, needOnce: 1n }), limit - 1n)
})

test('the highest figure of what is spent counts, and a lower one once nobody confirms it', async (t) => {
  const { nodes, database } = await createScene(t)
  const [one, other] = nodes as [Node, Node]
  await one.lease({ spent: 900n })
  // This node's ledger has not read the others' last calls yet, or has no figure at all.
  assert.equal(await other.lease({ spent: 100n, ...need(500n), needOnce: 1n }), 100n)
  assert.equal(await other.lease({ spent: null, keep: 0n, ...need(500n), needOnce: 1n }), 100n)
  await database.run(
    `UPDATE limit_budgets SET confirmed_at = clock_timestamp() - INTERVAL '11 seconds'`,
  )
  assert.equal(await other.lease({ spent: 100n, ...need(500n) }), 500n)
})

test('what arrives late changes nothing', async (t) => {
  const { nodes } = await createScene(t)
  const [one, other] = nodes as [Node, Node]
  assert.equal(await one.lease(need(700n), 5), 700n)
  assert.equal(await one.lease({ keep: 0n }, 4), undefined)
  assert.equal(await other.lease({ need: 500n, needOnce: 1n }), 300n)
})

test('the leases of a silent node count for ten minutes, or until its next run has stored its calls', async (t) => {
  const scene = await createScene(t, { count: 3 })
  const [dead, other, third] = scene.nodes as [Node, Node, Node]
  await dead.lease(need(600n))
  await scene.silence(dead, 599_000)
  assert.equal(await other.lease({ need: 500n, needOnce: 1n }), 400n)
  assert.equal(await third.lease(need(1n)), 0n)
  const next = { owner: 'owner-0b', node: dead.owner.node }
  await dead.store.beat(next, null)
  assert.equal(await third.lease(need(1n)), 0n)
  await dead.store.forgetEarlierRuns(next)
  assert.equal(await third.lease(need(100n)), 100n)
  assert.equal(await dead.lease(need(1n)), undefined, 'an owner that is gone has to beat first')
  await scene.silence(third, 601_000)
  assert.equal(await other.lease({ keep: 400n, ...need(200n) }), 600n)
})

/**
 * The study's first mistake: a statement sees leases as they were when it began, however long it
 * then waited for the lock.
 */
const IN_ONE_STATEMENT = `WITH pool AS (
    SELECT * FROM limit_budgets WHERE budget_id = 'bud_1' FOR UPDATE)
  INSERT INTO budget_leases
    SELECT 'bud_1', pool.start_ms, 'owner-1', 1000 - pool.spent
      - (SELECT coalesce(sum(amount), 0) FROM budget_leases WHERE budget_id = 'bud_1'), 0, 0, 0, 1
    FROM pool RETURNING amount AS leased`

for (const { title, isRight } of [
  { title: 'who waits for the lock sees the leases that were given meanwhile', isRight: true },
  { title: 'a lock inside the statement that counts would not see them', isRight: false },
]) {
  test(title, async (t) => {
    const { nodes, database } = await createScene(t)
    const [one, other] = nodes as [Node, Node]
    await one.lease({})
    const waiting = await database.withClient(async (client) => {
      await client.query('BEGIN')
      const lease = `SELECT leased FROM weir_lease_budgets('owner-0', 9, $1)`
      const ask = { id: 'bud_1', start_ms: START_MS, end_ms: FAR_MS, most: '1000', spent: '0' }
      const more = { keep: '0', need: '700', once: '0', running: 0, reserved: '0', ended: '0' }
      await client.query(lease, [JSON.stringify([{ ...ask, ...more }])])
      const asked = isRight
        ? other.lease({ need: 1000n, needOnce: 1n })
        : database.first<{ leased: number }>(IN_ONE_STATEMENT).then((row) => BigInt(row!.leased))
      await untilWaiting(database)
      await client.query('COMMIT')
      return asked
    })
    assert.equal(waiting, isRight ? 300n : 1000n)
  })
}

async function untilWaiting(database: LeaseDatabase['database']): Promise<void> {
  for (;;) {
    const row = await database.first<{ waiting: number }>(
      `SELECT count(*) AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    if (row !== null && row.waiting > 0) return
  }
}

test('a key has no more permits in the window than calls it may make, over all nodes', async (t) => {
  const { nodes } = await createScene(t, { count: 4 })
  const ask = { keyId: 'k', rpm: 10, need: 2, used: [] }
  const asked = nodes.flatMap(({ store, owner }) =>
    [1, 2].map((batch) => store.takePermits(owner, [{ ...ask, batch }])),
  )
  const granted = (await Promise.all(asked)).map(([grant]) => grant)
  assert.equal(
    granted.reduce((sum, grant) => sum + (grant?.permits ?? 0), 0),
    10,
  )
  for (const grant of granted) {
    if (grant?.permits === 0) assert.ok(grant.waitMs > 60_000 && grant.waitMs <= 64_000)
  }
})

test('permits that were not used are free again, and a used one counts until it left the window', async (t) => {
  const { nodes, database } = await createScene(t)
  const [one, other] = nodes as [Node, Node]
  const take = async ({ store, owner }: Node, batch: number, used: [number, number][] = []) => {
    const given = used.map(([of, calls]) => ({ batch: of, calls }))
    const ask = { keyId: 'k', rpm: 32, need: 1, batch, used: given }
    const [grant] = await store.takePermits(owner, [ask])
    return grant?.permits
  }
  assert.equal(await take(one, 1), 2)
  await database.run('UPDATE rate_permits SET permits = 32')
  assert.equal(await take(other, 1), 0)
  assert.equal(await take(one, 2, [[1, 30]]), 1)
  await database.run(`UPDATE rate_permits SET taken_at = taken_at - INTERVAL '50 seconds'`)
  const ask = { keyId: 'k', rpm: 31, need: 1, batch: 9, used: [] }
  const [refused] = await other.store.takePermits(other.owner, [ask])
  assert.ok(refused !== undefined && refused.waitMs > 13_000 && refused.waitMs <= 14_000)
  await database.run(`UPDATE rate_permits SET taken_at = taken_at - INTERVAL '14 seconds'`)
  assert.equal(await take(other, 3), 2)
  assert.deepEqual(
    await other.store.takePermits(other.owner, [{ ...ask, rpm: 0, keyId: 'none' }]),
    [{ keyId: 'none', permits: 0, waitMs: 64_000 }],
  )
})

test('no more slots are taken than calls may run at once, also in the same instant', async (t) => {
  const { nodes } = await createScene(t, { count: 4 })
  const asked = nodes.flatMap(({ store, owner }, index) =>
    [0, 1, 2].map((call) =>
      store.takeSlots(owner, [{ callId: `c${index}-${call}`, keyId: 'k', maxParallel: 5 }], []),
    ),
  )
  const taken = (await Promise.all(asked)).flatMap((ids) => ids ?? [])
  assert.equal(taken.length, 5)
  const { store, owner } = nodes[0] as Node
  const next = { callId: 'next', keyId: 'k', maxParallel: 5 }
  assert.deepEqual(await store.takeSlots(owner, [next], []), [])
  assert.deepEqual(await store.takeSlots(owner, [next], [taken[0] as string]), ['next'])
})

test('slots of a silent node are free after five seconds, and count again when it is back', async (t) => {
  const scene = await createScene(t)
  const [silent, other] = scene.nodes as [Node, Node]
  const ask = (callId: string) => [{ callId, keyId: 'k', maxParallel: 1 }]
  assert.deepEqual(await silent.store.takeSlots(silent.owner, ask('a'), []), ['a'])
  await scene.silence(silent, 4000)
  assert.deepEqual(await other.store.takeSlots(other.owner, ask('b'), []), [])
  await scene.silence(silent, 5001)
  assert.deepEqual(await other.store.takeSlots(other.owner, ask('b'), []), ['b'])
  assert.deepEqual(await other.store.takeSlots(other.owner, [], ['b']), [])
  assert.equal(await silent.store.beat(silent.owner, null), false)
  assert.deepEqual(await other.store.takeSlots(other.owner, ask('b'), []), [])
})

test('an owner that was removed is new at its next beat, and says which slots it has', async (t) => {
  const scene = await createScene(t)
  const [silent, other] = scene.nodes as [Node, Node]
  const ask = (callId: string) => [{ callId, keyId: 'k', maxParallel: 1 }]
  await silent.store.takeSlots(silent.owner, ask('a'), [])
  await scene.silence(silent, 601_000)
  for (let beat = 0; beat < 10; beat++) await other.store.beat(other.owner, null)
  assert.deepEqual(await silent.store.takeSlots(silent.owner, ask('b'), []), null)
  assert.equal(await silent.store.beat(silent.owner, [{ callId: 'a', keyId: 'k' }]), true)
  assert.deepEqual(await other.store.takeSlots(other.owner, ask('c'), []), [])
})

test('figures are of all nodes, for the period that runs', async (t) => {
  const { nodes } = await createScene(t)
  const [one, other] = nodes as [Node, Node]
  await one.lease({ keep: 30n, reserved: 20n, ended: 5n, running: 2 })
  await other.lease({ keep: 10n, reserved: 10n, running: 1 })
  await other.lease({ keep: 99n, startMs: 0, endMs: DAY_MS })
  assert.deepEqual(await one.store.readFigures(), [
    {
      budgetId: 'bud_1',
      running: 3,
      reserved: 30n,
      ended: 5n,
      leased: 40n,
      fullyLeasedLimit: null,
    },
  ])
})

test('tables of the first version are brought up to date while leases are in use', async (t) => {
  const url = await openTestDatabase(t)
  const older = openPostgresDatabase({ url, name: 'store of limits', lock: LOCKS.limits })
  t.after(() => older.close())
  await migratePostgres(older, { ...LIMITS_SCHEMA, steps: LIMITS_SCHEMA.steps.slice(0, 1) })
  const node = createNode(createPostgresLeases(older), { owner: 'owner-0', node: 'node-0' })
  await older.run(`INSERT INTO limit_owners VALUES ('owner-0', 'node-0', clock_timestamp())`)
  assert.equal(await node.lease(need(1000n)), 1000n)
  const { onlooker } = await openLeasesAt(t, url)
  assert.equal((await onlooker.readFigures())[0]?.fullyLeasedLimit, null)
  assert.equal(await node.lease({ keep: 1000n }), 1000n)
  assert.equal((await onlooker.readFigures())[0]?.fullyLeasedLimit, 1000n)
})

test('that nothing was free once is remembered with the highest such limit', async (t) => {
  const { nodes } = await createScene(t)
  const [one, other] = nodes as [Node, Node]
  const fullyLeased = async () => (await one.store.readFigures())[0]?.fullyLeasedLimit
  await one.lease({ ...need(599n), spent: 400n })
  assert.equal(await fullyLeased(), null)
  await other.lease({ ...need(1n), spent: 400n })
  assert.equal(await fullyLeased(), 1000n)
  await one.lease({ keep: 0n, spent: 400n })
  assert.equal(await fullyLeased(), 1000n, 'what is free again was not free once')
  await one.lease({ limit: 2000n, spent: 400n, keep: 100n })
  assert.equal(await fullyLeased(), 1000n)
  await one.lease({ limit: 2000n, spent: 2000n })
  await one.lease({ limit: 500n, spent: 2000n })
  assert.equal(await fullyLeased(), 2000n)
})
