// Rotates a key, ends the secret before a rotation, pauses and resumes a key, and revokes it.

import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { KeyRow } from '../../../../src/api/contract.ts'
import { formatTime } from '../../data/format-time.ts'
import { keyQuery, useActOnKey, useEndGrace, useRotateKey } from '../../data/keys.ts'
import { useAnyway } from '../../data/meanwhile.ts'
import { useCan } from '../../data/session.ts'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { OnceDialog } from '../../ui/forms/form-dialog.tsx'
import { Pills } from '../../ui/forms/pills.tsx'
import { KeySecret } from './key-secret.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { InfoIcon } from '../../ui/icons.tsx'

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

interface PauseKeyOfProps {
  readonly id: string
  readonly size?: 'xs' | 'sm'
}

/** On pages about calls of one key, for whoever may stop them there and then. */
export function PauseKeyOf({ id, size = 'sm' }: PauseKeyOfProps) {
  const canChange = useCan('write:keys')
  const { data: row } = useQuery({ ...keyQuery(id), enabled: canChange })
  if (!canChange || row === undefined || row.status === 'revoked') return null
  return <PauseKey row={row} size={size} noun=" key" />
}

interface PauseKeyProps {
  readonly row: KeyRow
  readonly size?: 'xs' | 'sm'
  /** On the button, where it does not stand beside the key. */
  readonly noun?: string
}

/** Stops its calls until it is resumed, or lets a paused one call again. */
export function PauseKey({ row, size = 'sm', noun = '' }: PauseKeyProps) {
  const { id, name, version, status } = row
  const isPaused = status === 'paused'
  const { mutateAsync } = useActOnKey(id, isPaused ? 'resume' : 'pause')
  const act = isPaused ? 'Resume' : 'Pause'
  return (
    <ConfirmButton
      size={size}
      title={`${act} key ${name}?`}
      consequence={
        isPaused
          ? 'Calls with it are let in again, within a second.'
          : 'Calls with it are refused within a second, until it is resumed. Running calls end by themselves; open WebSockets are closed.'
      }
      action={`${act} key`}
      color="river"
      done={isPaused ? `${name} may call again.` : `${name} is paused: its calls are refused.`}
      onConfirm={useAnyway(version, mutateAsync)}
    >
      {act}
      {noun}
    </ConfirmButton>
  )
}

/** Asks for the name, since it cannot be undone. */
export function RevokeKey({ row: { id, name, version } }: { readonly row: KeyRow }) {
  const revoke = useActOnKey(id, 'revoke')
  return (
    <ConfirmButton
      variant="light"
      title={`Revoke key ${name}?`}
      consequence="Calls with it are refused from now on. This cannot be undone. What it spent stays in every figure."
      action="Revoke key"
      typed={name}
      done={`${name} is revoked. Calls with it are now refused.`}
      onConfirm={useAnyway(version, revoke.mutateAsync)}
    >
      Revoke
    </ConfirmButton>
  )
}

export interface OldSecretProps {
  readonly row: KeyRow
  readonly endsAt: string
  readonly canChange: boolean
}

/** Until when the secret before a rotation works, and ending it early. */
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
