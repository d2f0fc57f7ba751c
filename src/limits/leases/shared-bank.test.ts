import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createState, toReport, usd } from '../../../test/fakes/budget-states.ts'
import { openLeaseDatabase } from '../../../test/fakes/postgres/lease-stores.ts'
import type { LeaseDatabase } from '../../../test/fakes/postgres/lease-stores.ts'
import { createMeter } from '../../app/meter.ts'
import { systemClock } from '../../core/clock.ts'
import { LEASE_MS } from '../../store/limits/lease-store.ts'
import type { LeaseStore } from '../../store/limits/lease-store.ts'
import type { OnOutage } from '../call-reservation.ts'
import type { ReservationRequest, ReservationVerdict } from '../limit-bank.ts'
import { BudgetLease, IDLE_MS } from './budget-lease.ts'
import type { Kept } from './budget-lease.ts'
import { SharedBank } from './shared-bank.ts'

interface NodeOptions {
  readonly name?: string
  readonly onOutage?: OnOutage
  readonly store?: LeaseStore
  /** Long, so that a slow machine does not look like a silent database. */
  readonly answerMsMax?: number
  readonly createLease?: (startMs: number) => BudgetLease
}

/** Only what hangs takes so long. */
const WAIT_MS_MAX = 60_000
let runs = 0
let calls = 0

/** One node: its bank, and a clock that can be set forward. */
function createNode(t: TestContext, leases: LeaseDatabase, options: NodeOptions = {}) {
  const { name = `node-${++runs}`, onOutage = 'refuse', answerMsMax = 60_000 } = options
  const { createLease } = options
  let passedMs = 0
  const clock = {
    now: () => systemClock.now(),
    monotonic: () => systemClock.monotonic() + passedMs,
  }
  const meter = createMeter()
  const silences: unknown[] = []
  const bank = new SharedBank({
    store: options.store ?? leases.openStore(),
    owner: { owner: `run-${++runs}`, node: name },
    clock,
    meter,
    onOutage: () => onOutage,
    answerMsMax,
    silent: (error) => silences.push(error),
    ...(createLease === undefined ? {} : { createLease }),
  })
  t.after(() => bank.close())
  return {
    bank,
    meter,
    silences,
    pass: (ms: number) => (passedMs += ms),
    report({
      spent = 0,
      completeUntil = 0,
      limit = 1,
      endMs = Number.MAX_SAFE_INTEGER,
    } = {}): void {
      const span = { startMs: 0, endMs }
      const state = { ...createState({ limit: usd(limit), spent: usd(spent) }), span }
      bank.report(toReport([state], completeUntil))
    },
    async reserve(
      changes: Partial<ReservationRequest> & { readonly cents?: number } = {},
    ): Promise<ReservationVerdict & { readonly id: string }> {
      const { cents, ...asked } = changes
      const callId = `c${++calls}`
      const budgets = cents === undefined ? [] : [{ id: 'bud_1', expected: usd(cents / 100) }]
      const plain = { callId, keyId: 'k', rpm: null, maxParallel: null, budgets }
      return { ...(await bank.reserve('w0', { ...plain, ...asked })), id: callId }
    },
  }
}

type Node = ReturnType<typeof createNode>

async function createNodes(t: TestContext, count: number): Promise<[Node, ...Node[]]> {
  const leases = await openLeaseDatabase(t)
  const nodes = Array.from({ length: count }, () => createNode(t, leases))
  for (const node of nodes) node.report()
  return nodes as [Node, ...Node[]]
}

const kindsOf = (verdicts: readonly ReservationVerdict[]): string =>
  verdicts.map(({ kind }) => kind).join(' ')

const countGranted = (verdicts: readonly ReservationVerdict[]): number =>
  verdicts.filter(({ kind }) => kind === 'granted').length

test('of a hundred calls at once on four nodes exactly as many pass as the budget is for', async (t) => {
  const nodes = await createNodes(t, 4)
  const asked = Array.from({ length: 100 }, (_, at) =>
    (nodes[at % 4] as Node).reserve({ cents: 5 }),
  )
  const verdicts = await Promise.all(asked)
  assert.equal(countGranted(verdicts), 20)
  const refused = verdicts.find(({ kind }) => kind !== 'granted')
  assert.equal(refused?.kind, 'budget')
})

