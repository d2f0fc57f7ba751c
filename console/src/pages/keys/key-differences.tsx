// The unsaved changes of a key: for every changed field, what is removed and what is added, and a
// button to undo it.

import { Button, Text } from '@mantine/core'
import type { FieldDifference } from '../../data/forms/field-form.ts'
import type { KeyFaults, KeyField } from './key-draft.ts'

export interface KeyDifferencesProps {
  readonly differences: readonly FieldDifference<KeyField>[]
  /** What cannot be saved is not shown as if it were. */
  readonly faults: KeyFaults
  readonly onUndo: (field: KeyField) => void
}

export function KeyDifferences({ differences, faults, onUndo }: KeyDifferencesProps) {
  return (
    <ul className="differences">
      {differences.map(({ field, label, removed, added }) => (
        <li key={field}>
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
        </li>
      ))}
    </ul>
  )
}
