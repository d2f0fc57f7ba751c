// What limits the spend of a team: the budgets that count its calls alone.

import { useQuery } from '@tanstack/react-query'
import type { BudgetRow, TeamAnswer } from '../../../../src/api/contract.ts'
import { NO_SCOPE } from '../../data/forms/scope-draft.ts'
import { useCan } from '../../data/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { toBudgetColumns } from '../budgets/budget-columns.tsx'
import { NEW_BUDGET } from '../budgets/budget-draft.ts'
import { toTermsWords } from '../budgets/budget-words.ts'
import { budgetsQuery } from '../budgets/budgets.ts'
import { CreateBudget } from '../budgets/create-budget.tsx'
import { BudgetActions } from '../budgets/edit-budget.tsx'
import { toTeamScope } from './team-figures.ts'

const NO_KEYS: ReadonlyMap<string, string> = new Map()

export function TeamBudgets({ team }: { readonly team: TeamAnswer }) {
  const query = useQuery(budgetsQuery)
  const canChange = useCan('write:budgets') && team.status === 'active'
  const columns = toBudgetColumns((row) => toTermsWords(row, NO_KEYS))
  const change = {
    id: 'change',
    header: <span className="unseen">Change</span>,
    // On a phone it is changed where its row leads.
    isWideOnly: true,
    cell: (budget: BudgetRow) => <BudgetActions budget={budget} />,
  }
  return (
    <ListPanel
      query={query}
      heading="Budgets"
      description="What the team may spend. Alerts go to the targets of each budget."
      actions={
        canChange && (
          <CreateBudget
            first={{
              ...NEW_BUDGET,
              name: team.name,
              scope: { ...NO_SCOPE, kind: 'team', team: team.id },
            }}
            look={{ size: 'xs', variant: 'default' }}
          />
        )
      }
      caption={`Budgets of ${team.name}`}
      columns={canChange ? [...columns, change] : columns}
      rows={query.data?.rows.filter(({ scope }) => scope === toTeamScope(team.id))}
      rowKey={(row) => row.id}
      rowHref={(row) => `/budgets#${row.id}`}
      lines={2}
      expected={1}
      empty={
        <EmptyState title="No budget yet">
          A budget of the team counts all its calls, whichever key made them. It sends alerts, and
          can refuse calls at its limit.
        </EmptyState>
      }
    />
  )
}
