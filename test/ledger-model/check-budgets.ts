// Budgets in random histories: each threshold that was reached has spoken up once and no other has,
// and what was spent is the sum of the calls that are on record.

import assert from 'node:assert/strict'

import { amountAt, spanOf } from '../../src/core/budget.ts'
import type { Budget } from '../../src/core/budget.ts'
import {
  isRule,
  memberIdOf,
  memberOf,
  ruleIdOf,
  toCounter,
} from '../../src/core/budgets/each-budget.ts'
import { toThresholdAlert } from '../../src/core/alerts/budget-alert.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import type { LedgerStore } from '../../src/store/ledger/ledger-store.ts'
import { KEYS, NOW, PRICED_MODEL } from './calls.ts'

interface ModelBudget extends Budget {
  readonly covers: (record: UsageRecord) => boolean
}

const CENT = 10_000_000_000n
/** A budget says nothing of periods that were over when it was made. */
const LONG_AGO = NOW - 60 * 86_400_000
const ALERTS_MAX = 10_000

function createBudget(
  budget: Pick<ModelBudget, 'id' | 'scope' | 'period' | 'limit' | 'covers'> & Partial<Budget>,
): ModelBudget {
  const thresholds = [1, 50, 99, 100, 101, 250, 700]
  return {
    name: budget.id,
    thresholds,
    each: 'none',
    isTargetsOnly: false,
    isBlocking: false,
    createdAt: LONG_AGO,
    version: 0,
    ...budget,
  }
}

export const BUDGETS: readonly ModelBudget[] = [
  createBudget({
    id: 'bud_all',
    scope: { kind: 'global' },
    period: 'month',
    limit: 100n * CENT,
    covers: () => true,
  }),
  createBudget({
    id: 'bud_key',
    scope: { kind: 'api_key', keyId: KEYS[0] },
    period: 'day',
    limit: 31n * CENT,
    covers: ({ event }) => event.keyId === KEYS[0],
  }),
  createBudget({
    id: 'bud_model',
    scope: { kind: 'model', pattern: `north/${PRICED_MODEL}` },
    period: 'week',
    limit: 77n * CENT,
    covers: ({ event }) => event.model === PRICED_MODEL,
  }),
  createBudget({
    id: 'bud_dim',
    scope: { kind: 'dim', key: 'team', value: 't1' },
    period: 'day',
    limit: CENT,
    covers: ({ event }) => event.dims['team'] === 't1',
  }),
  createBudget({
    id: 'bud_each_key_a_month',
    scope: { kind: 'global' },
    period: 'month',
    each: 'key',
    limit: 45n * CENT,
    covers: () => true,
  }),
  createBudget({
    id: 'bud_each_key_of_team',
    scope: { kind: 'dim', key: 'team', value: 't1' },
    period: 'day',
    each: 'key',
    limit: CENT,
    covers: ({ event }) => event.dims['team'] === 't1',
  }),
]

export function slugOf(provider: string, model: string): string {
  return `${provider}/${model}`
}

export class BudgetChecker {
  readonly #store: LedgerStore
  /** By budget and the beginning of its period. */
  readonly #spent = new Map<string, bigint>()

  constructor(store: LedgerStore) {
    this.#store = store
  }

  add(record: UsageRecord): void {
    for (const budget of BUDGETS) {
      if (!budget.covers(record)) continue
      const member = memberOf(budget.each, record.event)
      if (member === null && isRule(budget)) continue
      const counted = member === null ? [budget] : [budget, toCounter(budget, member)]
      for (const { id, period } of counted) {
        const name = `${id} ${spanOf(period, record.event.endedAt).startMs}`
        this.#spent.set(name, (this.#spent.get(name) ?? 0n) + (record.cost.amount ?? 0n))
      }
    }
  }

  async check(): Promise<void> {
    const { alerts } = await this.#store.progress.outbox.read(0, ALERTS_MAX)
    const found = alerts.map(({ id }) => id)
    assert.deepEqual(found.toSorted(), this.#expectedIds().toSorted(), 'the thresholds reached')
    const spends = await this.#store.progress.budgets.readSpend(BUDGETS, { slugOf, nowMs: NOW })
    for (const { budgetId, span, spent } of spends) {
      assert.equal(spent, this.#spent.get(`${budgetId} ${span.startMs}`) ?? 0n, budgetId)
    }
    assert.equal(spends.length, BUDGETS.length)
    await this.#checkMembers()
  }

  /** Of each rule those who have spent something now, and nobody else. */
  async #checkMembers(): Promise<void> {
    const rules = BUDGETS.filter(isRule)
    const asked = { slugOf, nowMs: NOW }
    const { counters } = await this.#store.progress.budgets.readCounters(rules, asked)
    const actual = counters
      .map(({ counter, spend }) => [`${counter.id} ${spend.span.startMs}`, spend.spent] as const)
      .filter(([, spent]) => spent > 0n)
    const starts = new Map(rules.map(({ id, period }) => [id, spanOf(period, NOW).startMs]))
    const expected = [...this.#spent].filter(([name, spent]) => {
      const [id = '', startMs] = name.split(' ')
      const isNow = starts.get(ruleIdOf(id)) === Number(startMs)
      return isNow && memberIdOf(id) !== null && spent > 0n
    })
    assert.deepEqual(new Map(actual), new Map(expected), 'what each member spent')
  }

  #expectedIds(): string[] {
    return [...this.#spent].flatMap(([name, spent]) => {
      const [budgetId = '', startMs] = name.split(' ')
      const member = memberIdOf(budgetId)
      const rule = BUDGETS.find((each) => each.id === ruleIdOf(budgetId)) as ModelBudget
      if (member === null && isRule(rule)) return []
      const budget = member === null ? rule : toCounter(rule, member)
      const span = spanOf(budget.period, Number(startMs))
      return budget.thresholds
        .filter((percent) => spent >= amountAt(budget.limit, percent))
        .map((percent) => toThresholdAlert(budget, { span, percent, spent, at: NOW }).id)
    })
  }
}
