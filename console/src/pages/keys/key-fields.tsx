// The fields of a key, for creating and for editing it: what people should know of it, what it may
// use, how its calls are tagged, and its limits.

import { Group, MultiSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { namesOfKind } from '../../../../src/resources/field.ts'
import { KEY_FIELDS } from '../../../../src/resources/key.ts'
import { infoQuery } from '../../data/service.ts'
import { FieldInputs } from '../../ui/forms/field-inputs.tsx'
import type { FormProps } from '../../ui/forms/field-inputs.tsx'
import { ModelsField } from './models-field.tsx'
import type { ModelsFieldProps } from './models-field.tsx'
import { OwnerFields } from './owner-fields.tsx'
import { SameName } from './same-name.tsx'

export type KeyFieldsProps = FormProps<typeof KEY_FIELDS>

export interface AboutFieldsProps extends KeyFieldsProps {
  /** The key itself, where it exists. */
  readonly keyId?: string
}

/** Its name, whose it is, whom to ask about it, and what else is for people. */
export function AboutFields({ keyId, ...form }: AboutFieldsProps) {
  return (
    <>
      <FieldInputs fields={KEY_FIELDS} names={['name']} {...form} />
      {form.isReadOnly !== true && (
        <SameName name={form.draft.name} {...(keyId !== undefined && { keyId })} />
      )}
      <OwnerFields {...form} />
      <FieldInputs fields={KEY_FIELDS} names={['owner', 'note', 'cost_center']} {...form} />
    </>
  )
}

/** Which models, by which providers. A team has the same for its keys. */
export function PolicyFields({ draft, onChange, faults, isReadOnly = false }: ModelsFieldProps) {
  const { data: info } = useQuery(infoQuery)
  const { allowed_providers: providers } = KEY_FIELDS
  // One that is no longer configured stays visible, so that it can be removed.
  const known = new Set([...(info?.providers ?? []), ...draft.allowed_providers])
  return (
    <Stack gap="md">
      <ModelsField draft={draft} onChange={onChange} faults={faults} isReadOnly={isReadOnly} />
      <MultiSelect
        label={providers.label}
        description={providers.form.help}
        placeholder={toPlaceholder(draft.allowed_providers, providers.form.placeholder)}
        data={[...known]}
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

/** How its calls are tagged. */
export function DimFields(form: KeyFieldsProps) {
  return (
    <Stack gap="md">
      <FieldInputs
        fields={KEY_FIELDS}
        names={['default_dims', 'locked_dims', 'required_dims']}
        {...form}
      />
    </Stack>
  )
}

/** How much, and for how long. */
export function LimitFields(form: KeyFieldsProps) {
  return (
    <Stack gap="md">
      <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
        <FieldInputs fields={KEY_FIELDS} names={namesOfKind(KEY_FIELDS, 'limit')} {...form} />
      </Group>
      <FieldInputs fields={KEY_FIELDS} names={['expires_at']} {...form} />
    </Stack>
  )
}
