// When a key or a token expires: after a span, or on a day.

import { Group, Select, TextInput } from '@mantine/core'
import { EXPIRY_CHOICES, EXPIRY_NAMES } from '../../data/expiry.ts'
import type { Expiry, ExpiryChoice } from '../../data/expiry.ts'

export interface ExpiryFieldProps {
  readonly value: Expiry
  readonly onChange: (value: Expiry) => void
  readonly error?: string | undefined
  readonly isReadOnly?: boolean
}

const OPTIONS = EXPIRY_CHOICES.map((value) => ({ value, label: EXPIRY_NAMES[value] }))

export function ExpiryField({ value, onChange, error, isReadOnly = false }: ExpiryFieldProps) {
  const isDay = value.choice === 'day'
  return (
    <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
      <Select
        label="Expires"
        data={OPTIONS}
        value={value.choice}
        allowDeselect={false}
        disabled={isReadOnly}
        error={isDay ? undefined : error}
        onChange={(choice) => {
          if (choice !== null) onChange({ ...value, choice: choice as ExpiryChoice })
        }}
      />
      {isDay && (
        <TextInput
          type="date"
          label="Last day (UTC)"
          value={value.day}
          disabled={isReadOnly}
          error={error}
          onChange={(event) => onChange({ ...value, day: event.currentTarget.value })}
        />
      )}
    </Group>
  )
}
