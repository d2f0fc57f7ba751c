// The state of a budget: spent of the limit, the thresholds, the forecast, and what happens at the
// limit. The bar only repeats what the words say.

import { Group, Stack, Text } from '@mantine/core'
import type { BudgetRow } from '../../../../src/api/contract.ts'
import { toBudgetBar, toCourse, toRunningWords } from './budget-words.ts'
import type { BudgetBar } from './budget-words.ts'
import { formatCounted, formatShare } from '../../data/format-count.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { toHref } from '../../data/search-values.ts'
import { WarningIcon } from '../../ui/icons.tsx'
import { TextLink } from '../../ui/link.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

export interface BudgetStateProps {
  readonly budget: BudgetRow
  /** Where the bars on the page end, in percent of the limits. */
  readonly barEnd: number
}

export function BudgetState({ budget, barEnd }: BudgetStateProps) {
  const course = toCourse(budget)
  const running = toRunningWords(budget)
  return (
    <Stack gap="sm">
      <div className="budget-sum">
        <p>
          <strong data-figure="spent" data-value={budget.spent_usd}>
            {formatUsd(budget.spent_usd)}
          </strong>{' '}
          <span className="quiet">of {formatUsd(budget.limit_usd)}</span>
        </p>
        <span className="number">{formatShare(budget.spent_percent / 100)}</span>
      </div>
      <Bar bar={toBudgetBar(budget, barEnd)} tone={course?.tone ?? 'good'} />
      <Group gap={8}>
        {course !== null && <StatusBadge tone={course.tone}>{course.text}</StatusBadge>}
        {budget.blocking ? (
          <StatusBadge tone={budget.is_exceeded ? 'bad' : 'accent'}>
            {budget.is_exceeded ? 'Refusing calls' : 'Refuses calls at the limit'}
          </StatusBadge>
        ) : (
          <StatusBadge tone="neutral">Alerts only</StatusBadge>
        )}
      </Group>
      {running !== null && (
        <Text size="sm" c="dimmed">
          {running}
        </Text>
      )}
      {budget.unpriced_requests > 0 && <Unpriced calls={budget.unpriced_requests} />}
    </Stack>
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

interface BarProps {
  readonly bar: BudgetBar
  readonly tone: 'good' | 'warning' | 'bad'
}

function Bar({ bar, tone }: BarProps) {
  const { spent, forecast, limit, marks } = bar
  return (
    <div className={`budget-bar budget-${tone}`}>
      <svg aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 10">
        <rect className="budget-track" width="100" height="10" />
        {forecast !== null && <rect className="budget-forecast" width={forecast} height="10" />}
        <rect className="budget-spent" width={spent} height="10" />
        {/* Where the bar continues beyond it. */}
        {limit < 100 && <rect className="budget-limit" x={limit - 0.3} width="0.6" height="10" />}
      </svg>
      <ul className="budget-marks" aria-label="Alerts at">
        {marks.map(({ percent, at, isReached, isBeyond, isLabelled }) => (
          <li key={percent} className={toMarkClass(at, isReached)} style={{ left: `${at}%` }}>
            <span className={isLabelled ? undefined : 'unseen'}>
              {percent} %{isBeyond && <span aria-hidden="true"> ›</span>}
            </span>
            {isReached && <span className="unseen"> reached</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Below it there is no room for the label at the left of its mark. */
const START_PERCENT = 12

function toMarkClass(at: number, isReached: boolean): string {
  return `${at < START_PERCENT ? 'budget-start' : ''} ${isReached ? 'budget-reached' : ''}`.trim()
}
