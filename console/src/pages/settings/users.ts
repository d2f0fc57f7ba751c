// The people who may sign in, and what an administrator can do about them. The code of a one-time
// link is only in the answer of the mutation that made it, never in the cache.

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type {
  NewUserBody,
  UserChangeBody,
  UserLinkAnswer,
  UserList,
  UserRow,
} from '../../../../src/api/contract.ts'
import { ask } from '../../data/api-client.ts'
import { SESSION_KEY } from '../../data/query-client.ts'

const USERS_KEY = ['users'] as const

export const usersQuery = queryOptions({
  queryKey: USERS_KEY,
  queryFn: ({ signal }) => ask<UserList>('/v1/users', { signal }),
})

export const useInviteUser = () =>
  useUserChange((body: NewUserBody) => ask<UserLinkAnswer>('/v1/users', { method: 'POST', body }))

export const useRenewLink = () =>
  useUserChange((id: string) => ask<UserLinkAnswer>(`${toUserPath(id)}/link`, { method: 'POST' }))

/** At the version that its editor saw; the same below. */
export interface UserChangeRequest {
  readonly id: string
  readonly version: number
  readonly change: UserChangeBody
}

export const useChangeUser = () =>
  useUserChange(({ id, version, change }: UserChangeRequest) =>
    ask<UserRow>(toUserPath(id), { method: 'PATCH', body: change, version }),
  )

export const useRemoveUser = () =>
  useUserChange(({ id, version }: Pick<UserChangeRequest, 'id' | 'version'>) =>
    ask<UserRow>(toUserPath(id), { method: 'DELETE', version }),
  )

function toUserPath(id: string): string {
  return `/v1/users/${encodeURIComponent(id)}`
}

function useUserChange<Body, Answer>(change: (body: Body) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    gcTime: 0,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: USERS_KEY })
      // A user may have changed their own role.
      await client.invalidateQueries({ queryKey: SESSION_KEY })
    },
  })
}

/** Each asks for confirmation first. */
export type UserAction = 'make-admin' | 'make-viewer' | 'disable' | 'enable' | 'link' | 'remove'

export interface UserActionWords {
  readonly title: string
  readonly consequence: string
  readonly action: string
  /** Shown when it is done; null where the answer itself is shown. */
  readonly done: string | null
  readonly isDestructive: boolean
}

export function toUserActions(user: Pick<UserRow, 'role' | 'is_disabled'>): readonly UserAction[] {
  const role = user.role === 'admin' ? 'make-viewer' : 'make-admin'
  return [role, 'link', user.is_disabled ? 'enable' : 'disable', 'remove']
}

export const USER_ACTION_NAMES: Readonly<Record<UserAction, string>> = {
  'make-admin': 'Make administrator',
  'make-viewer': 'Make viewer',
  disable: 'Disable',
  enable: 'Enable',
  link: 'New sign-in link',
  remove: 'Remove',
}

export function toUserActionWords(action: UserAction, email: string): UserActionWords {
  switch (action) {
    case 'make-admin':
      return {
        title: `Make ${email} an administrator?`,
        consequence:
          'They will be able to change everything: keys, tokens, budgets, prices and users.',
        action: 'Make administrator',
        done: `${email} is now an administrator.`,
        isDestructive: false,
      }
    case 'make-viewer':
      return {
        title: `Make ${email} a viewer?`,
        consequence: 'They will be able to view figures, calls and keys, but change nothing.',
        action: 'Make viewer',
        done: `${email} is now a viewer.`,
        isDestructive: false,
      }
    case 'disable':
      return {
        title: `Disable ${email}?`,
        consequence: 'They are signed out everywhere and cannot sign in until they are enabled.',
        action: 'Disable',
        done: `${email} is disabled.`,
        isDestructive: true,
      }
    case 'enable':
      return {
        title: `Enable ${email}?`,
        consequence: 'They can sign in again as before.',
        action: 'Enable',
        done: `${email} can sign in again.`,
        isDestructive: false,
      }
    case 'link':
      return {
        title: `A new sign-in link for ${email}`,
        consequence:
          'Anyone who opens the link can set a new password for them. Earlier links stop working.',
        action: 'Create link',
        done: null,
        isDestructive: false,
      }
    case 'remove':
      return {
        title: `Remove ${email}?`,
        consequence:
          'They are signed out everywhere and their account is deleted. Their changes stay in the audit log.',
        action: 'Remove',
        done: `${email} was removed.`,
        isDestructive: true,
      }
  }
}
