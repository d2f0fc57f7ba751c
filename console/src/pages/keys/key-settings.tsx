// What one key may do, to be changed and tried before it is saved. Unsaved changes are marked and
// can be undone.

import { Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { KeyRow } from '../../../../src/api/contract.ts'
import { KEY_FORM } from './key-draft.ts'
import type { KeyDraft } from './key-draft.ts'
import { keyQuery, useChangeKey } from '../../data/keys.ts'
import { usageQuery } from '../../data/usage.ts'
import { SaveBar, useSettings } from '../../ui/forms/save-bar.tsx'
import { Panel } from '../../ui/panel.tsx'
import { CredentialField } from './credential-field.tsx'
import { AboutFields, DimFields, LimitFields, PolicyFields } from './key-fields.tsx'
import { ModelCheck } from './model-check.tsx'
import { warningsQuery } from './models-field.tsx'
import { useOwnerNames } from './owner-fields.tsx'

export interface KeySettingsProps {
  readonly row: KeyRow
  readonly isReadOnly: boolean
}

const MODELS_SUGGESTED = 100

/** Waits for what is said of its patterns, which would move the fields below them. */
export function KeySettings(props: KeySettingsProps) {
  const { isLoading } = useQuery(warningsQuery(props.row))
  return isLoading ? null : <SettingsForm {...props} />
}

function SettingsForm({ row, isReadOnly }: KeySettingsProps) {
  const client = useQueryClient()
  const settings = useSettings(KEY_FORM, {
    row,
    readAgain: () => client.fetchQuery({ ...keyQuery(row.id), staleTime: 0 }),
    saving: useChangeKey(row.id),
    onSaved: ({ name }) =>
      notifications.show({ message: `${name} is saved. It takes effect within a second.` }),
  })
  const { draft, write, faults, submit } = settings
  const fields = { draft, onChange: write, faults, isReadOnly }
  const names = useOwnerNames(row, draft)
  return (
    <form onSubmit={submit} noValidate className="page-body">
      <div className="panels">
        <Panel heading="Models and providers">
          <Stack gap="md">
            <PolicyFields {...fields} />
            <CredentialField {...fields} />
          </Stack>
        </Panel>
        <Panel heading="Can this key use this model?">
          <Check row={row} draft={draft} />
        </Panel>
        <Panel heading="Dimensions">
          <DimFields {...fields} />
        </Panel>
        <Panel heading="Name, limits and expiry">
          <Stack gap="md">
            <AboutFields {...fields} keyId={row.id} />
            <LimitFields {...fields} />
          </Stack>
        </Panel>
      </div>
      <SaveBar settings={settings} names={names} />
    </form>
  )
}

interface CheckProps {
  readonly row: KeyRow
  readonly draft: KeyDraft
}

/** Suggests the models that the key has called this month. */
function Check({ row, draft }: CheckProps) {
  const { data } = useQuery(
    usageQuery({
      metric: 'cost_usd',
      window: 'month_to_date',
      dimension: 'model',
      limit: MODELS_SUGGESTED,
      api_key: row.id,
    }),
  )
  if (row.status === 'revoked') {
    return <Text c="dimmed">The key is revoked: every call with it is refused.</Text>
  }
  return <ModelCheck keyId={row.id} draft={draft} models={data?.rows.map(({ label }) => label)} />
}
