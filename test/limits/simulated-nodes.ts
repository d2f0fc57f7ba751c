// Four nodes with a limit bank each, one budget, and callers: the banks, the leases and the
// database are real; calls are pauses, and the ledger is a sum. Prints nothing.

import { setTimeout as pause } from 'node:timers/promises'
import { createMeter } from '../../src/app/meter.ts'
import { systemClock } from '../../src/core/clock.ts'
import type { Money } from '../../src/core/money.ts'
import { SharedBank } from '../../src/limits/leases/shared-bank.ts'
import { LimitBank } from '../../src/limits/limit-bank.ts'
import type { Bank } from '../../src/limits/limit-bank.ts'
import { overshootBound } from '../../src/limits/overshoot-bound.ts'
import type { LeaseStore } from '../../src/store/limits/lease-store.ts'
import { createState, toReport, usd } from '../fakes/budget-states.ts'
import type { LeaseDatabase } from '../fakes/postgres/lease-stores.ts'
import { createRandom } from '../fuzz/generate-requests.ts'

export interface CallPattern {
  readonly title: string
  /** The node of a caller's next call. */
  nodeOf(caller: number, random: () => number): number
  /** How long a caller pauses after a call. */
  gapMs(random: () => number): number
  /** Of the expected cost. */
  costOf(random: () => number): number
  readonly costMax: number
  /** From one batch of a ledger to the next. */
  readonly batchMs: number
}

export const NODES = 4
export const CALLERS = 64
const EXPECTED = usd(0.01)
const CALL_MS = 15
const REFUSED_MS = 20
const SAMPLE_MS = 10

const steady = {
  nodeOf: (caller: number) => caller % NODES,
  gapMs: (random: () => number) => random() * 10,
  costOf: () => 1,
  costMax: 1,
  batchMs: 200,
}

const dear = {
  nodeOf: (_: number, random: () => number) => Math.floor(random() * NODES),
  costMax: 1.5,
  batchMs: 600,
}

export const PATTERNS: readonly CallPattern[] = [
  { ...steady, title: 'even' },
  { ...steady, title: 'bursts', gapMs: (random) => (random() < 0.1 ? 300 : 0) },
  {
    ...steady,
    title: 'one node gets nearly all',
    nodeOf: (caller) => (caller < 60 ? 0 : caller % NODES),
  },
  // Errors do not cancel out here: the bound has to cover them.
  { ...steady, title: 'each 1.5 times the expected, stored late', ...dear, costOf: () => 1.5 },
  {
    ...steady,
    title: 'costs 0.5 to 1.5 times the expected, stored late',
    ...dear,
    costOf: (random) => 0.5 + random(),
  },
]

export interface SimulationOptions {
  readonly pattern: CallPattern
  /** How many calls of the expected cost the budget is for. */
  readonly calls: number
  /** Null: every node for itself. */
  readonly leases: LeaseDatabase | null
  readonly seed?: number
}

export interface SimulationOutcome {
  readonly calls: number
  readonly statements: number
  /** In percent of the limit; below zero where not all was spent. */
  readonly overshoot: number
  /** Shown since nothing was free, in percent of the limit; null where none was shown. */
  readonly bounds: BoundsShown<number> | null
}

interface BoundsShown<Amount> {
  readonly first: Amount
  /** At the end it has the overshoot itself in it. */
  readonly smallest: Amount
}

interface Scene {
  readonly limit: Money
  readonly budgetId: string
  readonly banks: readonly Bank[]
  /** What ended calls cost that are not stored yet, a list a node. */
  readonly ended: readonly Money[][]
  spent: Money
  largest: Money
  calls: number
  bounds: BoundsShown<Money> | null
  /** Since the last call was granted. */
  refusals: number
  /** Until the last call was granted. */
  statements: number
}

let budgets = 0

export async function simulate(options: SimulationOptions): Promise<SimulationOutcome> {
  const { pattern, leases, seed = 1 } = options
  const random = createRandom(seed)
  const scene = createScene(options)
  for (let node = 0; node < NODES; node++) report(scene, node)
  const before = leases?.statements() ?? 0
  const granted = (): void => {
    scene.calls++
    scene.refusals = 0
    scene.statements = (leases?.statements() ?? 0) - before
  }
  const end = new AbortController()
  const background = [
    ...scene.banks.map((_, node) => storeCalls(scene, node, { pattern, end: end.signal })),
    sample(scene, leases?.onlooker ?? null, end.signal),
  ]
  const callers = Array.from({ length: CALLERS }, (_, caller) =>
    makeCalls(scene, caller, { pattern, random, granted }),
  )
  await Promise.all(callers)
  end.abort()
  await Promise.all(background)
  for (const bank of scene.banks) if (bank instanceof SharedBank) await bank.close()
  const percent = (amount: Money): number => Number((amount * 1_000_000n) / scene.limit) / 10_000
  const { bounds } = scene
  return {
    calls: scene.calls,
    statements: scene.statements,
    overshoot: percent(scene.spent - scene.limit),
    bounds: bounds && { first: percent(bounds.first), smallest: percent(bounds.smallest) },
  }
}

