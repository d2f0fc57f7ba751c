// The map: every screen of the console and its address.

import type { ComponentType } from 'react'
import { HomePage } from './pages/home-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { SetupPage } from './pages/setup-page.tsx'

const ROUTES: Readonly<Record<string, ComponentType>> = {
  '/': HomePage,
  '/setup': SetupPage,
}

export function Routes() {
  const { pathname } = window.location
  const Page = Object.hasOwn(ROUTES, pathname) ? ROUTES[pathname] : undefined
  return Page === undefined ? <NotFoundPage /> : <Page />
}
