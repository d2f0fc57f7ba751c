// The program of a large company, for all tests that look at its pages, and the address of every
// screen that there is. Starting it takes longer than most of them: they share it.

import { atEndOfProcess } from '../by-room/end-of-process.ts'
import { openConsoleScene } from './open-scene.ts'
import type { ConsoleScene } from './open-scene.ts'
import type { Company } from './seed-company.ts'
import { seedLargeCompany } from './seed-large-company.ts'

interface LargeScene {
  readonly scene: ConsoleScene
  readonly company: Company
}

let opening: Promise<LargeScene> | null = null

export function shareLargeCompany(chromium: string): Promise<LargeScene> {
  return (opening ??= open(chromium))
}

async function open(chromium: string): Promise<LargeScene> {
  let company = null as Company | null
  const prepare = async (dataDir: string): Promise<void> => {
    company = await seedLargeCompany(dataDir)
  }
  const scene = await openConsoleScene({ after: atEndOfProcess }, { chromium, prepare })
  return { scene, company: company as Company }
}

/** What people open first. */
export const FIRST_PATHS: readonly string[] = ['/?group_by=dim:team', '/requests', '/keys']

/** Of those who have signed in. */
export function listPaths({ keyId, requestId }: Company): readonly string[] {
  const month = '/explore?range=last_30_days'
  return [
    ...FIRST_PATHS,
    '/?group_by=api_key',
    '/explore',
    `${month}&group_by=dim:team&compare=previous`,
    `${month}&group_by=dim:team&group_by=model`,
    `${month}&group_by=api_key&interval=none&limit=100`,
    '/performance?group_by=model',
    '/performance?group_by=api_key',
    '/requests?sort=cost&range=last_30_days',
    `/requests/${requestId}`,
    '/keys?search=production&order=name',
    `/keys/${keyId}`,
    `/keys/${keyId}?tab=settings`,
    '/tokens',
    '/budgets',
    '/budgets?tab=alerts',
    '/budgets?tab=targets',
    '/prices',
    '/prices?model=openai%2Fgpt-4o',
    '/prices?tab=overrides',
    '/prices?tab=missing',
    '/audit',
    '/settings',
    '/settings?tab=providers',
    '/settings?tab=users',
    '/settings?tab=account',
    '/start',
    '/nowhere',
  ]
}

/** Of those who have not. */
export const ENTRANCES = [
  '/sign-in',
  '/sign-in?error=ended&to=%2Fkeys',
  '/setup?code=x',
  '/welcome?code=x',
]
