// What a user can say of unusual spend: that it is known, that it is not for now, or neither after
// all. Only for those who may change budgets.

import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactElement } from 'react'
import type { AlertRow } from '../../../src/api/contract.ts'
import { SNOOZE_CHOICES, toSnoozeEnd, useMarkIncident } from '../data/alerts/incidents.ts'
import type { IncidentWord } from '../data/alerts/incidents.ts'
import { useCan } from '../data/session.ts'
import { Dropdown, DropdownItem } from '../ui/dropdown.tsx'
import { FormFault } from '../ui/forms/form-end.tsx'

export interface IncidentActionsProps {
  readonly alert: AlertRow
  /** Names it for screen readers: there may be several on a page. */
  readonly title: string
}

export function IncidentActions({ alert, title }: IncidentActionsProps): ReactElement | null {
  const canChange = useCan('write:budgets')
  const mark = useMarkIncident(alert.id)
  const state = alert.incident?.state ?? 'over'
  if (!canChange || state === 'over') return null
  // What failed is shown below; what succeeded may have taken these buttons away.
  const say = (word: IncidentWord, message: string): void =>
    void mark.mutateAsync(word).then(
      () => notifications.show({ message }),
      () => {},
    )
  return (
    <>
      <Group gap="xs" mt="xs">
        {state === 'open' ? (
          <>
            <Button
              size="xs"
              variant="default"
              loading={mark.isPending}
              aria-label={`Acknowledge: ${title}`}
              onClick={() => say({ word: 'acknowledge' }, 'Acknowledged.')}
            >
              Acknowledge
            </Button>
            <Snooze title={title} isPending={mark.isPending} onSay={say} />
          </>
        ) : (
          <Button
            size="xs"
            variant="default"
            loading={mark.isPending}
            aria-label={`Reopen: ${title}`}
            onClick={() => say({ word: 'reopen' }, 'Open again.')}
          >
            Reopen
          </Button>
        )}
      </Group>
      <FormFault error={mark.error} />
    </>
  )
}

interface SnoozeProps {
  readonly title: string
  readonly isPending: boolean
  readonly onSay: (word: IncidentWord, message: string) => void
}

function Snooze({ title, isPending, onSay }: SnoozeProps) {
  const choose = (hours: number): void => {
    const until = toSnoozeEnd(hours, Date.now())
    onSay({ word: 'snooze', until }, 'Snoozed. It comes back early if it more than doubles.')
  }
  return (
    <Dropdown
      button={(opens) => (
        <Button
          size="xs"
          variant="default"
          disabled={isPending}
          aria-label={`Snooze: ${title}`}
          {...opens}
        >
          Snooze
        </Button>
      )}
    >
      {SNOOZE_CHOICES.map(({ label, hours }) => (
        <DropdownItem key={hours} onClick={() => choose(hours)}>
          {label}
        </DropdownItem>
      ))}
    </Dropdown>
  )
}
