// Compares what is on record with what the model says must be: each call once, its cost, the sums,
// and completeness.

import assert from 'node:assert/strict'

import type { UsageEvent } from '../../src/core/usage-event.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { readCompleteness } from '../../src/ledger/read-completeness.ts'
import { BudgetChecker } from './check-budgets.ts'
import { costOf, POISON, UNSTORABLE } from './calls.ts'
import type { Outcome } from './model.ts'
import type { ModelScene } from './scene.ts'

const YEAR = { grain: 'month', from: '2026-01', to: '2026-12' } as const

interface Totals {
  requests: number
  tokens: number
  cost: bigint
  unpriced: number
  dead: number
}

/** Goes with a scene: calls that are on record are not looked at again, and stay in the sums. */
export class RecordChecker {
  readonly #scene: ModelScene
  readonly #checked = new Set<string>()
  readonly #budgets: BudgetChecker
  /** Which call has counted a stored object. */
  readonly #objects = new Map<string, string>()
  readonly #totals: Totals = { requests: 0, tokens: 0, cost: 0n, unpriced: 0, dead: 0 }
  /** Calls that are open, and calls that something has to be mended for. */
  #open = 0
  #broken = 0

  constructor(scene: ModelScene) {
    this.#scene = scene
    this.#budgets = new BudgetChecker(scene.store)
  }

  /** Everything in the journals was read. */
  async checkCalls(): Promise<void> {
    this.#open = 0
    this.#broken = 0
    for (const { journal } of this.#scene.workers) {
      for (const [id, outcome] of journal.outcomes()) {
        if (this.#checked.has(id)) continue
        const record = await this.#scene.store.usage.readRecord(id)
        if (this.#checkCall(outcome, record)) this.#checked.add(id)
      }
    }
  }

  /** Every worker has ended, and all is mended and replayed. */
  requireSettled(): void {
    assert.deepEqual([this.#open, this.#broken], [0, 0])
  }

  async checkSums(): Promise<void> {
    await this.#checkRollups()
    await this.#budgets.check()
    await this.#checkCompleteness()
  }

  /** False when it is to be looked at again. */
  #checkCall(outcome: Outcome, record: UsageRecord | null): boolean {
    switch (outcome.kind) {
      case 'open':
        assert.equal(record, null)
        this.#open += 1
        return false
      case 'dead':
        assert.equal(record, null)
        if (outcome.event.status !== 'denied') this.#totals.dead += 1
        return true
      case 'interrupted':
        assert.equal(record?.event.status, 'interrupted')
        this.#add(record, null)
        return true
      case 'recorded':
        if (record === null && isBroken(outcome.event)) {
          if (outcome.event.status !== 'denied') this.#broken += 1
          return false
        }
        assert.ok(record !== null, 'the call is on record')
        this.#checkRecorded(outcome.event, record)
        return true
    }
  }

  #checkRecorded(event: UsageEvent, record: UsageRecord): void {
    const { countedAs } = event
    const isRepeat =
      countedAs !== undefined && record.event.tokens === null && event.tokens !== null
    const { countedAs: _, ...written } = event
    const named = countedAs === undefined ? written : event
    const expected = isRepeat
      ? { ...event, chargeable: false, usage: 'none', tokens: null, toolCalls: {}, billing: null }
      : named
    assert.deepEqual(record.event, expected)
    if (countedAs !== undefined && !isRepeat) {
      assert.equal(this.#objects.get(countedAs), undefined, `${countedAs} is counted twice`)
      this.#objects.set(countedAs, event.id)
    }
    const cost = costOf(event, isRepeat)
    assert.equal(record.cost.amount, cost)
    if (event.status !== 'denied') this.#add(record, cost)
  }

  #add(record: UsageRecord, cost: bigint | null): void {
    const { tokens } = record.event
    this.#budgets.add(record)
    this.#totals.requests += 1
    this.#totals.tokens += tokens === null ? 0 : tokens.input + tokens.output
    this.#totals.cost += cost ?? 0n
    if (cost === null) this.#totals.unpriced += 1
  }

  async #checkRollups(): Promise<void> {
    const { requests, tokens, cost, unpriced } = this.#totals
    for (const by of ['total', 'provider', 'api_key', 'bucket', 'usage'] as const) {
      const sums = await this.#scene.store.usage.sum({
        period: YEAR,
        grouping: { by },
        keyId: null,
      })
      const sum = { requests: 0, tokens: 0, cost: 0n, unpriced: 0 }
      for (const row of sums) {
        sum.requests += row.requests
        sum.tokens += row.tokens
        sum.cost += row.cost
        sum.unpriced += row.unpriced
      }
      assert.deepEqual(sum, { requests, tokens, cost, unpriced }, `the sums by ${by}`)
    }
  }

  async #checkCompleteness(): Promise<void> {
    const { store, reader, workers } = this.#scene
    const found = await readCompleteness(store.progress, reader)
    const { requests } = this.#totals
    const dead = this.#totals.dead + this.#broken
    assert.deepEqual({ recorded: found.recorded, dead: found.dead }, { recorded: requests, dead })
    const opened = workers.map(({ journal }) => journal.opened())
    const all = opened.reduce((sum, each) => sum + each.all, 0)
    const damaged = opened.reduce((sum, each) => sum + each.damaged, 0)
    // A damaged open line that nothing follows in its life leaves no trace: its number is used
    // again.
    assert.ok(found.forwarded <= all && found.forwarded >= all - damaged, 'calls forwarded')
    const { forwarded, pending } = found
    assert.equal(found.lost, Math.max(0, forwarded - requests - pending - dead))
    if (damaged > 0) return
    // A torn open line is counted before it is read.
    const unread = opened.reduce((sum, each) => sum + each.unread, 0)
    assert.deepEqual([pending, found.lost], [this.#open + unread, 0])
  }
}

/** What could not be priced or stored until it was mended. */
function isBroken({ model }: UsageEvent): boolean {
  return model === POISON || model === UNSTORABLE
}
