// Puts the shell around the pages: the navigation, who has signed in, signing out, and the question
// before something unsaved is left.

import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useBlocker, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { USER_FIELDS } from '../../../src/resources/user.ts'
import { readLocalZone } from '../data/format-time.ts'
import { setPreference, usePreference } from '../data/preferences.ts'
import { infoQuery } from '../data/service.ts'
import { useForget, useSession, useSignOut } from '../data/session.ts'
import { hasUnsaved, useSessionEnded } from '../data/unsaved.ts'
import {
  AuditIcon,
  BudgetIcon,
  ConnectIcon,
  ExploreIcon,
  KeyIcon,
  OverviewIcon,
  PerformanceIcon,
  PriceIcon,
  RequestsIcon,
  SettingsIcon,
  TeamIcon,
  TokenIcon,
  UserIcon,
} from '../ui/icons.tsx'
import { Shell } from '../ui/shell.tsx'
import type { NavigationGroup } from '../ui/shell.tsx'
import { JournalBanner } from './journal-banner.tsx'
import { OWN_PAGE, toNavigation } from './navigation.ts'

// Of no use to the first page.
const SignInAgain = lazy(async () => ({
  default: (await import('./entrance/sign-in-again.tsx')).SignInAgain,
}))
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const LeaveQuestion = lazy(async () => ({
  default: (await import('./leave-question.tsx')).LeaveQuestion,
}))

const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: 'Spend',
    items: [
      { label: 'My keys', href: OWN_PAGE, icon: UserIcon },
      { label: 'Overview', href: '/', icon: OverviewIcon },
      { label: 'Explore', href: '/explore', icon: ExploreIcon },
      { label: 'Requests', href: '/requests', icon: RequestsIcon },
      { label: 'Performance', href: '/performance', icon: PerformanceIcon },
    ],
  },
  {
    label: 'Control',
    items: [
      { label: 'Teams', href: '/teams', icon: TeamIcon },
      { label: 'API keys', href: '/keys', icon: KeyIcon },
      { label: 'Connect', href: '/start', icon: ConnectIcon },
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

export function ConsoleShell() {
  const session = useSession()
  const signOut = useSignOut()
  const forget = useForget()
  const navigate = useNavigate()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const { data: info } = useQuery(infoQuery)
  const times = usePreference('times')
  const isEnded = useSessionEnded()
  const [isLeaving, setLeaving] = useState(false)
  const [isGoing, setGoing] = useState(false)
  // Also while something is typed elsewhere.
  useHotkeys([['mod+K', () => setGoing(true)]], [])
  const blocker = useBlocker({
    shouldBlockFn: hasUnsaved,
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  })
  // Between the end of a session and the sign-in page there is nothing to show.
  if (session === null) return null
  const { name, email, role } = session.user
  const navigation = toNavigation(NAVIGATION, session)
  const goToSignIn = (): void => void navigate({ to: '/sign-in', ignoreBlocker: true })
  const signOutNow = (): void => signOut.mutate(undefined, { onSuccess: goToSignIn })
  const giveUp = (): void => {
    forget()
    goToSignIn()
  }
  const leave = hasUnsaved() ? () => setLeaving(true) : signOutNow
  return (
    <Shell
      navigation={navigation}
      path={path}
      version={info?.version ?? null}
      times={{
        isLocal: times === 'local',
        localZone: readLocalZone(),
        onChange: (isLocal) => setPreference('times', isLocal ? 'local' : 'utc'),
      }}
      userName={name}
      userEmail={email}
      userRole={USER_FIELDS.role.names[role]}
      accountHref="/settings?tab=account"
      onSignOut={leave}
      onSearch={() => setGoing(true)}
      banner={<JournalBanner />}
    >
      <Outlet />
      <Suspense>
        {isGoing && <Palette pages={navigation} onClose={() => setGoing(false)} />}
        {isEnded && <SignInAgain user={session.user} onLeave={giveUp} />}
        {blocker.status === 'blocked' && (
          <LeaveQuestion onStay={blocker.reset} onLeave={blocker.proceed} />
        )}
        {isLeaving && <LeaveQuestion onStay={() => setLeaving(false)} onLeave={signOutNow} />}
      </Suspense>
    </Shell>
  )
}
