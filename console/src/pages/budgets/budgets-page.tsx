// Budgets and alerts: limits on spending, their targets, and the alerts that were raised.

import { Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { BUDGET_TABS } from '../../data/page-search.ts'
import { parseChoice } from '../../data/search-values.ts'
import { useCan } from '../../data/session.ts'
import { Page } from '../../ui/page.tsx'
import { AlertsTab } from './alerts-tab.tsx'
import { BudgetsTab } from './budgets-tab.tsx'
import { CreateBudget } from './create-budget.tsx'
import { TargetsTab } from './targets-tab.tsx'
import './budgets.css'

const route = getRouteApi('/shell/budgets')

export function BudgetsPage(): ReactElement {
  const { tab = 'budgets' } = route.useSearch()
  const navigate = route.useNavigate()
  const canChange = useCan('write:budgets')
  const choose = (value: string | null): void => {
    const next = parseChoice(value, BUDGET_TABS)
    void navigate({ search: { tab: next === 'budgets' ? undefined : next }, replace: true })
  }
  return (
    <Page
      title="Budgets and alerts"
      description="Spending limits by UTC day, week or month, and who is alerted."
      actions={canChange && tab === 'budgets' && <CreateBudget />}
    >
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <Tabs.List aria-label="Budgets and alerts" mb="lg">
          <Tabs.Tab value="budgets">Budgets</Tabs.Tab>
          <Tabs.Tab value="alerts">Alerts</Tabs.Tab>
          <Tabs.Tab value="targets">General targets</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="budgets">
          <BudgetsTab canChange={canChange} />
        </Tabs.Panel>
        <Tabs.Panel value="alerts">
          <AlertsTab />
        </Tabs.Panel>
        <Tabs.Panel value="targets">
          <TargetsTab canChange={canChange} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
