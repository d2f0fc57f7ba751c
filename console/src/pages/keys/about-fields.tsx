// What people should know of a key: its name, whom to ask about it, and a note.

import { TextInput } from '@mantine/core'
import type { KeyFieldsProps } from './key-fields.tsx'
import { KEY_FIELD_NAMES } from './key-draft.ts'
import { SameName } from './same-name.tsx'

const ABOUT = [
  {
    field: 'owner',
    description: 'Whom to ask about it.',
    placeholder: 'ada@example.com',
  },
  {
    field: 'note',
    description: 'What they should know.',
    placeholder: 'The ranking job, every night.',
  },
] as const

export interface AboutFieldsProps extends KeyFieldsProps {
  /** The key itself, where it exists. */
  readonly keyId?: string
}

export function AboutFields(props: AboutFieldsProps) {
  const { draft, onChange, faults, isReadOnly = false, keyId } = props
  return (
    <>
      <TextInput
        label={KEY_FIELD_NAMES.name}
        description="Who or what calls with it."
        placeholder="search-backend"
        autoComplete="off"
        data-autofocus
        required
        withAsterisk={false}
        value={draft.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        disabled={isReadOnly}
        error={faults.name}
      />
      {!isReadOnly && <SameName name={draft.name} {...(keyId !== undefined && { keyId })} />}
      {ABOUT.map(({ field, description, placeholder }) => (
        <TextInput
          key={field}
          label={KEY_FIELD_NAMES[field]}
          description={description}
          placeholder={isReadOnly ? 'None' : placeholder}
          autoComplete="off"
          value={draft[field]}
          onChange={(event) => onChange({ [field]: event.currentTarget.value })}
          disabled={isReadOnly}
          error={faults[field]}
        />
      ))}
    </>
  )
}
