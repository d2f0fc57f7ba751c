// A filter of the log with a fixed list of values, of which several can be chosen.

import { MultiSelect } from '@mantine/core'
import type { ReactElement } from 'react'

export interface FilterChoicesProps<Value extends string> {
  readonly label: string
  /** Where none is chosen. */
  readonly none: string
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  /** As the address has it. */
  readonly value: readonly Value[] | undefined
  readonly onChange: (value: readonly Value[] | undefined) => void
}

export function FilterChoices<Value extends string>(
  props: FilterChoicesProps<Value>,
): ReactElement {
  const { label, none, options, value = [], onChange } = props
  const choose = (chosen: readonly string[]): void => {
    const known = options.map((option) => option.value).filter((each) => chosen.includes(each))
    onChange(known.length === 0 ? undefined : known)
  }
  return (
    <MultiSelect
      label={label}
      placeholder={value.length === 0 ? none : ''}
      clearable
      clearButtonProps={{ 'aria-label': `${label}: ${none.toLowerCase()}` }}
      data={[...options]}
      value={[...value]}
      onChange={choose}
    />
  )
}
