// The fields of a team, for creating and for editing it.

import { Group, Stack } from '@mantine/core'
import { TEAM_FIELDS } from '../../../../src/resources/team.ts'
import { FieldInputs } from '../../ui/forms/field-inputs.tsx'
import type { FormProps } from '../../ui/forms/field-inputs.tsx'
import { CredentialSelect } from '../keys/credential-field.tsx'
import { PolicyFields } from '../keys/key-fields.tsx'
import { TeamSelect } from '../keys/team-select.tsx'

export type TeamFieldsProps = FormProps<typeof TEAM_FIELDS>

const { parent_id: parent } = TEAM_FIELDS

export function DepartmentField({ draft, onChange, faults, isReadOnly = false }: TeamFieldsProps) {
  return (
    <TeamSelect
      label={parent.label}
      description={parent.form.help}
      none="None"
      value={draft.parent_id === '' ? undefined : draft.parent_id}
      onChange={(id) => onChange({ parent_id: id ?? '' })}
      error={faults.parent_id}
      isReadOnly={isReadOnly}
    />
  )
}

export function AboutTeamFields(form: TeamFieldsProps) {
  return (
    <Stack gap="md">
      <FieldInputs fields={TEAM_FIELDS} names={['name', 'slug']} {...form} />
      <DepartmentField {...form} />
      <FieldInputs
        fields={TEAM_FIELDS}
        names={['cost_center', 'note', 'members_see_totals']}
        {...form}
      />
    </Stack>
  )
}

/** What its keys may be, at most. */
export function TeamLimitFields(form: TeamFieldsProps) {
  return (
    <Stack gap="md">
      <PolicyFields {...form} />
      <CredentialSelect
        {...form}
        help="Providers whose stored credential its keys may be given. Empty: none."
      />
      <FieldInputs fields={TEAM_FIELDS} names={['required_dims']} {...form} />
      <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
        <FieldInputs fields={TEAM_FIELDS} names={['rate_limit_rpm', 'key_days_max']} {...form} />
      </Group>
    </Stack>
  )
}
