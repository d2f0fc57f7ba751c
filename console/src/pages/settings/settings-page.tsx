// Settings: this Weir, its providers, its users, and the user's own account. The tab is in the
// address.

import { Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { SETTINGS_TABS } from '../../data/page-search.ts'
import { useCan } from '../../data/session.ts'
import { OnlyAdministrators } from '../../ui/only-administrators.tsx'
import { Page } from '../../ui/page.tsx'
import { AccountTab } from './account-tab.tsx'
import { ProvidersTab } from './providers-tab.tsx'
import { ServiceTab } from './service-tab.tsx'
import { UsersTab } from './users-tab.tsx'
import './settings.css'

const route = getRouteApi('/shell/settings')

type SettingsTab = (typeof SETTINGS_TABS)[number]

const TAB_NAMES: Readonly<Record<SettingsTab, string>> = {
  service: 'Service',
  providers: 'Providers',
  users: 'Users',
  account: 'Account',
}

export function SettingsPage(): ReactElement {
  const { tab = 'service' } = route.useSearch()
  const navigate = route.useNavigate()
  const isAdmin = useCan('admin')
  const tabs = SETTINGS_TABS.filter((name) => name !== 'users' || isAdmin || tab === 'users')
  const choose = (name: string | null): void => {
    const found = SETTINGS_TABS.find((each) => each === name)
    void navigate({ search: { tab: found === 'service' ? undefined : found } })
  }
  return (
    <Page title="Settings" description="The health of this Weir, its users, and your account.">
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <Tabs.List className="tabs">
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {TAB_NAMES[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((name) => (
          <Tabs.Panel key={name} value={name} className="tab-body">
            <TabBody name={name} isAdmin={isAdmin} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  )
}

interface TabBodyProps {
  readonly name: SettingsTab
  readonly isAdmin: boolean
}

function TabBody({ name, isAdmin }: TabBodyProps) {
  switch (name) {
    case 'service':
      return <ServiceTab />
    case 'providers':
      return <ProvidersTab />
    case 'users':
      return isAdmin ? <UsersTab /> : <OnlyAdministrators what="The list of users" />
    case 'account':
      return <AccountTab />
  }
}
