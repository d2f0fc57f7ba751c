// Teams: what each spent this month and of its budget, who is in it, and its keys.

import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { BudgetRow, TeamRow } from '../../../../src/api/contract.ts'
import { formatShown } from '../../data/format-count.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { TEAM_STATUSES } from '../../data/page-search.ts'
import type { TeamsSearch } from '../../data/page-search.ts'
import { useCan } from '../../data/session.ts'
import { teamsQuery, toTeamHref } from '../../data/teams.ts'
import { TREND_DAYS, useTrends } from '../../data/trends.ts'
import { Sparkline } from '../../ui/charts/sparkline.tsx'
import type { TableColumn } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar, FilterSelect } from '../../ui/forms/filter-bar.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { Page } from '../../ui/page.tsx'
import { Used } from '../budgets/budget-columns.tsx'
import { budgetsQuery } from '../budgets/budgets.ts'
import { CreateTeam } from './create-team.tsx'
import { findTeamBudget, sumMonth } from './team-figures.ts'
import { TEAM_STATUS_NAMES, TeamStatus } from './team-status.tsx'

const route = getRouteApi('/shell/teams')

/** A month has up to a day more than the trend shows. */
const ASKED_DAYS = TREND_DAYS + 1
const STATUS_OPTIONS = TEAM_STATUSES.map((value) => ({ value, label: TEAM_STATUS_NAMES[value] }))

export function TeamsPage(): ReactElement {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const canCreate = useCan('admin')
  const [isCreating, setCreating] = useState(false)
  const query = useInfiniteQuery(teamsQuery(search))
  const { data: budgets } = useQuery(budgetsQuery)
  const pages = query.data?.pages ?? []
  const rows = query.data?.pages.flatMap((page) => page.rows)
  const trends = useTrends({ field: 'team', pages, days: ASKED_DAYS })
  const write = (change: TeamsSearch): void => {
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  }
  const create = (
    <Button leftSection={<PlusIcon size={16} />} onClick={() => setCreating(true)}>
      Create a team
    </Button>
  )
  const isFiltered = search.search !== undefined || search.status !== undefined
  return (
    <Page
      docs="teams"
      title="Teams"
      description="What each team spent this month, UTC, of its budget; who is in it, and its keys."
      actions={canCreate && create}
    >
      <FilterBar
        label="Filter the teams"
        search={search}
        filters={['search', 'status']}
        typed={{ name: 'search', placeholder: 'Name or id' }}
        onChange={write}
      >
        <FilterSelect
          label="Status"
          options={STATUS_OPTIONS}
          value={search.status}
          onChange={(status) => write({ status })}
        />
      </FilterBar>
      <ListPanel
        query={query}
        caption="Teams"
        lines={2}
        columns={createColumns(trends, budgets?.rows)}
        rows={rows}
        rowKey={(row) => row.id}
        rowHref={(row) => toTeamHref(row.id)}
        empty={<NoTeams isFiltered={isFiltered} canCreate={canCreate} />}
        shown={formatShown(rows?.length ?? 0, pages.at(-1)?.total ?? 0, 'team')}
      />
      {canCreate && <CreateTeam isOpen={isCreating} onClose={() => setCreating(false)} />}
    </Page>
  )
}

const ABOUT: readonly TableColumn<TeamRow>[] = [
  {
    id: 'name',
    header: 'Name',
    grow: 5,
    cell: (row) => (
      <>
        {row.name}
        <span className="cell-under mono">{row.slug}</span>
        {row.status === 'archived' && (
          <span className="cell-under narrow-only">{TEAM_STATUS_NAMES.archived}</span>
        )}
      </>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    isWideOnly: true,
    cell: (row) => <TeamStatus status={row.status} />,
  },
  {
    id: 'department',
    header: 'Department',
    grow: 3,
    isWideOnly: true,
    cell: (row) => row.parent ?? <span className="quiet">none</span>,
  },
  { id: 'people', header: 'People', align: 'right', isWideOnly: true, cell: (row) => row.members },
  { id: 'keys', header: 'Keys', align: 'right', isWideOnly: true, cell: (row) => row.keys },
]

/** `trends`: of each team, the cost of its days. */
function createColumns(
  trends: ReadonlyMap<string, readonly number[]>,
  budgets: readonly BudgetRow[] | undefined,
): readonly TableColumn<TeamRow>[] {
  const toSpent = ({ id }: TeamRow): string | null => {
    const days = trends.get(id)
    return days === undefined ? null : formatUsd(sumMonth(days, new Date()))
  }
  return [
    ...ABOUT,
    {
      id: 'spent',
      header: 'This month',
      align: 'right',
      cell: (row) => (
        <>
          {toSpent(row) ?? '…'}
          <span className="trend" title="Cost per day, last 30 days">
            <Sparkline values={trends.get(row.id)?.slice(-TREND_DAYS)} />
          </span>
        </>
      ),
      amount: toSpent,
    },
    {
      id: 'budget',
      header: 'Budget',
      isWideOnly: true,
      cell: ({ id }) => {
        const budget = findTeamBudget(id, budgets ?? [])
        if (budget === undefined) return <span className="quiet">none</span>
        return (
          <>
            <Used budget={budget} />
            <span className="cell-under">of {formatUsd(budget.limit_usd)}</span>
          </>
        )
      },
    },
  ]
}

interface NoTeamsProps {
  readonly isFiltered: boolean
  readonly canCreate: boolean
}

function NoTeams({ isFiltered, canCreate }: NoTeamsProps) {
  if (isFiltered)
    return <EmptyState title="No matching teams">Try another search or status.</EmptyState>
  return (
    <EmptyState title="No teams yet">
      A team has keys, people and budgets: its leads see what it spends and manage its keys, its
      members take keys of their own.{' '}
      {canCreate && 'Create one, put people in it, and move keys there.'}
    </EmptyState>
  )
}
