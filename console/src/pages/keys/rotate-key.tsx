// Rotates a key: a new secret, shown once, and how long the old one goes on working.

import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { KeyRow } from '../../../../src/api/contract.ts'
import { formatTime } from '../../data/format-time.ts'
import { useRotateKey } from '../../data/keys.ts'
import { useAnyway } from '../../data/use-anyway.ts'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { OnceDialog } from '../../ui/forms/form-dialog.tsx'
import { Pills } from '../../ui/forms/pills.tsx'
import { KeySecret } from './key-secret.tsx'

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S

/** How long the old secret goes on working, in seconds. */
const GRACES = [
  { value: '0', label: 'Not at all' },
  { value: `${HOUR_S}`, label: '1 hour' },
  { value: `${DAY_S}`, label: '24 hours' },
  { value: `${7 * DAY_S}`, label: '7 days' },
  { value: `${30 * DAY_S}`, label: '30 days' },
] as const

type Grace = (typeof GRACES)[number]['value']

export function RotateKey({ row }: { readonly row: KeyRow }) {
  const [isOpen, setOpen] = useState(false)
  const rotate = useRotateKey(row.id)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Rotate
      </Button>
      <OnceDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        making={rotate}
        title={(made) => (made === undefined ? `Rotate key ${row.name}?` : `Key ${row.name}`)}
        form={(close) => <RotateForm row={row} rotate={rotate} onCancel={close} />}
        secret={(made, close) => (
          <KeySecret made={made} title={toTitle(made.old_secret_ends_at)} onKept={close} />
        )}
      />
    </>
  )
}

function toTitle(endsAt: string | null): string {
  const old = endsAt === null ? 'no longer works' : `works until ${formatTime(endsAt)}`
  return `The new secret is ready, the old one ${old}`
}

interface RotateFormProps {
  readonly row: KeyRow
  readonly rotate: ReturnType<typeof useRotateKey>
  readonly onCancel: () => void
}

function RotateForm({ row, rotate, onCancel }: RotateFormProps) {
  const [grace, setGrace] = useState<Grace>('0')
  const [error, setError] = useState<Error | null>(null)
  const confirm = useAnyway(row.version, (version) =>
    rotate.mutateAsync({ version, graceSeconds: Number(grace) }),
  )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setError(null)
    void confirm().catch(setError)
  }
  const words = GRACES.find(({ value }) => value === grace)?.label ?? ''
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text>It gets a new secret, shown once. Whoever calls with the key needs it.</Text>
        <Pills
          label="How long does the old secret keep working?"
          options={GRACES}
          value={grace}
          onChoose={setGrace}
        />
        <Text>
          {grace === '0'
            ? 'The old secret stops working at once: calls that still use it are refused. Choose this if it may be known to others.'
            : `The old secret keeps working for ${words}, so that callers can change over. You can end it early.`}
        </Text>
        {row.old_secret_ends_at !== null && (
          <Text>The secret before it, which still works, ends now.</Text>
        )}
      </Stack>
      <FormEnd error={error} action="Rotate key" isPending={rotate.isPending} onCancel={onCancel} />
    </form>
  )
}
