// What limits the spend of one key: every budget that counts its calls; and those of its own, to be
// made and changed.

import { useQuery } from '@tanstack/react-query'
import type { KeyBudget, KeyRow } from '../../../../src/api/contract.ts'
import { keyBudgetsQuery } from '../../data/keys.ts'
import { NO_SCOPE, toScope } from '../../data/forms/scope-draft.ts'
import { useCan } from '../../data/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { NEW_BUDGET } from '../budgets/budget-draft.ts'
import { toBudgetColumns } from '../budgets/budget-columns.tsx'
import { toTermsWords } from '../budgets/budget-words.ts'
import { CreateBudget } from '../budgets/create-budget.tsx'
import { BudgetActions } from '../budgets/edit-budget.tsx'

export interface KeyBudgetsProps {
  readonly row: KeyRow
}

/** Listed in the same words as on Budgets, to which each row leads. */
function useKeyBudgets({ id, name }: KeyRow) {
  const query = useQuery(keyBudgetsQuery(id))
  const names = new Map([[id, name]])
  const toTerms = (row: KeyBudget): string =>
    `${toTermsWords(row, names)}${row.covers === 'some' ? ', some of its calls' : ''}`
  return {
    query,
    columns: toBudgetColumns(toTerms),
    rows: query.data?.rows,
    rowKey: (row: KeyBudget) => row.id,
    rowHref: (row: KeyBudget) => `/budgets#${row.id}`,
    lines: 2,
    expected: 1,
  } as const
}

export function KeyBudgets({ row }: KeyBudgetsProps) {
  return (
    <ListPanel
      {...useKeyBudgets(row)}
      heading="Budgets"
      description="Every budget that counts calls of this key."
      caption="Budgets that count calls of this key"
      empty={<EmptyState title="No budgets">No budget counts its calls.</EmptyState>}
    />
  )
}

interface OwnBudgetsProps extends KeyBudgetsProps {
  readonly isReadOnly: boolean
}

export function OwnBudgets({ row, isReadOnly }: OwnBudgetsProps) {
  const listed = useKeyBudgets(row)
  const canChange = useCan('write:budgets') && !isReadOnly
  const scope = { ...NO_SCOPE, kind: 'api_key', keyId: row.id } as const
  const change = {
    id: 'change',
    header: <span className="unseen">Change</span>,
    // On a phone it is changed where its row leads.
    isWideOnly: true,
    cell: (budget: KeyBudget) => <BudgetActions budget={budget} />,
  }
  return (
    <ListPanel
      {...listed}
      columns={canChange ? [...listed.columns, change] : listed.columns}
      rows={listed.rows?.filter((budget) => budget.scope === toScope(scope))}
      heading="Budget of its own"
      description="What this key alone may spend. Its report lists the budgets that it shares."
      actions={
        canChange && (
          <CreateBudget
            first={{ ...NEW_BUDGET, name: row.name, scope }}
            look={{ size: 'xs', variant: 'default' }}
          />
        )
      }
      caption="Budgets of this key alone"
      empty={<EmptyState title="It has none">Only the budgets that it shares limit it.</EmptyState>}
    />
  )
}
