// The part of the tour that is about who may do what: keys, access tokens, users and sessions.

import assert from 'node:assert/strict'
import { ADA, BOB, FULL_KEY, MINUTE_MS, START_MS, toNewSession } from '../settings-scene.ts'
import { PLAIN_TEAM } from './team-store-contract.ts'
import { START } from './settings-tour-step.ts'
import type { TourStep, TourTools } from './settings-tour-step.ts'

export function keySteps({ secrets, idOf, keep }: TourTools): TourStep[] {
  const hide = (made: { key: { id: string; secretHash: string }; credential: string } | null) => {
    assert.ok(made)
    secrets.add(made.key.secretHash).add(made.credential.split('.')[1] ?? '')
    return keep('key', made.key.id)
  }
  const subjectName = FULL_KEY.name
  return [
    {
      change: async ({ keys }) => hide(await keys.create({ ...FULL_KEY, allowedProviders: [] })),
      action: 'key.create',
      subjectName,
      changes: {
        name: { after: FULL_KEY.name },
        team_id: { after: FULL_KEY.teamId },
        owner: { after: FULL_KEY.owner },
        note: { after: FULL_KEY.note },
        cost_center: { after: FULL_KEY.costCenter },
        expires_at: { after: '2026-01-31T12:01:00.000Z' },
        allowed_models: { after: FULL_KEY.allowedModels },
        use_credentials: { after: ['acme'] },
        allow_derived_tokens: { after: true },
        default_dims: { after: FULL_KEY.defaultDims },
        locked_dims: { after: FULL_KEY.lockedDims },
        required_dims: { after: FULL_KEY.requiredDims },
        rate_limit_rpm: { after: 600 },
        max_parallel: { after: 8 },
      },
    },
    {
      change: async ({ keys }) => {
        const change = { expiresAt: null, allowedModels: ['acme/*'], maxParallel: 9 }
        const lists = { allowedProviders: [], useCredentials: [], allowDerivedTokens: false }
        return (await keys.update(idOf('key'), { ...FULL_KEY, ...change, ...lists }))?.id ?? null
      },
      action: 'key.update',
      subjectName,
      changes: {
        expires_at: { before: '2026-01-31T12:01:00.000Z', after: null },
        allowed_models: { before: FULL_KEY.allowedModels, after: ['acme/*'] },
        use_credentials: { before: ['acme'], after: [] },
        allow_derived_tokens: { before: true, after: false },
        max_parallel: { before: 8, after: 9 },
      },
    },
    {
      change: async ({ keys }) => hide(await keys.rotate(idOf('key'))),
      action: 'key.rotate',
      subjectName,
      changes: {},
    },
    {
      change: async ({ keys }) => (await keys.revoke(idOf('key')))?.id ?? null,
      action: 'key.revoke',
      subjectName,
      changes: { revoked_at: { before: null, after: START } },
    },
  ]
}

export function tokenSteps({ secrets, idOf, keep }: TourTools): TourStep[] {
  const settings = {
    name: 'reader',
    scopes: ['read:usage'],
    teamId: null,
    expiresAt: START_MS,
  } as const
  return [
    {
      change: async ({ tokens }) => {
        const { token, credential } = await tokens.create(settings)
        secrets.add(token.secretHash).add(credential.split('.')[1] ?? '')
        return keep('token', token.id)
      },
      action: 'token.create',
      subjectName: 'reader',
      changes: {
        name: { after: 'reader' },
        scopes: { after: ['read:usage'] },
        expires_at: { after: START },
      },
    },
    {
      change: async ({ tokens }) => (await tokens.revoke(idOf('token')))?.id ?? null,
      action: 'token.revoke',
      subjectName: 'reader',
      changes: { revoked_at: { before: null, after: START } },
    },
  ]
}

export function userSteps({ secrets, idOf, keep }: TourTools): TourStep[] {
  secrets.add(ADA.passwordHash ?? '').add('scrypt$new')
  return [
    {
      change: async ({ users }) => keep('ada', (await users.create(ADA)).id),
      action: 'user.create',
      subjectName: ADA.email,
      changes: {
        email: { after: ADA.email },
        name: { after: ADA.name },
        role: { after: 'admin' },
        has_password: { after: true },
      },
    },
    {
      change: async ({ users }) => {
        const { id } = await users.create(BOB)
        const link = await users.createLink(id, MINUTE_MS)
        secrets.add(link?.code ?? '')
        await users.redeemLink(link?.code ?? '', 'scrypt$new')
        const change = { ...BOB, email: 'robert@example.com', isDisabled: true } as const
        const { email, name, role, isDisabled } = change
        return (await users.update(keep('bob', id), { email, name, role, isDisabled }))?.id ?? null
      },
      action: 'user.update',
      subjectName: 'robert@example.com',
      changes: {
        email: { before: BOB.email, after: 'robert@example.com' },
        is_disabled: { before: false, after: true },
      },
    },
    {
      change: async ({ users }) => {
        const link = await users.createLink(idOf('bob'), MINUTE_MS)
        secrets.add(link?.code ?? '')
        return link?.user.id ?? null
      },
      action: 'user.link',
      subjectName: 'robert@example.com',
      changes: { expires_at: { after: '2026-01-31T12:01:00.000Z' } },
    },
    {
      change: async ({ users }) => {
        return (await users.setPassword(idOf('ada'), 'scrypt$new', null))?.id ?? null
      },
      action: 'user.password',
      subjectName: ADA.email,
      changes: {},
    },
    {
      change: async ({ users }) => (await users.remove(idOf('bob')))?.id ?? null,
      action: 'user.delete',
      subjectName: 'robert@example.com',
      changes: {
        email: { before: 'robert@example.com' },
        name: { before: BOB.name },
        role: { before: 'viewer' },
        has_password: { before: true },
        is_disabled: { before: true },
        oidc_issuer: { before: BOB.subject?.issuer },
        oidc_subject: { before: BOB.subject?.subject },
      },
    },
  ]
}