function createScene({ pattern, leases, calls }: SimulationOptions): Scene {
  const stores = leases === null ? [] : Array.from({ length: NODES }, () => leases.openStore())
  const budgetId = `bud_${++budgets}`
  const createBank = (_: unknown, node: number): Bank => {
    const store = stores[node]
    if (store === undefined) return new LimitBank(systemClock)
    // Of this simulation only: a node forgets the leases of others that have its name, as those of
    // its own runs before, and simulations run at once in one database.
    const name = `${budgetId}-${node}`
    const owner = { owner: `run-of-${name}`, node: name }
    const silent = (error: unknown): void => {
      if (error !== null) throw error
    }
    const [clock, meter] = [systemClock, createMeter()]
    // A slow machine is no reason to let a call pass, or to refuse it.
    const outage = { onOutage: () => 'refuse' as const, answerMsMax: 60_000 }
    return new SharedBank({ store, owner, clock, meter, silent, ...outage })
  }
  return {
    limit: EXPECTED * BigInt(calls),
    budgetId,
    banks: Array.from({ length: NODES }, createBank),
    ended: Array.from({ length: NODES }, () => []),
    spent: 0n,
    largest: scale(EXPECTED, pattern.costMax),
    calls: 0,
    bounds: null,
    refusals: 0,
    statements: 0,
  }
}

interface CallerOptions {
  readonly pattern: CallPattern
  readonly random: () => number
  readonly granted: () => void
}

/**
 * A caller ends when all were refused for a while: all is spent, and on record. Refusals count, not
 * the time: on a slow machine nothing may happen for seconds.
 */
async function makeCalls(
  scene: Scene,
  caller: number,
  { pattern, random, granted }: CallerOptions,
): Promise<void> {
  const refusalsMax = (CALLERS * (2 * pattern.batchMs + 500)) / REFUSED_MS
  for (let call = 0; scene.refusals < refusalsMax; call++) {
    const node = pattern.nodeOf(caller, random)
    const bank = scene.banks[node] as Bank
    const callId = `${scene.budgetId}-${caller}-${call}`
    const asked = { callId, keyId: 'k', rpm: null, maxParallel: null }
    const costs = [{ id: scene.budgetId, expected: EXPECTED }]
    const verdict = await bank.reserve('w0', { ...asked, budgets: costs })
    if (verdict.kind === 'granted') {
      granted()
      await pause(CALL_MS * (0.5 + random()))
      scene.ended[node]?.push(scale(EXPECTED, pattern.costOf(random)))
      bank.release(callId, systemClock.now())
    } else {
      scene.refusals++
      await pause(REFUSED_MS)
    }
    await pause(pattern.gapMs(random))
  }
}

/** As a node's ledger: what has ended is stored together, and then reported. */
async function storeCalls(
  scene: Scene,
  node: number,
  { pattern, end }: { readonly pattern: CallPattern; readonly end: AbortSignal },
): Promise<void> {
  while (!end.aborted) {
    await pause(pattern.batchMs)
    report(scene, node)
  }
}

function report(scene: Scene, node: number): void {
  const completeUntil = systemClock.now()
  const ended = scene.ended[node]?.splice(0) ?? []
  for (const cost of ended) scene.spent += cost
  const { budgetId: id, limit, spent } = scene
  const nowMs = systemClock.now()
  const state = createState({ id, limit, spent })
  const span = { startMs: nowMs - (nowMs % 86_400_000), endMs: Number.MAX_SAFE_INTEGER }
  scene.banks[node]?.report(toReport([{ ...state, span }], completeUntil))
}

/** What `GET /v1/budgets` shows since nothing was free once, or while nothing is. */
async function sample(scene: Scene, store: LeaseStore | null, end: AbortSignal): Promise<void> {
  while (store !== null && !end.aborted) {
    const figures = await store.readFigures()
    const leases = figures.find(({ budgetId }) => budgetId === scene.budgetId)
    const { limit, spent, largest } = scene
    if (leases !== undefined) {
      const { running, leased, fullyLeasedLimit } = leases
      const bound = overshootBound({ limit, spent, largest, usual: EXPECTED, running, leases })
      if (fullyLeasedLimit !== null || spent + leased >= limit) show(scene, bound)
    }
    await pause(SAMPLE_MS)
  }
}

function show(scene: Scene, bound: Money): void {
  const { first = bound, smallest = bound } = scene.bounds ?? {}
  scene.bounds = { first, smallest: bound < smallest ? bound : smallest }
}

function scale(amount: Money, factor: number): Money {
  return (amount * BigInt(Math.round(factor * 1000))) / 1000n
}
