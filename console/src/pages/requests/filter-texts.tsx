// A filter of the log with free values, several of them: each is ended by Enter, or by leaving the
// field.

import { TagsInput } from '@mantine/core'
import type { ReactElement } from 'react'

export interface FilterTextsProps {
  readonly label: string
  /** Where there is none. */
  readonly placeholder: string
  /** As the address has it. */
  readonly value: readonly string[] | undefined
  readonly isDisabled?: boolean
  readonly onChange: (value: readonly string[] | undefined) => void
}

/** As many as the API takes. */
const VALUES_MAX = 50

export function FilterTexts(props: FilterTextsProps): ReactElement {
  const { label, placeholder, value = [], isDisabled = false, onChange } = props
  return (
    <TagsInput
      label={label}
      placeholder={value.length === 0 ? placeholder : ''}
      value={[...value]}
      clearable
      clearButtonProps={{ 'aria-label': `${label}: any` }}
      disabled={isDisabled}
      maxTags={VALUES_MAX}
      // A value may have commas.
      splitChars={[]}
      maxLength={256}
      onChange={(texts) => onChange(texts.length === 0 ? undefined : texts)}
    />
  )
}
