// The fields of a budget, for creating and for editing it.

import { Group, Stack, Switch, TagsInput, TextInput } from '@mantine/core'
import type { BudgetDraft, BudgetFaults } from './budget-draft.ts'
import { PERIOD_NAMES } from './budget-words.ts'
import { Pills } from '../../ui/forms/pills.tsx'
import { ScopeFields } from './scope-fields.tsx'

export interface BudgetFieldsProps {
  readonly draft: BudgetDraft
  readonly onChange: (change: Partial<BudgetDraft>) => void
  readonly faults: BudgetFaults
}

const PERIODS = (['day', 'week', 'month'] as const).map((value) => ({
  value,
  label: PERIOD_NAMES[value],
}))

export function BudgetFields({ draft, onChange, faults }: BudgetFieldsProps) {
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        description="Shown in alerts and to refused callers."
        placeholder="Search team"
        autoComplete="off"
        data-autofocus
        required
        withAsterisk={false}
        value={draft.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        error={faults.name}
      />
      <ScopeFields
        scope={draft.scope}
        onChange={(scope) => onChange({ scope })}
        error={faults.scope}
      />
      <Group align="flex-start" gap="lg">
        <TextInput
          label="Limit in USD"
          inputMode="decimal"
          placeholder="1,000"
          autoComplete="off"
          leftSection="$"
          required
          withAsterisk={false}
          w="11rem"
          value={draft.limit_usd}
          onChange={(event) => onChange({ limit_usd: event.currentTarget.value })}
          error={faults.limit_usd}
        />
        <Pills
          label="Period, in UTC"
          options={PERIODS}
          value={draft.period}
          onChoose={(period) => onChange({ period })}
        />
      </Group>
      <TagsInput
        label="Alert at % of the limit"
        description="Each raises one alert per period. More than 100 is allowed."
        placeholder={draft.thresholds.length === 0 ? '80' : ''}
        splitChars={[',', ' ', ';']}
        acceptValueOnBlur
        value={[...draft.thresholds]}
        onChange={(thresholds) => onChange({ thresholds })}
        error={faults.thresholds}
        clearButtonProps={{ 'aria-label': 'Remove all thresholds' }}
      />
      <Switch
        label="Refuse calls once the limit is reached"
        description={
          draft.blocking
            ? 'From 100 % until the period ends or the limit is raised, calls get a 402 with the reason and are not forwarded. SDKs do not retry them. Running calls finish.'
            : 'Off: alerts are sent, no call is refused.'
        }
        checked={draft.blocking}
        onChange={(event) => onChange({ blocking: event.currentTarget.checked })}
      />
    </Stack>
  )
}
