// Settings: this Weir, its providers, its users, and the user's own account. The tab is in the
// address.

import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useCan, useSeesCompany } from '../../data/session.ts'
import { OnlyAdministrators } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { PageTabs } from '../../ui/page-tabs.tsx'
import { AccountTab } from './account-tab.tsx'
import { ProvidersTab } from './providers-tab.tsx'
import { ServiceTab } from './service-tab.tsx'
import { UsersTab } from './users-tab.tsx'

const route = getRouteApi('/shell/settings')

export function SettingsPage(): ReactElement {
  const isShown = useSeesCompany()
  const { tab = isShown ? 'service' : 'account' } = route.useSearch()
  const navigate = route.useNavigate()
  const isAdmin = useCan('admin')
  const users = isAdmin ? <UsersTab /> : <OnlyAdministrators what="The list of users" />
  const tabs = [
    { name: 'service', label: 'Service', content: <ServiceTab /> },
    { name: 'providers', label: 'Providers', content: <ProvidersTab /> },
    { name: 'users', label: 'Users', content: users },
    { name: 'account', label: 'Account', content: <AccountTab /> },
  ] as const
  return (
    <Page
      docs="operating"
      title="Settings"
      description="The health of this Weir, its users, and your account."
    >
      <PageTabs
        label="Settings"
        chosen={tab}
        onChoose={(search) => void navigate({ search })}
        tabs={tabs.filter(({ name }) => {
          if (!isShown) return name === 'account'
          return name !== 'users' || isAdmin || tab === 'users'
        })}
      />
    </Page>
  )
}