test('calls within a lease cost no statement', async (t) => {
  const leases = await openLeaseDatabase(t)
  const node = createNode(t, leases)
  node.report()
  await node.reserve({ cents: 0.01 })
  const before = leases.statements()
  for (let call = 0; call < 100; call++) {
    assert.equal((await node.reserve({ cents: 0.01 })).kind, 'granted')
  }
  assert.equal(leases.statements(), before)
})

test('a budget whose limit is reached is refused without asking', async (t) => {
  const leases = await openLeaseDatabase(t)
  const node = createNode(t, leases)
  await node.reserve({ maxParallel: 1 })
  const before = leases.statements()
  node.report({ spent: 1 })
  assert.equal((await node.reserve({ cents: 1 })).kind, 'budget')
  assert.equal(leases.statements(), before)
})

/** The study's second mistake. */
class UsedWhileGivenBack extends BudgetLease {
  #before = 0n

  override begin(reserved: bigint, nowMs: number): Kept {
    this.#before = this.amount
    return super.begin(reserved, nowMs)
  }

  override room(reserved: bigint): bigint {
    const before = this.#before - reserved
    return before > super.room(reserved) ? before : super.room(reserved)
  }
}

/** The study's third. */
class KeepsWhatIsSettled extends BudgetLease {
  override settle(): void {}
}

