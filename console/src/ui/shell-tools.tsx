// At the right of the header: who has signed in, how times are shown, and light or dark.

import { ActionIcon, Button, Text, useMantineColorScheme } from '@mantine/core'
import { Dropdown, DropdownItem } from './dropdown.tsx'
import {
  ClockIcon,
  MoonIcon,
  SettingsIcon,
  SignOutIcon,
  SunIcon,
  SystemIcon,
  UserIcon,
} from './icons.tsx'
import type { MantineColorScheme } from '@mantine/core'
import type { Icon } from './icons.tsx'

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

export interface TimesSwitchProps {
  readonly isLocal: boolean
  /** Of the browser: `Europe/Dublin`. */
  readonly localZone: string
  readonly onChange: (isLocal: boolean) => void
}

/** Whether moments are shown in UTC or in the zone of the browser. */
export function TimesSwitch({ isLocal, localZone, onChange }: TimesSwitchProps) {
  const name = `Times: ${isLocal ? localZone : 'UTC'}`
  return (
    <Dropdown
      button={(opens) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={name}
          title={name}
          {...opens}
        >
          <ClockIcon />
        </ActionIcon>
      )}
    >
      <DropdownItem isChosen={!isLocal} onClick={() => onChange(false)}>
        Times in UTC
      </DropdownItem>
      <DropdownItem isChosen={isLocal} onClick={() => onChange(true)}>
        Times in {localZone}
      </DropdownItem>
      <p className="dropdown-note">Sums are of UTC days and months either way.</p>
    </Dropdown>
  )
}

interface Scheme {
  readonly id: MantineColorScheme
  readonly label: string
  readonly icon: Icon
}

const SYSTEM: Scheme = { id: 'auto', label: 'System', icon: SystemIcon }
const SCHEMES: readonly Scheme[] = [
  { id: 'light', label: 'Light', icon: SunIcon },
  { id: 'dark', label: 'Dark', icon: MoonIcon },
  SYSTEM,
]

/** Light, dark, or as the system has it. */
export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { icon: Now, label } = SCHEMES.find(({ id }) => id === colorScheme) ?? SYSTEM
  return (
    <Dropdown
      button={(opens) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Theme: ${label}`}
          title={`Theme: ${label}`}
          {...opens}
        >
          <Now />
        </ActionIcon>
      )}
    >
      {SCHEMES.map(({ id, label: name, icon }) => (
        <DropdownItem
          key={id}
          icon={icon}
          isChosen={id === colorScheme}
          onClick={() => setColorScheme(id)}
        >
          {name}
        </DropdownItem>
      ))}
    </Dropdown>
  )
}
