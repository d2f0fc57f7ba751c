// The fields of a key, the same where it is made and where it is changed: what it may use, how its calls are tagged, and
// its limits. Each group stands by itself; what a field means is said beside it.

import { Group, MultiSelect, NumberInput, Stack, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { KEY_FIELD_NAMES } from './key-draft.ts'
import type { KeyDraft, KeyFaults, KeyField } from './key-draft.ts'
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
  // One that is not configured any more stays to be seen, and to be taken off.
  const providers = new Set([...(info?.providers ?? []), ...draft.allowed_providers])
  return (
    <Stack gap="md">
      <div>
        <TagsInput
          label={KEY_FIELD_NAMES.allowed_models}
          description="Patterns, each followed by Enter. None: every model."
          placeholder={toPlaceholder(
            draft.allowed_models,
            isReadOnly ? 'Every model' : 'openai/gpt-4o*',
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
        description="None: every provider."
        placeholder={toPlaceholder(draft.allowed_providers, 'Every provider')}
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

/** An example, or what holds where nothing is said; nothing where something is. */
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
    description: 'Apply where a call does not name them itself.',
    placeholder: 'env=production',
  },
  {
    field: 'locked_dims',
    description: 'Win over what a call says.',
    placeholder: 'team=search',
  },
  {
    field: 'required_dims',
    description: 'A call that lacks one of them is refused.',
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
          // A value may hold a comma.
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
          <NumberInput
            key={field}
            label={KEY_FIELD_NAMES[field]}
            placeholder="No limit"
            min={1}
            allowDecimal={false}
            allowNegative={false}
            thousandSeparator=","
            hideControls
            value={draft[field] ?? ''}
            onChange={(value) => onChange({ [field]: value === '' ? null : Number(value) })}
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
