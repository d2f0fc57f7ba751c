// What one key may do, to be changed and tried before it is saved. Unsaved changes are marked and
// can be undone.

import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { KeyRow } from '../../../../src/api/contract.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { findKeyFaults, KEY_FIELDS, listDifferences, toKeyChange, toKeyDraft } from './key-draft.ts'
import type { KeyDraft, KeyFaults } from './key-draft.ts'
import { useChangeKey } from '../../data/keys.ts'
import { usageQuery } from '../../data/usage.ts'
import { FormFault } from '../../ui/forms/form-fault.tsx'
import { Panel } from '../../ui/panel.tsx'
import { KeyDifferences } from './key-differences.tsx'
import { DimFields, LimitFields, PolicyFields } from './key-fields.tsx'
import { ModelCheck } from './model-check.tsx'

export interface KeySettingsProps {
  readonly row: KeyRow
  readonly isReadOnly: boolean
}

const MODELS_SUGGESTED = 100

export function KeySettings({ row, isReadOnly }: KeySettingsProps) {
  const editor = useKeyEditor(row)
  const { draft, write, faults, submit } = editor
  const fields = { draft, onChange: write, faults, isReadOnly }
  return (
    <form onSubmit={submit} noValidate className="page-body">
      <div className="panels">
        <Panel heading="Models and providers">
          <PolicyFields {...fields} />
        </Panel>
        <Panel heading="Can this key use this model?">
          <Check row={row} draft={draft} />
        </Panel>
        <Panel heading="Dimensions">
          <DimFields {...fields} />
        </Panel>
        <Panel heading="Name, limits and expiry">
          <Stack gap="md">
            <TextInput
              label="Name"
              autoComplete="off"
              value={draft.name}
              onChange={(event) => write({ name: event.currentTarget.value })}
              disabled={isReadOnly}
              error={faults.name}
            />
            <LimitFields {...fields} />
          </Stack>
        </Panel>
      </div>
      <SaveBar {...editor} />
    </form>
  )
}

interface KeyEditor {
  readonly draft: KeyDraft
  readonly stored: KeyDraft
  readonly faults: KeyFaults
  /** A refusal that belongs to no field. */
  readonly fault: Error | null
  readonly isPending: boolean
  readonly write: (part: Partial<KeyDraft>) => void
  readonly undo: () => void
  readonly submit: (event: FormEvent) => void
}

function useKeyEditor(row: KeyRow): KeyEditor {
  const stored = toKeyDraft(row)
  // Null: as it is stored.
  const [written, setWritten] = useState<KeyDraft | null>(null)
  const [own, setOwn] = useState<KeyFaults>({})
  const change = useChangeKey(row.id)
  const draft = written ?? stored
  const refusal = toFormRefusal(change.error, KEY_FIELDS)
  const undo = (): void => {
    setWritten(null)
    setOwn({})
    change.reset()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const found = findKeyFaults(draft)
    setOwn(found)
    const body = toKeyChange(stored, draft, Date.now())
    if (Object.keys(found).length > 0 || Object.keys(body).length === 0) return
    change.mutate(body, {
      onSuccess: () => {
        setWritten(null)
        notifications.show({ message: `${draft.name} is saved. It takes effect within a second.` })
      },
    })
  }
  return {
    draft,
    stored,
    faults: { ...refusal.fields, ...own },
    fault: refusal.rest,
    isPending: change.isPending,
    write: (part) => setWritten({ ...draft, ...part }),
    undo,
    submit,
  }
}

/** Stays visible while there is something to save. */
function SaveBar({ draft, stored, fault, isPending, write, undo }: KeyEditor) {
  const differences = listDifferences(stored, draft)
  if (differences.length === 0) return null
  return (
    <section className="save-bar" aria-label="Changes that are not saved">
      <Title order={2}>Not saved yet</Title>
      <KeyDifferences
        differences={differences}
        onUndo={(field) => write({ [field]: stored[field] })}
      />
      <FormFault error={fault} />
      <Group gap="sm" mt="md">
        <Button type="submit" loading={isPending}>
          Save changes
        </Button>
        <Button variant="default" onClick={undo}>
          Undo all
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
