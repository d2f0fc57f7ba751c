// Says that others have changed what is being edited: who and when, and for what both have changed,
// both values and the choice between them.

import { Alert, Button, Text } from '@mantine/core'
import type { ChangedMeanwhileBody } from '../../../../src/api/contract.ts'
import type { Conflict } from '../../data/forms/field-form.ts'
import { toChangeLines } from '../../data/meanwhile.ts'
import { WarningIcon } from '../icons.tsx'
import './changed-meanwhile.css'

export interface ChangedMeanwhileProps<Field extends string> {
  readonly title?: string
  /** Newest first. */
  readonly changes: ChangedMeanwhileBody['changes']
  readonly conflicts: readonly Conflict<Field>[]
  readonly onKeepTheirs: (field: Field) => void
}

export function ChangedMeanwhile<Field extends string>(props: ChangedMeanwhileProps<Field>) {
  const { title = 'Changed meanwhile', changes, conflicts, onKeepTheirs } = props
  return (
    <Alert role="alert" color="yellow" icon={<WarningIcon />} title={title} my="md">
      {toChangeLines(changes).map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
      {conflicts.map(({ field, label, theirs, yours }) => (
        <dl key={field} className="meanwhile" aria-label={label}>
          <dt>{label}, theirs</dt>
          <dd>{theirs}</dd>
          <dt>{label}, yours</dt>
          <dd>{yours}</dd>
          <dd>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Keep theirs: ${label}`}
              onClick={() => onKeepTheirs(field)}
            >
              Keep theirs
            </Button>
          </dd>
        </dl>
      ))}
      <Text size="sm" mt="xs">
        {conflicts.length === 0
          ? 'Nothing was saved yet. Saving now leaves their changes as they are.'
          : 'Nothing was saved yet. Keep theirs, or save yours over it.'}
      </Text>
    </Alert>
  )
}
