// Which spending a budget counts: the kind of scope, then its value.

import { Autocomplete, Group, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { BUDGET_FIELDS } from '../../../../src/resources/budget.ts'
import { SCOPE_KIND_NAMES } from '../../data/forms/scope-draft.ts'
import type { ScopeDraft, ScopeKind } from '../../data/forms/scope-draft.ts'
import { infoQuery } from '../../data/service.ts'
import { useUserNames } from '../../data/known-names.ts'
import { Pills } from '../../ui/forms/pills.tsx'
import { KeySelect } from '../keys/key-select.tsx'
import { PatternHelp } from '../keys/pattern-help.tsx'
import { TeamSelect } from '../keys/team-select.tsx'

export interface ScopeFieldsProps {
  readonly scope: ScopeDraft
  readonly onChange: (scope: ScopeDraft) => void
  readonly error: string | undefined
}

const KINDS = (Object.keys(SCOPE_KIND_NAMES) as ScopeKind[]).map((value) => {
  return { value, label: SCOPE_KIND_NAMES[value] }
})

export function ScopeFields(props: ScopeFieldsProps) {
  const { scope, onChange } = props
  return (
    <Stack gap="sm">
      <Pills
        label={BUDGET_FIELDS.scope.form.label}
        options={KINDS}
        value={scope.kind}
        onChoose={(kind) => onChange({ ...scope, kind })}
      />
      <Which {...props} />
    </Stack>
  )
}

function Which(props: ScopeFieldsProps) {
  const { scope, onChange, error } = props
  switch (scope.kind) {
    case 'global':
      return null
    case 'team':
      return (
        <TeamSelect
          none="Search by name"
          value={scope.team === '' ? undefined : scope.team}
          onChange={(id) => onChange({ ...scope, team: id ?? '' })}
          error={error}
        />
      )
    case 'person':
      return <PersonField {...props} />
    case 'api_key':
      return (
        <KeySelect
          label="Key"
          none="Search by name"
          value={scope.keyId === '' ? undefined : scope.keyId}
          onChange={(id) => onChange({ ...scope, keyId: id ?? '' })}
          error={error}
        />
      )
    case 'provider':
      return <ProviderSelect {...props} />
    case 'model':
      return (
        <div>
          <TextInput
            label="Model pattern"
            placeholder="openai/gpt-4o*"
            autoComplete="off"
            value={scope.model}
            onChange={(event) => onChange({ ...scope, model: event.currentTarget.value })}
            error={error}
          />
          <PatternHelp />
        </div>
      )
    case 'dim':
      return <DimFields {...props} />
  }
}

/** Who may see users is offered them; others know an address. */
function PersonField({ scope, onChange, error }: ScopeFieldsProps) {
  const people = useUserNames()
  return (
    <Autocomplete
      label="Person"
      description="All calls of their personal keys, in whatever team."
      placeholder="ada@example.com"
      data={[...people.values()]}
      limit={20}
      value={people.get(scope.person) ?? scope.person}
      onChange={(person) => onChange({ ...scope, person })}
      error={error}
    />
  )
}

function ProviderSelect({ scope, onChange, error }: ScopeFieldsProps) {
  const { data: info } = useQuery(infoQuery)
  const known = new Set([...(info?.providers ?? []), scope.provider].filter((id) => id !== ''))
  return (
    <Select
      label="Provider"
      placeholder="Choose one"
      data={[...known]}
      value={scope.provider === '' ? null : scope.provider}
      onChange={(value) => onChange({ ...scope, provider: value ?? '' })}
      searchable
      error={error}
    />
  )
}

function DimFields({ scope, onChange, error }: ScopeFieldsProps) {
  return (
    <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
      <TextInput
        label="Dimension"
        placeholder="team"
        autoComplete="off"
        value={scope.dimKey}
        onChange={(event) => onChange({ ...scope, dimKey: event.currentTarget.value })}
        error={error}
      />
      <TextInput
        label="Value"
        placeholder="search"
        autoComplete="off"
        value={scope.dimValue}
        onChange={(event) => onChange({ ...scope, dimValue: event.currentTarget.value })}
      />
    </Group>
  )
}
