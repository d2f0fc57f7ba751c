// What budgets have spent. The files beside this one count it.

import { spanOf } from '../../../core/budget.ts'
import type { Budget } from '../../../core/budget.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import { readCostRevision } from '../../usage/sql/cost-revision.ts'
import type { Dialect } from '../../usage/sql/dialect.ts'
import { readFirstCallAt } from '../../usage/sql/first-call.ts'
import {
  COUNTERS_MAX,
  memberIdOf,
  ruleIdOf,
  toCounter,
  toRule,
} from '../../../core/budgets/each-budget.ts'
import type {
  BudgetSpend,
  BudgetStates,
  CounterOptions,
  CounterSpend,
  CounterSpends,
} from '../budget-states.ts'
import type { CountOptions } from '../budget-sums.ts'
import { createSpendFigures, toBudgetSpend } from '../spend-figures.ts'
import type { SpendFigures } from '../spend-figures.ts'
import { SPEND_KEPT_MS } from '../watched-budgets.ts'
import type { WatchOptions } from '../watched-budgets.ts'
import { canCount, countSpend } from './budget-count.ts'
import type { CountSource } from './budget-count.ts'
import type { BudgetCounter } from './budget-counter.ts'
import { readBatches } from './budget-recount.ts'
import { countMembers, pruneSpendRows, readCounterRows, readSpendRows } from './budget-rows.ts'
import type { ChangedCounter } from './own-changes.ts'

export interface BudgetsOptions extends CountSource {
  /** Null where the store is open for reading only. */
  readonly counter: BudgetCounter | null
  /** Throws there. */
  readonly requireCounter: () => BudgetCounter
}

export function createBudgets(
  database: SqlDatabase,
  { requireCounter, counter, ...place }: BudgetsOptions,
): BudgetStates {
  const { dialect } = place
  return {
    watch: async (budgets, options) => requireCounter().watch(budgets, options),
    recount: async (nowMs) => requireCounter().recount(nowMs),
    async prune(budgets, nowMs) {
      requireCounter()
      const kept = { budgets, sinceMs: nowMs - SPEND_KEPT_MS }
      await database.transact((sql) => pruneSpendRows(sql, kept, dialect))
    },
    readSpend: (budgets, options) =>
      database.readSnapshot((sql) => readSpend(sql, budgets, { ...options, ...place })),
    readCounters: (rules, options) =>
      database.readSnapshot((sql) => readCounters(sql, rules, { ...options, ...place, counter })),
    readPeriod: (budget, options) =>
      database.readSnapshot((sql) => readPeriod(sql, budget, { ...options, ...place })),
    readPreviousSpend: (budgets, nowMs) =>
      database.readSnapshot((sql) => readPreviousSpend(sql, budgets, { nowMs, dialect })),
  }
}

async function readSpend(
  sql: Sql,
  budgets: readonly Budget[],
  { slugOf, nowMs, records, dialect }: WatchOptions & CountSource,
): Promise<readonly BudgetSpend[]> {
  const found = new Map<string, BudgetSpend>()
  const firstMs = (await readFirstCallAt(sql, records)) ?? nowMs
  for (const [period, list] of Map.groupBy(budgets, (budget) => budget.period)) {
    const span = spanOf(period, nowMs)
    const since = { span, sinceMs: Math.max(span.startMs, firstMs) }
    // A counter was counted with its rule: without a row it has spent nothing.
    const own = new Map(list.map(toRule).map((budget) => [budget.id, budget]))
    const all = [...own.values(), ...list]
    const stored = (await readSpendRows(sql, [{ budgets: all, span }], dialect))(all, span)
    const missing = [...own.values()].filter(({ id }) => !stored.has(id))
    const counted = await countSpend(sql, missing, { span, slugOf, records, dialect })
    for (const budget of list) {
      const none = budget.member === undefined ? undefined : createSpendFigures('')
      const figures = stored.get(budget.id) ?? counted.get(budget.id) ?? none
      if (figures !== undefined) found.set(budget.id, toBudgetSpend(budget, since, figures))
    }
  }
  return budgets.map(({ id }) => found.get(id) as BudgetSpend)
}

