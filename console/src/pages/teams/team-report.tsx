// What a team spent: the figures of its calls alone, whichever keys are in it today.

import { useQuery } from '@tanstack/react-query'
import { analysisQuery } from '../../data/analysis/analysis.ts'
import type { AnalysisQuestion, Row } from '../../data/analysis/analysis.ts'
import { toMemberName } from '../../data/analysis/fields.ts'
import { toHourText, toSpan } from '../../data/analysis/time-range.ts'
import { toHref } from '../../data/search-values.ts'
import { formatCost } from '../../data/unpriced.ts'
import { BarList } from '../../ui/charts/bar-list.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SpendPanel } from '../keys/key-spend.tsx'
import { toTeamScope } from './team-figures.ts'
import { toSpend, toSpendQuestion } from './team-spend.ts'

interface TeamReportProps {
  readonly teamId: string
}

export function TeamReport({ teamId }: TeamReportProps) {
  const { data, error, refetch } = useQuery(analysisQuery(toSpendQuestion(teamId, Date.now())))
  return (
    <>
      <SpendPanel
        spend={data === undefined ? undefined : toSpend(data)}
        error={error}
        onRetry={() => void refetch()}
      />
      <div className="panels">
        <Largest teamId={teamId} field="model" heading="Models" />
        <Largest teamId={teamId} field="api_key" heading="Keys" />
        <Largest teamId={teamId} field="person" heading="People" />
      </div>
    </>
  )
}

const SHOWN_ROWS = 10

interface LargestProps extends TeamReportProps {
  readonly field: 'model' | 'api_key' | 'person'
  readonly heading: string
}

function Largest({ teamId, field, heading }: LargestProps) {
  const { data, error } = useQuery(analysisQuery(toQuestion(teamId, field)))
  return (
    <Panel heading={heading} description="This month, most expensive first">
      {error === null ? (
        <BarList
          label={`${heading} by cost this month`}
          rows={data?.rows.map((row, place) => ({
            id: `${place}`,
            label: row.group.map(toMemberName).join(', '),
            note: field === 'api_key' ? (row.group[0]?.value ?? undefined) : undefined,
            value: row.cost_usd,
            text: formatCost(row.cost_usd, row.unpriced > 0),
            href: toRowHref(teamId, field, row),
          }))}
          empty="No cost this month."
        />
      ) : (
        <Fault error={error} />
      )}
    </Panel>
  )
}

function toQuestion(teamId: string, field: LargestProps['field']): AnalysisQuestion {
  const { fromMs, toMs } = toSpan({ range: 'this_month' }, Date.now())
  return {
    from: toHourText(fromMs),
    to: toHourText(toMs),
    interval: 'none',
    group_by: [field],
    filter: [toTeamScope(teamId)],
    order_by: 'cost',
    limit: SHOWN_ROWS,
  }
}

/** A key's own page; else the keys that made these calls. */
function toRowHref(teamId: string, field: string, { group: [member] }: Row): string | undefined {
  if (member === undefined || member.kind === 'other') return undefined
  if (field === 'api_key' && member.value !== null)
    return `/keys/${encodeURIComponent(member.value)}`
  const filter = [toTeamScope(teamId), `${field}=${member.value ?? ''}`]
  return toHref('/explore', { range: 'this_month', group_by: 'api_key', filter })
}
