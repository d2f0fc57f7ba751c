// Says until when the secret before a rotation works, and ends it early.

import { Alert, Group } from '@mantine/core'
import type { KeyRow } from '../../../../src/api/contract.ts'
import { formatTime } from '../../data/format-time.ts'
import { useEndGrace } from '../../data/keys.ts'
import { useAnyway } from '../../data/use-anyway.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { InfoIcon } from '../../ui/icons.tsx'

export interface OldSecretProps {
  readonly row: KeyRow
  readonly endsAt: string
  readonly canChange: boolean
}

export function OldSecret({ row, endsAt, canChange }: OldSecretProps) {
  const end = useEndGrace(row.id)
  const endNow = useAnyway(row.version, end.mutateAsync)
  return (
    <Alert color="yellow" icon={<InfoIcon />}>
      <Group justify="space-between" gap="sm">
        <span>The old secret works until {formatTime(endsAt)}. The new one works too.</span>
        {canChange && (
          <ConfirmButton
            size="xs"
            label="End it now"
            title={`End the old secret of ${row.name}?`}
            consequence="Calls that still use it are refused from now on. The new secret goes on working."
            action="End old secret"
            done={`The old secret of ${row.name} no longer works.`}
            onConfirm={endNow}
          >
            End it now
          </ConfirmButton>
        )}
      </Group>
    </Alert>
  )
}
