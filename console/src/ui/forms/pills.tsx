// A choice of one among a few, all of them visible. They are radio buttons to the keyboard and to a
// screen reader.

import { Group } from '@mantine/core'

export interface PillOption<Value extends string> {
  readonly value: Value
  readonly label: string
}

export interface PillsProps<Value extends string> {
  readonly label: string
  readonly options: readonly PillOption<Value>[]
  /** Undefined where none is chosen. */
  readonly value: Value | undefined
  readonly onChoose: (value: Value) => void
}

export function Pills<Value extends string>(props: PillsProps<Value>) {
  const { label, options, value, onChoose } = props
  return (
    <fieldset className="pills">
      <legend>{label}</legend>
      <Group gap="xs">
        {options.map((option) => (
          <label key={option.value} className="pill">
            <input
              type="radio"
              name={label}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChoose(option.value)}
            />
            {option.label}
          </label>
        ))}
      </Group>
    </fieldset>
  )
}
