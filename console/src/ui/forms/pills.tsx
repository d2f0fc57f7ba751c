// A choice of one among a few, all of them visible. They are radio buttons to the keyboard and to a
// screen reader, and what cannot be chosen says why.

import { useId } from 'react'

export interface PillOption<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly isDisabled?: boolean
}

export interface PillsProps<Value extends string> {
  readonly label: string
  readonly options: readonly PillOption<Value>[]
  /** Undefined where none is chosen. */
  readonly value: Value | undefined
  readonly onChoose: (value: Value) => void
  /** Why some of them cannot be chosen. */
  readonly note?: string | null
}

export function Pills<Value extends string>(props: PillsProps<Value>) {
  const { label, options, value, onChoose, note = null } = props
  const id = useId()
  return (
    <fieldset className="pills" aria-describedby={note === null ? undefined : id}>
      <legend>{label}</legend>
      <div className="pills-row">
        {options.map((option) => (
          <label
            key={option.value}
            className="pill"
            title={option.isDisabled === true ? (note ?? undefined) : undefined}
          >
            <input
              type="radio"
              name={label}
              value={option.value}
              checked={option.value === value}
              disabled={option.isDisabled === true}
              onChange={() => onChoose(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
      {note !== null && (
        <p className="pills-note" id={id}>
          {note}
        </p>
      )}
    </fieldset>
  )
}
