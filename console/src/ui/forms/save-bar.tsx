// A page of settings that others may change too: what is not saved yet is listed in a bar that
// stays visible, field by field, each with a button to undo it.

import { Button, Group, Text, Title } from '@mantine/core'
import type { FormEvent } from 'react'
import type { Fields, NameOf, WireOf } from '../../../../src/resources/field.ts'
import type { FieldDifference, FieldForm, FaultsOf } from '../../data/forms/field-form.ts'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import { FormFault } from './form-end.tsx'
import { useEdited } from './use-edited.ts'
import type { EditedOptions } from './use-edited.ts'
import './save-bar.css'

type Versioned<Of extends Fields> = WireOf<Of> & { readonly version: number }

interface SettingsOptions<Of extends Fields, Row extends Versioned<Of>, Saved> extends Omit<
  EditedOptions<Of, Row, Saved>,
  'saving'
> {
  readonly saving: EditedOptions<Of, Row, Saved>['saving'] & {
    readonly isPending: boolean
    readonly reset: () => void
  }
}

export function useSettings<const Of extends Fields, Row extends Versioned<Of>, Saved>(
  form: FieldForm<Of>,
  { saving, onSaved, ...options }: SettingsOptions<Of, Row, Saved>,
) {
  const edited = useEdited<Of, Row, Saved>(form, {
    ...options,
    saving,
    onSaved: (saved) => {
      edited.reset()
      onSaved(saved)
    },
  })
  const own = form.findFaults(edited.draft)
  return {
    ...edited,
    form,
    faults: { ...edited.refusal.fields, ...own } as FaultsOf<Of>,
    isPending: saving.isPending,
    undo: (): void => {
      edited.reset()
      saving.reset()
    },
    submit: (event: FormEvent): void => {
      event.preventDefault()
      if (Object.keys(own).length === 0 && Object.keys(edited.body).length > 0) edited.save()
    },
  }
}

export interface SaveBarProps<Of extends Fields> {
  readonly settings: ReturnType<typeof useSettings<Of, Versioned<Of>, unknown>>
  /** Of values that are ids, by id. */
  readonly names?: ReadonlyMap<string, string>
}

/** Stays visible while there is something to save. */
export function SaveBar<Of extends Fields>({ settings, names = NO_NAMES }: SaveBarProps<Of>) {
  const { form, draft, stored, refusal, faults, meanwhile, conflicts, onKeepTheirs } = settings
  const differences = form.listDifferences(stored, draft)
  if (differences.length === 0) return null
  return (
    <section className="save-bar" aria-label="Changes that are not saved">
      <Title order={2}>Not saved yet</Title>
      <Differences {...{ differences, faults, names }} onUndo={onKeepTheirs} />
      {meanwhile === null ? (
        <FormFault error={refusal.rest} />
      ) : (
        <ChangedMeanwhile {...settings} changes={meanwhile.changes} />
      )}
      <Group gap="sm" mt="md">
        <Button type="submit" loading={settings.isPending}>
          {conflicts.length === 0 ? 'Save changes' : 'Save yours over it'}
        </Button>
        <Button variant="default" onClick={settings.undo}>
          {meanwhile === null ? 'Undo all' : 'Keep all of theirs'}
        </Button>
      </Group>
    </section>
  )
}

const NO_NAMES: ReadonlyMap<string, string> = new Map()

interface DifferencesProps<Of extends Fields> {
  readonly differences: readonly FieldDifference<NameOf<Of>>[]
  /** What cannot be saved is not shown as if it were. */
  readonly faults: FaultsOf<Of>
  readonly names: ReadonlyMap<string, string>
  readonly onUndo: (field: NameOf<Of>) => void
}

/** For every changed field, what is removed and what is added, and a button to undo it. */
function Differences<Of extends Fields>(props: DifferencesProps<Of>) {
  const { differences, faults, names, onUndo } = props
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
              {names.get(word) ?? word}
            </del>
          ))}
          {faults[field] === undefined ? (
            added.map((word) => (
              <ins key={word}>
                <span className="unseen">added: </span>
                {names.get(word) ?? word}
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