for (const { title, createLease, granted } of [
  {
    title: 'a lease that is being given back is not used meanwhile',
    createLease: (startMs: number) => new BudgetLease(startMs),
    granted: 99,
  },
  {
    title: 'a lease that were used while it is given back would be spent twice',
    createLease: (startMs: number) => new UsedWhileGivenBack(startMs),
    granted: 100,
  },
]) {
  test(title, async (t) => {
    const leases = await openLeaseDatabase(t)
    const store = leases.openStore()
    const [arrived, delivered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const late: LeaseStore = {
      ...store,
      async leaseBudgets(owner, sequence, asks) {
        const answer = await store.leaseBudgets(owner, sequence, asks)
        if (asks.some(({ isActive }) => isActive)) return answer
        arrived.resolve()
        await delivered.promise
        return answer
      },
    }
    const one = createNode(t, leases, { store: late, createLease })
    const other = createNode(t, leases)
    one.report()
    other.report()
    assert.equal((await one.reserve({ cents: 1 })).kind, 'granted')
    // It is idle from here on: at its next beat it gives back what it does not use.
    one.pass(IDLE_MS)
    await arrived.promise
    const others = await Promise.all(Array.from({ length: 100 }, () => other.reserve({ cents: 1 })))
    const meanwhile = one.reserve({ cents: 1 })
    delivered.resolve()
    assert.equal(countGranted([...others, await meanwhile]), granted)
  })
}

for (const { title, createLease, kind } of [
  {
    title: 'what was reserved for a call leaves the lease when its cost is on record',
    createLease: (startMs: number) => new BudgetLease(startMs),
    kind: 'budget',
  },
  {
    title: 'if it stayed there, it would be spent twice',
    createLease: (startMs: number) => new KeepsWhatIsSettled(startMs),
    kind: 'granted',
  },
]) {
  test(title, async (t) => {
    const leases = await openLeaseDatabase(t)
    const [one, other] = [createNode(t, leases, { createLease }), createNode(t, leases)]
    one.report({ spent: 0.5 })
    other.report({ spent: 0.5 })
    const first = await one.reserve({ cents: 25 })
    assert.equal(kindsOf([first, await other.reserve({ cents: 25 })]), 'granted granted')
    one.bank.release(first.id, systemClock.now() - 1)
    // Until it is on record its money is taken.
    assert.equal((await one.reserve({ cents: 25 })).kind, 'budget')
    one.pass(1000)
    one.report({ spent: 0.75, completeUntil: systemClock.now() })
    assert.equal((await one.reserve({ cents: 25 })).kind, kind)
  })
}

test('what is leased by a run before is free once its calls are on record', async (t) => {
  const leases = await openLeaseDatabase(t)
  const before = createNode(t, leases, { name: 'mill-1' })
  before.report()
  assert.equal((await before.reserve({ cents: 100 })).kind, 'granted')
  const next = createNode(t, leases, { name: 'mill-1' })
  next.report()
  assert.equal((await next.reserve({ cents: 10 })).kind, 'budget')
  next.report({ completeUntil: systemClock.now() + 1000 })
  await untilGranted(next, 10)
})

test('a new period begins with new leases, and what still runs is in them', async (t) => {
  const leases = await openLeaseDatabase(t)
  const [one, other] = [createNode(t, leases), createNode(t, leases)]
  one.report()
  other.report()
  assert.equal((await one.reserve({ cents: 70 })).kind, 'granted')
  for (const node of [one, other]) node.report({ spent: 1, endMs: systemClock.now() })
  assert.equal((await one.reserve({ cents: 10 })).kind, 'granted')
  const verdicts = [await other.reserve({ cents: 20 }), await other.reserve({ cents: 1 })]
  assert.equal(kindsOf(verdicts), 'granted budget')
})

test('workers may pass calls without asking within what this node has leased', async (t) => {
  const leases = await openLeaseDatabase(t)
  const node = createNode(t, leases)
  node.report()
  assert.deepEqual(
    node.bank.states().map(({ room }) => room),
    [0n],
  )
  await node.reserve({ cents: 1 })
  const [state] = node.bank.states()
  assert.ok(state?.room !== undefined && state.room > 0n && state.room < usd(1 / 16))
})

test('a key makes no more calls a minute than it may, over four nodes, and is told how long to wait', async (t) => {
  const nodes = await createNodes(t, 4)
  const startedAt = systemClock.monotonic()
  const asked = Array.from({ length: 100 }, (_, at) => (nodes[at % 4] as Node).reserve({ rpm: 30 }))
  const verdicts = await Promise.all(asked)
  const passedSeconds = (systemClock.monotonic() - startedAt) / 1000
  assert.equal(countGranted(verdicts), 30)
  for (const verdict of verdicts) {
    if (verdict.kind === 'granted') continue
    assert.ok(verdict.kind === 'rpm' && verdict.rpm === 30)
    const { retryAfterSeconds: wait } = verdict
    assert.ok(wait > 60 - passedSeconds && wait <= 64, `${wait} s, after ${passedSeconds} s`)
  }
})

test('permits are taken ahead, and the one of a call that was not made is used again', async (t) => {
  const leases = await openLeaseDatabase(t)
  const node = createNode(t, leases)
  const first = await node.reserve({ rpm: 160 })
  const before = leases.statements()
  const ids = [first.id]
  for (let call = 0; call < 5; call++) ids.push((await node.reserve({ rpm: 160 })).id)
  assert.equal(leases.statements(), before)
  for (const id of ids) node.bank.release(id, 0, true)
  for (let call = 0; call < 6; call++) {
    assert.equal((await node.reserve({ rpm: 160 })).kind, 'granted')
  }
  assert.equal(leases.statements(), before)
})

test('calls at once are exact over four nodes, and one that ends makes room on another', async (t) => {
  const nodes = await createNodes(t, 4)
  const asked = Array.from({ length: 20 }, (_, at) =>
    (nodes[at % 4] as Node).reserve({ maxParallel: 3 }),
  )
  const verdicts = await Promise.all(asked)
  assert.equal(countGranted(verdicts), 3)
  const at = verdicts.findIndex(({ kind }) => kind === 'granted')
  const [ended, other] = [nodes[at % 4] as Node, nodes[(at + 1) % 4] as Node]
  ended.bank.release((verdicts[at] as { id: string }).id, systemClock.now())
  // The end of the call may be on its way still.
  const endMs = systemClock.monotonic() + WAIT_MS_MAX
  let next = await other.reserve({ maxParallel: 3 })
  while (next.kind !== 'granted' && systemClock.monotonic() < endMs) {
    next = await other.reserve({ maxParallel: 3 })
  }
  assert.equal(next.kind, 'granted')
  assert.equal((await other.reserve({ maxParallel: 3 })).kind, 'parallel')
})

test('a call that one limit refuses takes nothing of the others', async (t) => {
  const [one, other] = (await createNodes(t, 2)) as [Node, Node]
  assert.equal((await other.reserve({ maxParallel: 1 })).kind, 'granted')
  const refused = await one.reserve({ cents: 100, rpm: 1, maxParallel: 1 })
  assert.equal(refused.kind, 'parallel')
  assert.deepEqual(
    one.bank.figures().map(({ running, reserved }) => [running, reserved]),
    [[0, 0n]],
  )
  assert.equal((await one.reserve({ rpm: 1, keyId: 'k' })).kind, 'granted')
})

test('a caller that leaves while its call waits leaves nothing behind', async (t) => {
  const leases = await openLeaseDatabase(t)
  const [one, other] = [createNode(t, leases), createNode(t, leases)]
  const request = { callId: 'leaves', keyId: 'k', rpm: 5, maxParallel: 1, budgets: [] }
  const asked = one.bank.reserve('w0', request)
  one.bank.release('leaves', systemClock.now(), true)
  await asked
  assert.equal(one.bank.calls, 0)
  assert.equal((await other.reserve({ maxParallel: 1 })).kind, 'granted')
})

test('a worker that dies gives back the slots of its calls', async (t) => {
  const [one, other] = (await createNodes(t, 2)) as [Node, Node]
  await one.reserve({ maxParallel: 1 })
  one.bank.workerGone('w0')
  assert.equal((await other.reserve({ maxParallel: 1 })).kind, 'granted')
})

const readUnanswered = ({ meter }: Node): number =>
  meter.samples().find(({ metric }) => metric === 'limiterUnanswered')?.value ?? 0

for (const onOutage of ['refuse', 'allow'] as const) {
  test(`without the database a node uses up its leases, and then: ${onOutage}`, async (t) => {
    const leases = await openLeaseDatabase(t)
    const store = leases.openStore()
    const node = createNode(t, leases, { onOutage, store })
    node.report()
    await node.reserve({ cents: 1 })
    await store.close()
    // A sixteenth of the dollar was leased: five more calls of a cent. Less where a beat was giving
    // half of it back in that moment: what the database may have by now is not used.
    const room = node.bank.states()[0]?.room ?? 0n
    const left = Number(room / usd(0.01))
    assert.ok(left >= 1 && left <= 5, `${left} calls are left`)
    const within = Array.from({ length: left }, () => node.reserve({ cents: 1 }))
    assert.equal(countGranted(await Promise.all(within)), left)
    assert.equal(readUnanswered(node), 0)
    const beyond = [
      await node.reserve({ cents: 1 }),
      await node.reserve({ rpm: 1 }),
      await node.reserve({ maxParallel: 1, keyId: 'other' }),
    ]
    const kind = onOutage === 'allow' ? 'granted' : 'unanswered'
    assert.equal(kindsOf(beyond), `${kind} ${kind} ${kind}`)
    // Each node then applies the limits by itself.
    if (onOutage === 'allow') assert.equal((await node.reserve({ rpm: 1 })).kind, 'rpm')
    assert.ok(readUnanswered(node) >= 3)
    assert.equal(node.silences.length, 1)
  })
}

test('a lease is used no longer than the database counts it', async (t) => {
  const leases = await openLeaseDatabase(t)
  const store = leases.openStore()
  const node = createNode(t, leases, { store })
  node.report()
  await node.reserve({ cents: 1 })
  await store.close()
  node.pass(LEASE_MS - 60_000)
  assert.equal((await node.reserve({ cents: 1 })).kind, 'granted')
  node.pass(60_000)
  assert.equal((await node.reserve({ cents: 1 })).kind, 'unanswered')
})

test('a database that answers late is not waited for longer than a worker waits', async (t) => {
  const leases = await openLeaseDatabase(t)
  const node = createNode(t, leases, { answerMsMax: 300 })
  node.report()
  await untilGranted(node, 1)
  await leases.database.withClient(async (client) => {
    await client.query('BEGIN; LOCK TABLE limit_budgets IN ACCESS EXCLUSIVE MODE')
    // Timers run in their order, however late they all are.
    const verdict = await Promise.race([node.reserve({ cents: 50 }), pause(1000, null)])
    assert.ok(verdict !== null, 'it waits for longer')
    assert.deepEqual(
      [verdict.kind, verdict.kind === 'unanswered' && verdict.limit],
      ['unanswered', 'budget'],
    )
    // While it is silent nobody waits at all.
    assert.equal((await node.reserve({ cents: 50 })).kind, 'unanswered')
    await client.query('ROLLBACK')
  })
  await untilGranted(node, 50)
})

async function untilGranted(node: Node, cents: number): Promise<void> {
  const deadline = systemClock.monotonic() + WAIT_MS_MAX
  while ((await node.reserve({ cents })).kind !== 'granted') {
    assert.ok(systemClock.monotonic() < deadline)
    await pause(20)
  }
}
