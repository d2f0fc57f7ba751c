// The counters that the last batches of this process changed, so that what it tells of them need
// not be read again. Must stay true: it has all changes since a batch, or says that it has not, as
// where another process stored one in between.

import type { Budget, BudgetSpan } from '../../../core/budget.ts'
import { COUNTERS_MAX } from '../../../core/budgets/each-budget.ts'
import { listChanged } from '../period-counters.ts'
import type { PeriodCounters } from '../period-counters.ts'
import type { SpendFigures } from '../spend-figures.ts'

export interface ChangedCounter {
  readonly counter: Budget
  readonly span: BudgetSpan
  readonly figures: SpendFigures
}

export interface OwnChanges {
  /** A batch is stored: how many there are with it, and what it counted. */
  add(batches: number, pages: Iterable<PeriodCounters>): void
  /** Counters were changed in another way. */
  forget(): void
  /** What changed between two numbers of batches; null where not all of it is known. */
  list(since: number, batches: number): readonly ChangedCounter[] | null
}

export function createOwnChanges(): OwnChanges {
  /** In the order of their batches. */
  const changed = new Map<string, ChangedCounter & { readonly batches: number }>()
  /** All that changed behind the first, up to the second; null until somebody asks. */
  let known: { readonly since: number; readonly until: number } | null = null

  function restart(batches: number | null): void {
    changed.clear()
    known = batches === null ? null : { since: batches, until: batches }
  }

  return {
    add(batches, pages) {
      if (known === null) return
      if (batches !== known.until + 1) return restart(null)
      for (const page of pages) {
        const { span } = page
        for (const { budget: counter, figures } of listChanged(page)) {
          if (counter.member === undefined) continue
          const place = `${span.startMs} ${counter.id}`
          changed.delete(place)
          changed.set(place, { counter, span, figures, batches })
        }
      }
      known = { ...known, until: batches }
      if (changed.size > COUNTERS_MAX) restart(null)
    },
    forget: () => restart(null),
    list(since, batches) {
      if (known === null || since < known.since || batches !== known.until) {
        restart(batches)
        return null
      }
      // Who asks was told of what was before.
      for (const [place, each] of changed) {
        if (each.batches > since) break
        changed.delete(place)
      }
      known = { since, until: batches }
      return [...changed.values()]
    },
  }
}
