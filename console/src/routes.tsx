// The map: every screen of the console and its address. All that a view shows follows from its
// address, so that it can be shared; and every page but the first is loaded when it is opened.
//
// To add a page: `pages/<name>/<name>-page.tsx` with a named export and the return type
// ReactElement, a function that parses its search part, and an entry here. The page reads its
// address by `getRouteApi('/shell/<path>')`, never by importing this file. Links are plain
// addresses: `<TextLink href={toHref(…)}>`.

import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { SessionAnswer } from '../../src/api/contract.ts'
import { parseExploreSearch } from './pages/explore/explore-search.ts'
import { fromOldAddress } from './pages/explore/old-address.ts'
import {
  parseAuditSearch,
  parseBudgetsSearch,
  parseCodeSearch,
  parseDeviceSearch,
  parseKeySearch,
  parseKeysSearch,
  parseOverviewSearch,
  parsePricesSearch,
  parseSettingsSearch,
  parseSignInSearch,
  parseTeamSearch,
  parseTeamsSearch,
} from './data/page-search.ts'
import { loadPreferences } from './data/preferences.ts'
import { prefetchKeys, prefetchOverview } from './prefetch.ts'
import { parsePerformanceSearch } from './pages/performance/performance-search.ts'
import { parseRequestsSearch } from './pages/requests/requests-search.ts'
import { parseSearchText, readStrictly, toSearchText } from './data/search-values.ts'
import { ensureSession, isMember } from './data/session.ts'
import { ConsoleShell } from './pages/console-shell.tsx'
import { EntranceErrorPage, ErrorPage, NotFoundPage } from './pages/error-page.tsx'
import { OverviewPage } from './pages/overview/overview-page.tsx'
import { RouterLink } from './router-link.tsx'
import { LinkProvider } from './ui/link.tsx'
import { lazyPage, withTimes } from './with-times.tsx'

interface RouteContext {
  readonly queryClient: QueryClient
}

const root = createRootRouteWithContext<RouteContext>()({
  errorComponent: EntranceErrorPage,
  component: () => (
    <LinkProvider value={RouterLink}>
      <Outlet />
    </LinkProvider>
  ),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readStrictly(parseSignInSearch),
  component: lazyRouteComponent(() => import('./pages/entrance/sign-in-page.tsx'), 'SignInPage'),
  errorComponent: EntranceErrorPage,
})

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  validateSearch: readStrictly(parseCodeSearch),
  component: lazyRouteComponent(() => import('./pages/entrance/setup-page.tsx'), 'SetupPage'),
  errorComponent: EntranceErrorPage,
})

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  validateSearch: readStrictly(parseCodeSearch),
  component: lazyRouteComponent(() => import('./pages/entrance/welcome-page.tsx'), 'WelcomePage'),
  errorComponent: EntranceErrorPage,
})

interface Opened {
  readonly context: RouteContext
  readonly location: { readonly href: string }
}

/** Leads to signing in, and back. */
async function requireSession({ context, location }: Opened): Promise<SessionAnswer> {
  const session = await ensureSession(context.queryClient)
  // The first page needs no way back to it.
  const to = location.href === '/' ? undefined : location.href
  if (session === null) throw redirect({ to: '/sign-in', search: { to } })
  return session
}

const device = createRoute({
  getParentRoute: () => root,
  path: '/device',
  validateSearch: readStrictly(parseDeviceSearch),
  beforeLoad: async (opened: Opened): Promise<void> => {
    await requireSession(opened)
  },
  component: lazyRouteComponent(() => import('./pages/entrance/device-page.tsx'), 'DevicePage'),
  errorComponent: EntranceErrorPage,
})

