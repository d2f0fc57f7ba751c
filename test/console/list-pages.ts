// The address of every screen that there is. Must stay true: a screen that is added has a line
// here, which layout.test.ts asks for.

import type { Company } from './seed-company.ts'

/** What people open first. */
export const FIRST_PATHS: readonly string[] = ['/?group_by=dim:team', '/requests', '/keys']

/** Of those who have signed in. */
export function listPaths({ keyId, teamId, requestId }: Company): readonly string[] {
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
    '/teams',
    `/teams/${teamId}`,
    `/teams/${teamId}?tab=keys`,
    `/teams/${teamId}?tab=people`,
    `/teams/${teamId}?tab=asks`,
    `/teams/${teamId}?tab=budgets`,
    `/teams/${teamId}?tab=settings`,
    '/my-keys',
    '/tokens',
    '/budgets',
    '/budgets?tab=nearest',
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
    '/device',
    '/device?user_code=WDJB-MJHT',
    '/nowhere',
  ]
}

/** What opens on a screen: by the names of what is pressed, one after the other. */
export function listOpened({
  keyId,
  teamId,
}: Company): readonly (readonly [string, ...string[]])[] {
  return [
    ['/keys', 'Create a key', 'Models and providers', 'Limits and expiry', 'Budget'],
    [`/keys/${keyId}`, 'Rotate'],
    ['/teams', 'Create a team'],
    [`/teams/${teamId}?tab=people`, 'Add someone'],
    ['/budgets', 'Create a budget'],
    ['/requests', 'Export a month'],
    ['/requests', 'Export these calls'],
    ['/tokens', 'Create a token'],
    ['/prices', 'Set a price'],
    ['/settings?tab=users', 'Invite a user'],
    ['/explore', 'Views'],
    ['/explore', 'CSV'],
  ]
}

/** Of those who have not. */
export const ENTRANCES = [
  '/sign-in',
  '/sign-in?error=ended&to=%2Fkeys',
  '/setup?code=x',
  '/welcome?code=x',
]
