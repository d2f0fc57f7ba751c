// The people who may sign in, and what an administrator can do about them. The code of a one-time
// link is only in the answer of the mutation that made it, never in the cache.

import type {
  NewUserBody,
  UserChangeBody,
  UserLinkAnswer,
  UserRow,
} from '../../../../src/api/contract.ts'
import { ask, toOne } from '../../data/api-client.ts'
import { useChange } from '../../data/queries.ts'
import { SESSION_KEY, USERS_KEY } from '../../data/query-client.ts'

const USERS = '/v1/users'

export const useInviteUser = () =>
  useUserChange((body: NewUserBody) => ask<UserLinkAnswer>(USERS, { method: 'POST', body }))

export const useRenewLink = () =>
  useUserChange((id: string) => ask<UserLinkAnswer>(toOne(USERS, id, 'link'), { method: 'POST' }))

/** At the version that its editor saw; the same below. */
interface UserChangeRequest {
  readonly id: string
  readonly version: number
  readonly change: UserChangeBody
}

export const useChangeUser = () =>
  useUserChange(({ id, version, change }: UserChangeRequest) =>
    ask<UserRow>(toOne(USERS, id), { method: 'PATCH', body: change, version }),
  )

export const useRemoveUser = () =>
  useUserChange(({ id, version }: Pick<UserChangeRequest, 'id' | 'version'>) =>
    ask<UserRow>(toOne(USERS, id), { method: 'DELETE', version }),
  )

/** A user may have changed their own role. */
function useUserChange<Change, Answer>(change: (change: Change) => Promise<Answer>) {
  return useChange(change, USERS_KEY, SESSION_KEY)
}

/** Each asks for confirmation first. */
export type UserAction = 'disable' | 'enable' | 'link' | 'remove'

/** What each role of the company may do, in a sentence. */
export const ROLE_WORDS: Readonly<Record<UserRow['role'], string>> = {
  admin: 'Can change everything.',
  finance: 'Can view everything, and change prices and budgets.',
  viewer: 'Can view figures, calls and keys. Cannot change anything.',
  none: 'Sees and does only what the teams they are in allow.',
}

interface UserActionWords {
  readonly title: string
  readonly consequence: string
  readonly action: string
  /** Said when it is done; null where the answer itself is shown. */
  readonly done: string | null
  /** Of the button that does it, where that is not hard to undo. */
  readonly color?: string
}

export function toUserActions(user: Pick<UserRow, 'is_disabled'>): readonly UserAction[] {
  return ['link', user.is_disabled ? 'enable' : 'disable', 'remove']
}

export const USER_ACTION_NAMES: Readonly<Record<UserAction, string>> = {
  disable: 'Disable',
  enable: 'Enable',
  link: 'New sign-in link',
  remove: 'Remove',
}

const HARMLESS = { color: 'river' }

export function toUserActionWords(userAction: UserAction, email: string): UserActionWords {
  const action = USER_ACTION_NAMES[userAction]
  switch (userAction) {
    case 'disable':
      return {
        title: `Disable ${email}?`,
        consequence: 'They are signed out everywhere and cannot sign in until they are enabled.',
        action,
        done: `${email} is disabled.`,
      }
    case 'enable':
      return {
        title: `Enable ${email}?`,
        consequence: 'They can sign in again as before.',
        action,
        done: `${email} can sign in again.`,
        ...HARMLESS,
      }
    case 'link':
      return {
        title: `A new sign-in link for ${email}`,
        consequence:
          'Anyone who opens the link can set a new password for them. Earlier links stop working.',
        action: 'Create link',
        done: null,
        ...HARMLESS,
      }
    case 'remove':
      return {
        title: `Remove ${email}?`,
        consequence:
          'They are signed out everywhere and their account is deleted. Their changes stay in the audit log.',
        action,
        done: `${email} was removed.`,
      }
  }
}
