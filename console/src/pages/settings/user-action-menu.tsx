// The actions on a user, behind one button.

import { Button } from '@mantine/core'
import type { ReactElement } from 'react'
import type { UserRow } from '../../../../src/api/contract.ts'
import { USER_ACTION_NAMES, toUserActions } from './users.ts'
import type { UserAction } from './users.ts'
import { Dropdown, DropdownItem } from '../../ui/dropdown.tsx'

export interface UserActionMenuProps {
  readonly user: UserRow
  readonly onChoose: (action: UserAction) => void
}

export function UserActionMenu({ user, onChoose }: UserActionMenuProps): ReactElement {
  return (
    <Dropdown
      button={(opens) => (
        <Button size="xs" variant="default" aria-label={`Manage ${user.email}`} {...opens}>
          Manage
        </Button>
      )}
    >
      {toUserActions(user).map((action) => (
        <DropdownItem key={action} isDanger={action === 'remove'} onClick={() => onChoose(action)}>
          {USER_ACTION_NAMES[action]}
        </DropdownItem>
      ))}
    </Dropdown>
  )
}
