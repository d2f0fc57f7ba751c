// Whether moments are shown in UTC or in the zone of the browser.

import { ActionIcon } from '@mantine/core'
import { Dropdown, DropdownItem } from './dropdown.tsx'
import { ClockIcon } from './icons.tsx'

export interface TimesSwitchProps {
  readonly isLocal: boolean
  /** Of the browser: `Europe/Dublin`. */
  readonly localZone: string
  readonly onChange: (isLocal: boolean) => void
}

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
