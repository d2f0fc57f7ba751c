// The fields of a key, for creating and for editing it: what it may use, how its calls are tagged,
// and its limits.

import { Group, MultiSelect, Stack, TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { KEY_FIELD_NAMES } from './key-draft.ts'
import type { KeyDraft, KeyField } from './key-draft.ts'
import type { KeyFaults } from './key-faults.ts'
import { infoQuery } from '../../data/service.ts'
import { ExpiryField } from './expiry-field.tsx'
import { PatternHelp } from './pattern-help.tsx'

export interface KeyFieldsProps {
  readonly draft: KeyDraft
  readonly onChange: (change: Partial<KeyDraft>) => void
  readonly faults: KeyFaults
  readonly isReadOnly?: boolean
}

/** Which models, by which providers. */
export function PolicyFields({ draft, onChange, faults, isReadOnly = false }: KeyFieldsProps) {
  const { data: info } = useQuery(infoQuery)
  // One that is no longer configured stays visible, so that it can be removed.
  const providers = new Set([...(info?.providers ?? []), ...draft.allowed_providers])
  return (
    <Stack gap="md">
      <div>
        <TagsInput
          label={KEY_FIELD_NAMES.allowed_models}
          description="Patterns, each followed by Enter. Empty: all models."
          placeholder={toPlaceholder(
            draft.allowed_models,
            isReadOnly ? 'All models' : 'openai/gpt-4o*',
          )}
          value={[...draft.allowed_models]}
          onChange={(value) => onChange({ allowed_models: value })}
          acceptValueOnBlur
          disabled={isReadOnly}
          error={faults.allowed_models}
          clearButtonProps={{ 'aria-label': 'Remove all patterns' }}
        />
        <PatternHelp />
      </div>
      <MultiSelect
        label={KEY_FIELD_NAMES.allowed_providers}
        description="Empty: all providers."
        placeholder={toPlaceholder(draft.allowed_providers, 'All providers')}
        data={[...providers]}
        value={[...draft.allowed_providers]}
        onChange={(value) => onChange({ allowed_providers: value })}
        searchable
        hidePickedOptions
        disabled={isReadOnly}
        error={faults.allowed_providers}
      />
    </Stack>
  )
}

/** An example, or the default; empty where a value is set. */
function toPlaceholder(value: readonly string[], text: string): string {
  return value.length === 0 ? text : ''
}

const DIM_FIELDS: readonly {
  readonly field: Extract<KeyField, 'default_dims' | 'locked_dims' | 'required_dims'>
  readonly description: string
  readonly placeholder: string
}[] = [
  {
    field: 'default_dims',
    description: 'Used where a call does not set them.',
    placeholder: 'env=production',
  },
  {
    field: 'locked_dims',
    description: 'Override what a call sends.',
    placeholder: 'team=search',
  },
  {
    field: 'required_dims',
    description: 'A call without one of them is refused.',
    placeholder: 'app',
  },
]

/** How its calls are tagged. */
export function DimFields({ draft, onChange, faults, isReadOnly = false }: KeyFieldsProps) {
  return (
    <Stack gap="md">
      {DIM_FIELDS.map(({ field, description, placeholder }) => (
        <TagsInput
          key={field}
          label={KEY_FIELD_NAMES[field]}
          description={description}
          placeholder={toPlaceholder(draft[field], isReadOnly ? 'None' : placeholder)}
          // A value may contain a comma.
          splitChars={field === 'required_dims' ? [',', ' '] : []}
          value={[...draft[field]]}
          onChange={(value) => onChange({ [field]: value })}
          acceptValueOnBlur
          disabled={isReadOnly}
          error={faults[field]}
        />
      ))}
    </Stack>
  )
}

/** How much, and for how long. */
export function LimitFields({ draft, onChange, faults, isReadOnly = false }: KeyFieldsProps) {
  return (
    <Stack gap="md">
      <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
        {(['rate_limit_rpm', 'max_parallel'] as const).map((field) => (
          <TextInput
            key={field}
            label={KEY_FIELD_NAMES[field]}
            placeholder="No limit"
            inputMode="numeric"
            autoComplete="off"
            value={draft[field]}
            onChange={(event) => onChange({ [field]: event.currentTarget.value })}
            disabled={isReadOnly}
            error={faults[field]}
          />
        ))}
      </Group>
      <ExpiryField
        value={draft.expires_at}
        onChange={(value) => onChange({ expires_at: value })}
        error={faults.expires_at}
        isReadOnly={isReadOnly}
      />
    </Stack>
  )
}
