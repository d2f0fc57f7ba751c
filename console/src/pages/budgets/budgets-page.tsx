// Budgets and alerts: limits on spending, their targets, and the alerts that were raised.

import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useCan } from '../../data/session.ts'
import { Page } from '../../ui/page.tsx'
import { PageTabs } from '../../ui/page-tabs.tsx'
import { AlertsTab } from './alerts-tab.tsx'
import { BudgetsTab } from './budgets-tab.tsx'
import { CreateBudget } from './create-budget.tsx'
import { NearestTab } from './nearest-tab.tsx'
import { TargetsTab } from './target-list.tsx'
import './budgets.css'

const route = getRouteApi('/shell/budgets')

export function BudgetsPage(): ReactElement {
  const { tab = 'budgets' } = route.useSearch()
  const navigate = route.useNavigate()
  const canChange = useCan('write:budgets')
  return (
    <Page
      docs="budgets"
      title="Budgets and alerts"
      description="Spending limits by UTC day, week or month, and who is alerted."
      actions={canChange && tab === 'budgets' && <CreateBudget />}
    >
      <PageTabs
        label="Budgets and alerts"
        chosen={tab}
        onChoose={(search) => void navigate({ search, replace: true })}
        tabs={[
          { name: 'budgets', label: 'Budgets', content: <BudgetsTab canChange={canChange} /> },
          { name: 'nearest', label: 'Who is near', content: <NearestTab /> },
          { name: 'alerts', label: 'Alerts', content: <AlertsTab /> },
          {
            name: 'targets',
            label: 'Targets without a budget',
            content: <TargetsTab canChange={canChange} />,
          },
        ]}
      />
    </Page>
  )
}
