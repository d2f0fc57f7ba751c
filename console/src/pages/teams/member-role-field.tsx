// Chooses whether somebody leads a team or is a member of it.

import { Radio, Stack } from '@mantine/core'
import type { MemberRow } from '../../../../src/api/contract.ts'
import { MEMBER_ROLES } from '../../../../src/core/teams/team.ts'
import { MEMBER_ROLE_NAMES, MEMBER_ROLE_WORDS } from './member-words.ts'

export interface MemberRoleFieldProps {
  readonly value: MemberRow['role']
  readonly onChange: (role: MemberRow['role']) => void
}

export function MemberRoleField({ value: chosen, onChange }: MemberRoleFieldProps) {
  return (
    <Radio.Group
      label="Role in the team"
      value={chosen}
      onChange={(value) => onChange(value === 'lead' ? 'lead' : 'member')}
    >
      <Stack gap="xs" mt="xs">
        {MEMBER_ROLES.toReversed().map((value) => (
          <Radio
            key={value}
            value={value}
            label={MEMBER_ROLE_NAMES[value]}
            description={MEMBER_ROLE_WORDS[value]}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
