// What a team spent: the figures of its calls alone, whichever keys are in it today.

import { useQuery } from '@tanstack/react-query'
import type { TeamAnswer } from '../../../../src/api/contract.ts'
import { analysisQuery } from '../../data/analysis/analysis.ts'
import type { AnalysisQuestion, Row } from '../../data/analysis/analysis.ts'
import { toMemberName } from '../../data/analysis/fields.ts'
import { toHourText, toSpan } from '../../data/analysis/time-range.ts'
import { teamSpendQuery } from '../../data/teams.ts'
import { toHref } from '../../data/search-values.ts'
import { formatCost } from '../../data/unpriced.ts'
import { BarList } from '../../ui/charts/bar-list.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SpendPanel } from '../keys/key-spend.tsx'
import { toTeamScope } from './team-figures.ts'
import { toSpend } from './team-spend.ts'
import { useTeamSight } from './use-leads.ts'

interface TeamReportProps {
  readonly team: TeamAnswer
}

export function TeamReport({ team }: TeamReportProps) {
  const sight = useTeamSight(team)
  const { data, error, refetch } = useQuery({
    ...teamSpendQuery(team.id),
    enabled: sight === 'all' || sight === 'totals',
  })
  return (
    <>
      {sight !== 'own' && (
        <SpendPanel spend={data && toSpend(data)} error={error} onRetry={() => void refetch()} />
      )}
      {sight !== 'all' && sight !== undefined && (
        <p className="quiet">
          Below are your own keys alone.
          {sight === 'own' && ' This team does not show its members what it spends.'}
        </p>
      )}
      <div className="panels">
        <Largest teamId={team.id} field="model" heading="Models" />
        <Largest teamId={team.id} field="api_key" heading="Keys" />
        {sight === 'all' && <Largest teamId={team.id} field="person" heading="People" />}
      </div>
    </>
  )
}

const SHOWN_ROWS = 10

interface LargestProps {
  readonly teamId: string
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
