// A text filter of the log, with suggestions where there are any.

import { Autocomplete } from '@mantine/core'
import type { ReactElement } from 'react'
import { useTypedText } from '../../ui/forms/use-typed-text.ts'

export interface FilterTextProps {
  readonly label: string
  readonly placeholder?: string
  /** As the address has it. */
  readonly value: string | undefined
  readonly suggestions?: readonly string[]
  readonly isDisabled?: boolean
  readonly onChange: (value: string | undefined) => void
}

export function FilterText(props: FilterTextProps): ReactElement {
  const { label, placeholder, value = '', suggestions = [], isDisabled, onChange } = props
  const { text, type } = useTypedText(value, onChange)
  return (
    <Autocomplete
      label={label}
      {...(placeholder === undefined ? {} : { placeholder })}
      value={text}
      data={[...suggestions]}
      disabled={isDisabled === true}
      maxLength={256}
      onChange={type}
    />
  )
}
