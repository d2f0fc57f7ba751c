// Puts the shell around the pages: the navigation, who has signed in, and signing out.

import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { readLocalZone } from '../data/format-time.ts'
import { setPreference, usePreference } from '../data/preferences.ts'
import { infoQuery } from '../data/service.ts'
import { useSession, useSignOut } from '../data/session.ts'
import {
  AuditIcon,
  BudgetIcon,
  ExploreIcon,
  KeyIcon,
  OverviewIcon,
  PriceIcon,
  RequestsIcon,
  SettingsIcon,
  TokenIcon,
} from '../ui/icons.tsx'
import { Shell } from '../ui/shell.tsx'
import type { NavigationGroup } from '../ui/shell.tsx'
import { JournalBanner } from './journal-banner.tsx'

const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: 'Spend',
    items: [
      { label: 'Overview', href: '/', icon: OverviewIcon },
      { label: 'Explore', href: '/explore', icon: ExploreIcon },
      { label: 'Requests', href: '/requests', icon: RequestsIcon },
    ],
  },
  {
    label: 'Control',
    items: [
      { label: 'API keys', href: '/keys', icon: KeyIcon },
      { label: 'Access tokens', href: '/tokens', icon: TokenIcon },
      { label: 'Budgets', href: '/budgets', icon: BudgetIcon },
      { label: 'Prices', href: '/prices', icon: PriceIcon },
    ],
  },
  {
    label: 'Weir',
    items: [
      { label: 'Audit', href: '/audit', icon: AuditIcon },
      { label: 'Settings', href: '/settings', icon: SettingsIcon },
    ],
  },
]

const ROLE_NAMES = { admin: 'Administrator', viewer: 'Viewer' } as const

export function ConsoleShell() {
  const session = useSession()
  const signOut = useSignOut()
  const navigate = useNavigate()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const { data: info } = useQuery(infoQuery)
  const times = usePreference('times')
  // Between the end of a session and the sign-in page there is nothing to show.
  if (session === null) return null
  const { name, email, role } = session.user
  const leave = (): void => {
    signOut.mutate(undefined, { onSuccess: () => void navigate({ to: '/sign-in' }) })
  }
  return (
    <Shell
      navigation={NAVIGATION}
      path={path}
      version={info?.version ?? null}
      times={{
        isLocal: times === 'local',
        localZone: readLocalZone(),
        onChange: (isLocal) => setPreference('times', isLocal ? 'local' : 'utc'),
      }}
      userName={name}
      userEmail={email}
      userRole={ROLE_NAMES[role]}
      accountHref="/settings?tab=account"
      onSignOut={leave}
      banner={<JournalBanner />}
    >
      <Outlet />
    </Shell>
  )
}