/** All that needs a session. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ context, location }) => {
    const session = await requireSession({ context, location })
    loadPreferences(session.user.id)
  },
  component: ConsoleShell,
  errorComponent: EntranceErrorPage,
})

const overview = createRoute({
  getParentRoute: () => shell,
  path: '/',
  validateSearch: readStrictly(parseOverviewSearch),
  beforeLoad: async ({ context }) => {
    // A member has keys of their own, and no figures of a company.
    const session = await ensureSession(context.queryClient)
    if (session !== null && isMember(session)) throw redirect({ to: '/my-keys', replace: true })
  },
  loader: ({ context, location }) =>
    prefetchOverview(context.queryClient, parseOverviewSearch(location.search)),
  component: withTimes(OverviewPage),
})

const start = createRoute({
  getParentRoute: () => shell,
  path: '/start',
  component: lazyPage(() => import('./pages/start/start-page.tsx'), 'StartPage'),
})

const explore = createRoute({
  getParentRoute: () => shell,
  path: '/explore',
  validateSearch: readStrictly(parseExploreSearch),
  beforeLoad: ({ location }) => {
    const search = fromOldAddress(parseSearchText(location.searchStr), Date.now())
    if (search !== null) throw redirect({ to: '/explore', search, replace: true })
  },
  component: lazyPage(() => import('./pages/explore/explore-page.tsx'), 'ExplorePage'),
})

const performance = createRoute({
  getParentRoute: () => shell,
  path: '/performance',
  validateSearch: readStrictly(parsePerformanceSearch),
  component: lazyPage(() => import('./pages/performance/performance-page.tsx'), 'PerformancePage'),
})

const requests = createRoute({
  getParentRoute: () => shell,
  path: '/requests',
  validateSearch: readStrictly(parseRequestsSearch),
  component: lazyPage(() => import('./pages/requests/requests-page.tsx'), 'RequestsPage'),
})

const request = createRoute({
  getParentRoute: () => shell,
  path: '/requests/$id',
  // The list that the call was opened from, for the way back to it.
  validateSearch: readStrictly(parseRequestsSearch),
  component: lazyPage(() => import('./pages/requests/request-page.tsx'), 'RequestPage'),
})

const keys = createRoute({
  getParentRoute: () => shell,
  path: '/keys',
  validateSearch: readStrictly(parseKeysSearch),
  loader: ({ context, location }) =>
    prefetchKeys(context.queryClient, parseKeysSearch(location.search)),
  component: lazyPage(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
})

const key = createRoute({
  getParentRoute: () => shell,
  path: '/keys/$id',
  validateSearch: readStrictly(parseKeySearch),
  component: lazyPage(() => import('./pages/keys/key-page.tsx'), 'KeyPage'),
})

const teams = createRoute({
  getParentRoute: () => shell,
  path: '/teams',
  validateSearch: readStrictly(parseTeamsSearch),
  component: lazyPage(() => import('./pages/teams/teams-page.tsx'), 'TeamsPage'),
})

const team = createRoute({
  getParentRoute: () => shell,
  path: '/teams/$id',
  validateSearch: readStrictly(parseTeamSearch),
  component: lazyPage(() => import('./pages/teams/team-page.tsx'), 'TeamPage'),
})

const myKeys = createRoute({
  getParentRoute: () => shell,
  path: '/my-keys',
  component: lazyPage(() => import('./pages/my-keys/my-keys-page.tsx'), 'MyKeysPage'),
})

const tokens = createRoute({
  getParentRoute: () => shell,
  path: '/tokens',
  component: lazyPage(() => import('./pages/tokens/tokens-page.tsx'), 'TokensPage'),
})

const budgets = createRoute({
  getParentRoute: () => shell,
  path: '/budgets',
  validateSearch: readStrictly(parseBudgetsSearch),
  component: lazyPage(() => import('./pages/budgets/budgets-page.tsx'), 'BudgetsPage'),
})

const prices = createRoute({
  getParentRoute: () => shell,
  path: '/prices',
  validateSearch: readStrictly(parsePricesSearch),
  component: lazyPage(() => import('./pages/prices/prices-page.tsx'), 'PricesPage'),
})

const audit = createRoute({
  getParentRoute: () => shell,
  path: '/audit',
  validateSearch: readStrictly(parseAuditSearch),
  component: lazyPage(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
})

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  validateSearch: readStrictly(parseSettingsSearch),
  component: lazyPage(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
})

const routeTree = root.addChildren([
  signIn,
  setup,
  welcome,
  device,
  shell.addChildren([
    overview,
    start,
    explore,
    performance,
    requests,
    request,
    keys,
    key,
    teams,
    team,
    myKeys,
    tokens,
    budgets,
    prices,
    audit,
    settings,
  ]),
])

export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch: parseSearchText,
    stringifySearch: toSearchText,
    scrollRestoration: true,
    defaultHashScrollIntoView: { block: 'nearest' },
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: ErrorPage,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: ReturnType<typeof createConsoleRouter>
  }
}
