// The fields of a budget, for creating and for editing it.

import { Group, Stack, Switch } from '@mantine/core'
import { BUDGET_FIELDS } from '../../../../src/resources/budget.ts'
import { namesOfKind } from '../../../../src/resources/field.ts'
import { FieldInputs } from '../../ui/forms/field-inputs.tsx'
import type { FormProps } from '../../ui/forms/field-inputs.tsx'
import { ScopeFields } from './scope-fields.tsx'

const OTHER_CHOICES = namesOfKind(BUDGET_FIELDS, 'choice').filter((name) => name !== 'period')

export function BudgetFields(form: FormProps<typeof BUDGET_FIELDS>) {
  const { draft, onChange, faults } = form
  return (
    <Stack gap="md">
      <FieldInputs fields={BUDGET_FIELDS} names={['name']} {...form} />
      <ScopeFields
        scope={draft.scope}
        onChange={(scope) => onChange({ scope })}
        error={faults.scope}
      />
      <FieldInputs fields={BUDGET_FIELDS} names={OTHER_CHOICES} {...form} />
      <Group align="flex-start" gap="lg">
        <FieldInputs fields={BUDGET_FIELDS} names={['limit_usd', 'period']} {...form} />
      </Group>
      <FieldInputs fields={BUDGET_FIELDS} names={['thresholds']} {...form} />
      <Switch
        label={BUDGET_FIELDS.blocking.form.label}
        description={
          draft.blocking
            ? 'From 100 % until the period ends or the limit is raised, calls get a 402 with the reason and are not forwarded. SDKs do not retry them. Running calls finish.'
            : 'Off: alerts are sent, no call is refused.'
        }
        checked={draft.blocking}
        onChange={(event) => onChange({ blocking: event.currentTarget.checked })}
      />
      <Switch
        label={BUDGET_FIELDS.targets_only.form.label}
        description="Off: by e-mail, its alerts also reach whose key or limit it is, and the leads of the team."
        checked={draft.targets_only}
        onChange={(event) => onChange({ targets_only: event.currentTarget.checked })}
      />
    </Stack>
  )
}
