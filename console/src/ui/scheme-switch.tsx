// Light, dark, or as the system has it.

import { ActionIcon, useMantineColorScheme } from '@mantine/core'
import type { MantineColorScheme } from '@mantine/core'
import { Dropdown, DropdownItem } from './dropdown.tsx'
import { MoonIcon, SunIcon, SystemIcon } from './icons.tsx'
import type { Icon } from './icons.tsx'

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
