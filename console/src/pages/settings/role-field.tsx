// The role of a user in the whole company, each with what it may do.

import { Radio, Stack } from '@mantine/core'
import type { UserRow } from '../../../../src/api/contract.ts'
import { USER_ROLES } from '../../../../src/core/user.ts'
import { USER_FIELDS } from '../../../../src/resources/user.ts'
import { ROLE_WORDS } from './users.ts'

type Role = UserRow['role']

export interface RoleFieldProps {
  readonly value: Role
  readonly onChange: (role: Role) => void
}

export function RoleField({ value, onChange }: RoleFieldProps) {
  const { label, names } = USER_FIELDS.role
  const choose = (chosen: string): void =>
    onChange(USER_ROLES.find((each) => each === chosen) ?? value)
  return (
    <Radio.Group label={label} value={value} onChange={choose}>
      <Stack gap="xs" mt="xs">
        {USER_ROLES.toReversed().map((role) => (
          <Radio key={role} value={role} label={names[role]} description={ROLE_WORDS[role]} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
