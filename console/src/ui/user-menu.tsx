// Who has signed in, and signing out.

import { Button, Text } from '@mantine/core'
import { Dropdown, DropdownItem } from './dropdown.tsx'
import { SettingsIcon, SignOutIcon, UserIcon } from './icons.tsx'

export interface UserMenuProps {
  readonly userName: string
  readonly userEmail: string
  /** For people: `Administrator`. */
  readonly userRole: string
  readonly accountHref: string
  readonly onSignOut: () => void
}

export function UserMenu({ userName, userEmail, userRole, accountHref, onSignOut }: UserMenuProps) {
  return (
    <Dropdown
      button={(opens) => (
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          px="xs"
          aria-label={`Account: ${userName}`}
          title={`Account: ${userName}`}
          leftSection={<UserIcon />}
          {...opens}
        >
          <span className="wide-only user-name">{userName}</span>
        </Button>
      )}
    >
      <div className="user-who">
        <Text size="sm" fw={600} truncate>
          {userName}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {userEmail}
        </Text>
        <Text size="xs" c="dimmed">
          {userRole}
        </Text>
      </div>
      <hr className="dropdown-line" />
      <DropdownItem href={accountHref} icon={SettingsIcon}>
        Your account
      </DropdownItem>
      <DropdownItem icon={SignOutIcon} onClick={onSignOut}>
        Sign out
      </DropdownItem>
    </Dropdown>
  )
}