async function readCounters(
  sql: Sql,
  rules: readonly Budget[],
  options: CounterOptions & CountSource & Pick<BudgetsOptions, 'counter'>,
): Promise<CounterSpends> {
  const { slugOf, nowMs, since = null, percentMin, records, dialect } = options
  const counts = new Map<string, number>()
  if (rules.length === 0) return { moment: since ?? 0, counters: [], counts }
  const moment = await readBatches(sql)
  const changed = since === null ? null : (options.counter?.changes.list(since, moment) ?? null)
  const firstMs = (await readFirstCallAt(sql, records)) ?? nowMs
  const counters: CounterSpend[] = []
  for (const [period, budgets] of Map.groupBy(rules, (rule) => rule.period)) {
    const span = spanOf(period, nowMs)
    const from = { span, sinceMs: Math.max(span.startMs, firstMs) }
    const add = (counter: Budget, figures: SpendFigures): void => {
      counters.push({ counter, spend: toBudgetSpend(counter, from, figures) })
      const ruleId = ruleIdOf(counter.id)
      counts.set(ruleId, (counts.get(ruleId) ?? 0) + 1)
    }
    const own = (await readSpendRows(sql, [{ budgets, span }], dialect))(budgets, span)
    const known = budgets.filter(({ id }) => own.has(id))
    const ids = new Set(known.map(({ id }) => id))
    const isKnown = (each: ChangedCounter): boolean =>
      each.span.startMs === span.startMs && ids.has(ruleIdOf(each.counter.id))
    const rows =
      changed?.filter(isKnown) ??
      (await readCounterRows(sql, known, { span, since, percentMin, rowsMax: COUNTERS_MAX }))
    for (const row of rows) add(row.counter, row.figures)
    const missing = new Map(budgets.filter(({ id }) => !own.has(id)).map((rule) => [rule.id, rule]))
    const asked = { span, slugOf, records, dialect }
    for (const [id, figures] of await countSpend(sql, [...missing.values()], asked)) {
      const [rule, member] = [missing.get(ruleIdOf(id)), memberIdOf(id)]
      if (rule !== undefined && member !== null) add(toCounter(rule, member), figures)
    }
    if (percentMin === undefined) continue
    for (const rule of known) counts.set(rule.id, await countMembers(sql, rule, span))
  }
  return { moment, counters, counts }
}

async function readPeriod(
  sql: Sql,
  budget: Budget,
  { slugOf, span, records, dialect }: CountOptions & CountSource,
): Promise<BudgetSpend | null> {
  const page = { budgets: [budget], span }
  const stored = (await readSpendRows(sql, [page], dialect))([budget], span).get(budget.id)
  const isInDoubt = stored?.costRevision !== (await readCostRevision(sql))
  const counted =
    isInDoubt && (await canCount(sql, budget, span))
      ? (await countSpend(sql, [budget], { span, slugOf, records, dialect })).get(budget.id)
      : undefined
  const figures = counted ?? stored
  const since = { span, sinceMs: span.startMs }
  return figures === undefined ? null : toBudgetSpend(budget, since, figures)
}

async function readPreviousSpend(
  sql: Sql,
  budgets: readonly Budget[],
  { nowMs, dialect }: { readonly nowMs: number; readonly dialect: Dialect },
): Promise<readonly BudgetSpend[]> {
  const found: BudgetSpend[] = []
  for (const [period, list] of Map.groupBy(budgets, (budget) => budget.period)) {
    const span = spanOf(period, spanOf(period, nowMs).startMs - 1)
    const since = { span, sinceMs: span.startMs }
    const stored = (await readSpendRows(sql, [{ budgets: list, span }], dialect))(list, span)
    for (const budget of list) {
      const figures = stored.get(budget.id)
      if (figures !== undefined) found.push(toBudgetSpend(budget, since, figures))
    }
  }
  return found
}
