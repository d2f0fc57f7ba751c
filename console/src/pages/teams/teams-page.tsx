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
import { isMember, useCan, useSession } from '../../data/session.ts'
import { teamsQuery, toTeamHref } from '../../data/teams.ts'
import { useMonthCosts, useTrends } from '../../data/trends.ts'
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
import { findTeamBudget } from './team-figures.ts'
import { TEAM_STATUS_NAMES, TeamStatus } from './team-status.tsx'

const route = getRouteApi('/shell/teams')

const STATUS_OPTIONS = TEAM_STATUSES.map((value) => ({ value, label: TEAM_STATUS_NAMES[value] }))

export function TeamsPage(): ReactElement {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const canCreate = useCan('admin')
  const session = useSession()
  const isOnlyMember = session !== null && isMember(session)
  const [isCreating, setCreating] = useState(false)
  const query = useInfiniteQuery(teamsQuery(search))
  const { data: budgets } = useQuery(budgetsQuery)
  const pages = query.data?.pages ?? []
  const rows = query.data?.pages.flatMap((page) => page.rows)
  const months = useMonthCosts({ field: 'team', pages })
  const trends = useTrends({ field: 'team', pages })
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
      description={
        isOnlyMember
          ? 'The teams you are in, and what your keys in each spent this month, UTC. A team’s page has what it shows you of itself.'
          : 'What each team spent this month, UTC, of its budget; who is in it, and its keys.'
      }
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
        columns={createColumns({ months, trends, budgets: budgets?.rows })}
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

interface Figures {
  /** Of each team, what this month cost. */
  readonly months: ReadonlyMap<string, number>
  /** The cost of its days. */
  readonly trends: ReadonlyMap<string, readonly number[]>
  readonly budgets: readonly BudgetRow[] | undefined
}

function createColumns({ months, trends, budgets }: Figures): readonly TableColumn<TeamRow>[] {
  const toSpent = ({ id }: TeamRow): string | null => {
    const cost = months.get(id)
    return cost === undefined ? null : formatUsd(cost)
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
            <Sparkline values={trends.get(row.id)} />
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
