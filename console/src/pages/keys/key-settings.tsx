// What one key may do, to be changed and tried before it is saved. Unsaved changes are marked and
// can be undone.

import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import type { KeyRow } from '../../../../src/api/contract.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { KEY_FORM } from './key-draft.ts'
import type { KeyDraft, KeyFaults } from './key-draft.ts'
import { keyQuery, useChangeKey } from '../../data/keys.ts'
import { toChangeLines } from '../../data/meanwhile.ts'
import { useEditor } from '../../data/use-editor.ts'
import type { Editor } from '../../data/use-editor.ts'
import { usageQuery } from '../../data/usage.ts'
import { ChangedMeanwhile } from '../../ui/forms/changed-meanwhile.tsx'
import { FormFault } from '../../ui/forms/form-fault.tsx'
import { useUnsaved } from '../../ui/forms/use-unsaved.ts'
import { Panel } from '../../ui/panel.tsx'
import { KeyDifferences } from './key-differences.tsx'
import { CredentialField } from './credential-field.tsx'
import { AboutFields, DimFields, LimitFields, PolicyFields } from './key-fields.tsx'
import { ModelCheck } from './model-check.tsx'

export interface KeySettingsProps {
  readonly row: KeyRow
  readonly isReadOnly: boolean
}

const MODELS_SUGGESTED = 100

export function KeySettings({ row, isReadOnly }: KeySettingsProps) {
  const form = useKeyForm(row)
  useUnsaved(KEY_FORM.listDifferences(form.stored, form.draft).length > 0)
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

interface KeyForm extends Editor<KeyDraft> {
  readonly faults: KeyFaults
  /** A refusal that belongs to no field. */
  readonly fault: Error | null
  readonly isPending: boolean
  readonly undo: () => void
  readonly submit: (event: FormEvent) => void
}

function useKeyForm(row: KeyRow): KeyForm {
  const client = useQueryClient()
  const editor = useEditor({
    row,
    fields: KEY_FORM.names,
    toDraft: KEY_FORM.toDraft,
    readAgain: () => client.fetchQuery({ ...keyQuery(row.id), staleTime: 0 }),
  })
  const { draft, stored, version, onRefused, reset } = editor
  const change = useChangeKey(row.id)
  const refusal = toFormRefusal(change.error, KEY_FORM.names, KEY_FORM.words)
  const own = KEY_FORM.findFaults(draft)
  const undo = (): void => {
    reset()
    change.reset()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const body = KEY_FORM.toChange({ stored, draft }, Date.now())
    if (Object.keys(own).length > 0 || Object.keys(body).length === 0) return
    const onSuccess = (): void => {
      reset()
      notifications.show({ message: `${draft.name} is saved. It takes effect within a second.` })
    }
    change.mutate({ body, version }, { onError: onRefused, onSuccess })
  }
  return {
    ...editor,
    faults: { ...refusal.fields, ...own },
    fault: refusal.rest,
    isPending: change.isPending,
    undo,
    submit,
  }
}

/** Stays visible while there is something to save. */
function SaveBar(form: KeyForm) {
  const { draft, stored, fault, faults, isPending, meanwhile, write, undo } = form
  const differences = KEY_FORM.listDifferences(stored, draft)
  if (differences.length === 0) return null
  const conflicts = KEY_FORM.toConflicts(form)
  return (
    <section className="save-bar" aria-label="Changes that are not saved">
      <Title order={2}>Not saved yet</Title>
      <KeyDifferences
        differences={differences}
        faults={faults}
        onUndo={(field) => write({ [field]: stored[field] })}
      />
      {meanwhile === null ? (
        <FormFault error={fault} />
      ) : (
        <ChangedMeanwhile
          lines={toChangeLines(meanwhile.changes)}
          conflicts={conflicts}
          onKeepTheirs={(field) => write({ [field]: stored[field] })}
        />
      )}
      <Group gap="sm" mt="md">
        <Button type="submit" loading={isPending}>
          {conflicts.length === 0 ? 'Save changes' : 'Save yours over it'}
        </Button>
        <Button variant="default" onClick={undo}>
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
