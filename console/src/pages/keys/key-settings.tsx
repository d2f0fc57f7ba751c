// What one key may do, to be changed and tried before it is saved. Unsaved changes are marked and
// can be undone.

import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import type { KeyRow } from '../../../../src/api/contract.ts'
import { KEY_FORM } from './key-draft.ts'
import type { KeyDraft, KeyFaults, KeyField } from './key-draft.ts'
import { keyQuery, useChangeKey } from '../../data/keys.ts'
import { usageQuery } from '../../data/usage.ts'
import { ChangedMeanwhile } from '../../ui/forms/changed-meanwhile.tsx'
import { FormFault } from '../../ui/forms/form-end.tsx'
import { useEdited } from '../../ui/forms/use-edited.ts'
import { Panel } from '../../ui/panel.tsx'
import { CredentialField } from './credential-field.tsx'
import { AboutFields, DimFields, LimitFields, PolicyFields } from './key-fields.tsx'
import { ModelCheck } from './model-check.tsx'
import { warningsQuery } from './models-field.tsx'
import type { FieldDifference } from '../../data/forms/field-form.ts'

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
  const form = useKeyForm(row)
  const { draft, write, faults, submit } = form
  const fields = { draft, onChange: write, faults, isReadOnly }
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
      <SaveBar {...form} />
    </form>
  )
}

function useKeyForm(row: KeyRow) {
  const client = useQueryClient()
  const saving = useChangeKey(row.id)
  const form = useEdited(KEY_FORM, {
    row,
    readAgain: () => client.fetchQuery({ ...keyQuery(row.id), staleTime: 0 }),
    saving,
    onSaved: ({ name }) => {
      form.reset()
      notifications.show({ message: `${name} is saved. It takes effect within a second.` })
    },
  })
  const own = KEY_FORM.findFaults(form.draft)
  return {
    ...form,
    faults: { ...form.refusal.fields, ...own },
    isPending: saving.isPending,
    undo: (): void => {
      form.reset()
      saving.reset()
    },
    submit: (event: FormEvent): void => {
      event.preventDefault()
      if (Object.keys(own).length === 0 && Object.keys(form.body).length > 0) form.save()
    },
  }
}

/** Stays visible while there is something to save. */
function SaveBar(form: ReturnType<typeof useKeyForm>) {
  const { draft, stored, refusal, faults, meanwhile, conflicts, onKeepTheirs } = form
  const differences = KEY_FORM.listDifferences(stored, draft)
  if (differences.length === 0) return null
  return (
    <section className="save-bar" aria-label="Changes that are not saved">
      <Title order={2}>Not saved yet</Title>
      <KeyDifferences differences={differences} faults={faults} onUndo={onKeepTheirs} />
      {meanwhile === null ? (
        <FormFault error={refusal.rest} />
      ) : (
        <ChangedMeanwhile {...form} changes={meanwhile.changes} />
      )}
      <Group gap="sm" mt="md">
        <Button type="submit" loading={form.isPending}>
          {conflicts.length === 0 ? 'Save changes' : 'Save yours over it'}
        </Button>
        <Button variant="default" onClick={form.undo}>
          {meanwhile === null ? 'Undo all' : 'Keep all of theirs'}
        </Button>
      </Group>
    </section>
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

interface KeyDifferencesProps {
  readonly differences: readonly FieldDifference<KeyField>[]
  /** What cannot be saved is not shown as if it were. */
  readonly faults: KeyFaults
  readonly onUndo: (field: KeyField) => void
}

/** For every changed field, what is removed and what is added, and a button to undo it. */
function KeyDifferences({ differences, faults, onUndo }: KeyDifferencesProps) {
  return (
    <ul className="differences">
      {differences.map(({ field, label, removed, added }) => (
        <Group component="li" key={field} align="baseline" gap="0.25rem 0.6rem">
          <Text component="span" fw={600}>
            {label}
          </Text>
          {removed.map((word) => (
            <del key={word}>
              <span className="unseen">removed: </span>
              {word}
            </del>
          ))}
          {faults[field] === undefined ? (
            added.map((word) => (
              <ins key={word}>
                <span className="unseen">added: </span>
                {word}
              </ins>
            ))
          ) : (
            <span className="difference-fault">{faults[field]}</span>
          )}
          {removed.length + added.length === 0 && <span className="quiet">in another order</span>}
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`Undo: ${label}`}
            onClick={() => onUndo(field)}
          >
            Undo
          </Button>
        </Group>
      ))}
    </ul>
  )
}
