// People in a team, in words.

import type { MemberRow } from '../../../../src/api/contract.ts'

export const MEMBER_ROLE_NAMES: Readonly<Record<MemberRow['role'], string>> = {
  lead: 'Lead',
  member: 'Member',
}

export const MEMBER_ROLE_WORDS: Readonly<Record<MemberRow['role'], string>> = {
  lead: 'Sees everything of the team, and manages its keys and its people.',
  member: 'Takes personal keys within the limits of the team, and sees what these spend.',
}

export const MEMBER_SOURCE_NAMES: Readonly<Record<MemberRow['source'], string>> = {
  hand: 'By hand',
  oidc: 'By the identity provider',
  scim: 'By the directory',
}

/** A role to give them, or taking them out. */
export type MemberAction = MemberRow['role'] | 'remove'

interface About {
  readonly email: string
  /** Its name. */
  readonly team: string
}

export function toMemberActionWords(action: MemberAction, { email, team }: About) {
  switch (action) {
    case 'lead':
      return {
        title: `Make ${email} a lead of ${team}?`,
        consequence: MEMBER_ROLE_WORDS.lead,
        action: 'Make lead',
        done: `${email} is now a lead of ${team}.`,
        color: 'river',
      }
    case 'member':
      return {
        title: `Make ${email} a member of ${team}?`,
        consequence: 'They no longer see the keys and calls of others, nor manage the team.',
        action: 'Make member',
        done: `${email} is now a member of ${team}.`,
        color: 'river',
      }
    case 'remove':
      return {
        title: `Remove ${email} from ${team}?`,
        consequence: 'They no longer see anything of the team. Their personal keys stay in it.',
        action: 'Remove',
        done: `${email} is no longer in ${team}.`,
      }
  }
}
