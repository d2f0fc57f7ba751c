// What can be done about a user, behind one button.

import { Button } from '@mantine/core'
import type { ReactElement } from 'react'
import type { UserRow } from '../../../../src/api/contract.ts'
import { DEED_NAMES, toDeeds } from './users.ts'
import type { UserDeed } from './users.ts'
import { Dropdown, DropdownItem } from '../../ui/dropdown.tsx'

export interface UserMenuProps {
  readonly user: UserRow
  readonly onChoose: (deed: UserDeed) => void
}

export function UserMenu({ user, onChoose }: UserMenuProps): ReactElement {
  return (
    <Dropdown
      button={(opens) => (
        <Button size="xs" variant="default" aria-label={`Manage ${user.email}`} {...opens}>
          Manage
        </Button>
      )}
    >
      {toDeeds(user).map((deed) => (
        <DropdownItem key={deed} isDanger={deed === 'remove'} onClick={() => onChoose(deed)}>
          {DEED_NAMES[deed]}
        </DropdownItem>
      ))}
    </Dropdown>
  )
}
