// The inputs of the log's filters. Each follows the address.

import { Autocomplete, MultiSelect, TagsInput } from '@mantine/core'
import type { ReactElement } from 'react'
import { useTypedText } from '../../ui/forms/search-field.tsx'

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

export interface FilterTextProps {
  readonly label: string
  readonly placeholder?: string
  /** As the address has it. */
  readonly value: string | undefined
  readonly suggestions?: readonly string[]
  readonly isDisabled?: boolean
  readonly onChange: (value: string | undefined) => void
}

/** A text, with suggestions where there are any. */
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

/** Free values, several of them: each is ended by Enter, or by leaving the field. */
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