export function teamSteps({ idOf, keep }: TourTools): TourStep[] {
  const join = (role: 'lead' | 'member') => {
    return { teamId: idOf('team'), userId: idOf('ada'), role, source: 'hand' } as const
  }
  const subjectName = 'Ranking'
  return [
    {
      change: async ({ teams }) => keep('team', (await teams.create(PLAIN_TEAM)).id),
      action: 'team.create',
      subjectName: 'Search',
      changes: { name: { after: 'Search' }, slug: { after: 'search' } },
    },
    {
      change: async ({ teams }) => {
        const change = { name: 'Ranking', keyDaysMax: 90, membersSeeTotals: true }
        return (await teams.update(idOf('team'), change))?.id ?? null
      },
      action: 'team.update',
      subjectName,
      changes: {
        name: { before: 'Search', after: 'Ranking' },
        key_days_max: { before: null, after: 90 },
        members_see_totals: { before: false, after: true },
      },
    },
    {
      change: async ({ teams }) => (await teams.join(join('member'))).teamId,
      action: 'team.join',
      subjectName,
      changes: {
        person: { after: ADA.email },
        role: { after: 'member' },
        source: { after: 'hand' },
      },
    },
    {
      change: async ({ teams }) => (await teams.join(join('lead'))).teamId,
      action: 'team.join',
      subjectName,
      changes: { person: { after: ADA.email }, role: { before: 'member', after: 'lead' } },
    },
    {
      change: async ({ teams }) => (await teams.leave(idOf('team'), idOf('ada')))?.teamId ?? null,
      action: 'team.leave',
      subjectName,
      changes: {
        person: { before: ADA.email },
        role: { before: 'lead' },
        source: { before: 'hand' },
      },
    },
    {
      change: async ({ teams }) => (await teams.archive(idOf('team')))?.id ?? null,
      action: 'team.archive',
      subjectName,
      changes: { archived_at: { before: null, after: START } },
    },
    {
      change: async ({ teams }) => (await teams.restore(idOf('team')))?.id ?? null,
      action: 'team.restore',
      subjectName,
      changes: { archived_at: { before: START, after: null } },
    },
  ]
}

export function groupSteps({ idOf, keep }: TourTools): TourStep[] {
  const settings = { name: 'Search', externalId: '7-7', memberIds: [] }
  return [
    {
      change: async ({ groups }) => keep('group', (await groups.create(settings)).id),
      action: 'group.create',
      subjectName: 'Search',
      changes: { name: { after: 'Search' }, external_id: { after: '7-7' }, members: { after: 0 } },
    },
    {
      change: async ({ groups }) => {
        const change = { ...settings, name: 'Ranking', memberIds: [idOf('ada')] }
        return (await groups.update(idOf('group'), change))?.id ?? null
      },
      action: 'group.update',
      subjectName: 'Ranking',
      changes: {
        name: { before: 'Search', after: 'Ranking' },
        members: { before: 0, after: 1 },
      },
    },
    {
      change: async ({ groups }) => (await groups.remove(idOf('group')))?.id ?? null,
      action: 'group.delete',
      subjectName: 'Ranking',
      changes: {
        name: { before: 'Ranking' },
        external_id: { before: '7-7' },
        members: { before: 1 },
      },
    },
  ]
}

export function sessionSteps({ secrets, idOf, keep }: TourTools): TourStep[] {
  return [
    {
      change: async ({ sessions }) => {
        const { session, credential } = await sessions.create(toNewSession({ id: idOf('ada') }))
        secrets.add(credential.split('.')[1] ?? '')
        return keep('session', session.id)
      },
      action: 'session.begin',
      subjectName: ADA.email,
      changes: {
        agent: { after: 'Browser/1' },
        address: { after: '10.0.0.7' },
        expires_at: { after: '2026-02-01T12:00:00.000Z' },
      },
    },
    {
      change: async ({ sessions }) => {
        const rotated = await sessions.rotate(idOf('session'))
        secrets.add(rotated?.credential.split('.')[1] ?? '')
        return (await sessions.end(idOf('session'))) ? idOf('session') : null
      },
      action: 'session.end',
      subjectName: ADA.email,
      changes: {},
    },
  ]
}

export function viewSteps({ idOf, keep }: TourTools): TourStep[] {
  const settings = { name: 'By model', page: 'explore', query: 'a=b', isShared: false } as const
  return [
    {
      change: async ({ views }) => keep('view', (await views.create(idOf('ada'), settings)).id),
      action: 'view.create',
      subjectName: 'By model',
      changes: { name: { after: 'By model' }, page: { after: 'explore' }, query: { after: 'a=b' } },
    },
    {
      change: async ({ views }) =>
        (await views.update(idOf('view'), { ...settings, name: 'Models', isShared: true }))?.id ??
        null,
      action: 'view.update',
      subjectName: 'Models',
      changes: {
        name: { before: 'By model', after: 'Models' },
        shared: { before: false, after: true },
      },
    },
    {
      change: async ({ views }) => (await views.remove(idOf('view')))?.id ?? null,
      action: 'view.delete',
      subjectName: 'Models',
      changes: {
        name: { before: 'Models' },
        page: { before: 'explore' },
        query: { before: 'a=b' },
        shared: { before: true },
      },
    },
  ]
}
