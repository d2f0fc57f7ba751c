// The inputs of a noun's fields, one below the other, from its declaration.

import { Switch, TagsInput, TextInput } from '@mantine/core'
import type { Field, Fields, NameOf } from '../../../../src/resources/field.ts'
import type { DraftOf, Drafts } from '../../data/forms/field-draft.ts'
import type { Expiry } from '../../data/expiry.ts'
import { labelOf } from '../../data/forms/field-form.ts'
import type { FaultsOf } from '../../data/forms/field-form.ts'
import { ExpiryField } from './expiry-field.tsx'
import { Pills } from './pills.tsx'

export interface FormProps<Of extends Fields> {
  readonly draft: DraftOf<Of>
  readonly onChange: (change: Partial<DraftOf<Of>>) => void
  readonly faults: FaultsOf<Of>
  readonly isReadOnly?: boolean
}

export interface FieldInputsProps<Of extends Fields> extends FormProps<Of> {
  readonly fields: Of
  readonly names: readonly NameOf<Of>[]
}

export function FieldInputs<const Of extends Fields>(props: FieldInputsProps<Of>) {
  const { fields, names, draft, onChange, faults, isReadOnly = false } = props
  return names.map((name) => (
    <FieldInput
      key={name}
      field={fields[name] as Field}
      value={draft[name]}
      onChange={(value) => onChange({ [name]: value } as Partial<DraftOf<Of>>)}
      error={faults[name]}
      isReadOnly={isReadOnly}
    />
  ))
}

interface FieldInputProps {
  readonly field: Field
  /** Of the field's kind. */
  readonly value: Drafts[Field['kind']]
  readonly onChange: (value: Drafts[Field['kind']]) => void
  readonly error: string | undefined
  readonly isReadOnly: boolean
}

const OWN_PROPS = {
  name: { 'data-autofocus': true },
  word: {},
  text: {},
  limit: { inputMode: 'numeric' },
  usd: { inputMode: 'decimal', leftSection: '$', w: '11rem' },
} as const

function FieldInput({ field, value, onChange, error, isReadOnly }: FieldInputProps) {
  const { form = {} } = field
  const label = labelOf(field)
  const shared = { label, description: form.help, disabled: isReadOnly, error }
  switch (field.kind) {
    case 'name':
    case 'word':
    case 'text':
    case 'limit':
    case 'usd':
      return (
        <TextInput
          {...shared}
          {...OWN_PROPS[field.kind]}
          required={field.isRequired === true}
          withAsterisk={false}
          placeholder={isReadOnly && field.kind === 'text' ? 'None' : form.placeholder}
          autoComplete="off"
          value={value as string}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'list':
    case 'dims':
    case 'choices':
    case 'percents':
      return <EntriesInput {...{ field, value, onChange, error, isReadOnly }} />
    case 'choice':
      return (
        <Pills
          label={label}
          options={field.choices.map((each) => ({
            value: each,
            label: field.names?.[each] ?? each,
          }))}
          value={value as string}
          onChoose={onChange}
        />
      )
    case 'scope':
      // Its parts are chosen from what there is: pages/budgets/scope-fields.tsx.
      return null
    case 'flag':
      return (
        <Switch
          {...shared}
          checked={value as boolean}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      )
    case 'expiry':
      return (
        <ExpiryField
          value={value as Expiry}
          onChange={onChange}
          error={error}
          isReadOnly={isReadOnly}
        />
      )
  }
}

function EntriesInput({ field, value, onChange, error, isReadOnly }: FieldInputProps) {
  const { form = {} } = field
  const entries = value as readonly string[]
  const hint = isReadOnly ? 'None' : form.placeholder
  return (
    <TagsInput
      label={labelOf(field)}
      description={form.help}
      disabled={isReadOnly}
      error={error}
      placeholder={entries.length === 0 ? hint : ''}
      // A dimension's value may contain a comma.
      splitChars={field.kind === 'dims' ? [] : [',', ' ', ';']}
      clearButtonProps={{ 'aria-label': `Remove all ${field.label.toLowerCase()}` }}
      value={[...entries]}
      onChange={onChange}
      acceptValueOnBlur
    />
  )
}
