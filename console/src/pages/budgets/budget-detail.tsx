// One budget, below its row: all that is known of it, its history and its targets.

import type { BudgetRow } from '../../../../src/api/contract.ts'
import { toForecastWords, toRunningWords, toSpentWords, toThresholdWords } from './budget-words.ts'
import { formatCounted } from '../../data/format-count.ts'
import { formatShortTime } from '../../data/format-time.ts'
import { toHref } from '../../data/search-values.ts'
import { Facts } from '../../ui/facts.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { TextLink } from '../../ui/link.tsx'
import { BudgetMembers } from './budget-members.tsx'
import { BudgetHistory } from './budget-history.tsx'
import { BudgetActions } from './edit-budget.tsx'
import { TargetList } from './target-list.tsx'

export interface BudgetDetailProps {
  readonly budget: BudgetRow
  readonly canChange: boolean
}

export function BudgetDetail({ budget, canChange }: BudgetDetailProps) {
  const facts = [
    { name: 'Spent', value: toSpentWords(budget) },
    { name: 'Forecast', value: toForecastWords(budget) },
    { name: 'Resets', value: formatShortTime(budget.period_end) },
    { name: 'Alerts at', value: toThresholdWords(budget) || 'No threshold' },
    {
      name: 'At the limit',
      value: budget.blocking ? 'Calls are refused' : 'Alerts only, no call is refused',
    },
    { name: 'Running now', value: toRunningWords(budget) },
  ]
  return (
    <section className="budget-detail" aria-label={`Budget ${budget.name}`}>
      <div className="budget-facts">
        <Facts facts={facts.filter(({ value }) => value !== null)} />
        {budget.unpriced_requests > 0 && <Unpriced calls={budget.unpriced_requests} />}
        <TargetList
          targets={budget.targets}
          budget={budget}
          canChange={canChange}
          empty="No targets: its alerts appear only in the log."
        />
        {canChange && <BudgetActions budget={budget} />}
      </div>
      <div className="budget-facts">
        {budget.members !== null && <BudgetMembers budget={budget} />}
        <BudgetHistory budget={budget} />
      </div>
    </section>
  )
}

function Unpriced({ calls }: { readonly calls: number }) {
  const words = `${formatCounted(calls, 'call')} ${calls === 1 ? 'has' : 'have'} no price`
  return (
    <p className="budget-unpriced">
      <WarningIcon size={16} />
      <span>
        {words}: actual spend is higher than shown.{' '}
        <TextLink href={toHref('/prices', { tab: 'missing' })} underline="always">
          Set prices
        </TextLink>
      </span>
    </p>
  )
}
