// What ends something: rotating ends the old secret, revoking ends the key. Each says what will
// happen first, and revoking asks for the name, since it cannot be undone.

import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { KeyRow } from '../../../../src/api/contract.ts'
import { useRevokeKey, useRotateKey } from '../../data/keys.ts'
import { useAnyway } from '../../data/use-anyway.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { FormFault } from '../../ui/forms/form-fault.tsx'
import { useUnsaved } from '../../ui/forms/use-unsaved.ts'
import { KeySecret } from './key-secret.tsx'

export function RotateKey({ row }: { readonly row: KeyRow }) {
  const rotate = useRotateKey(row.id)
  const confirm = useAnyway(row.version, rotate.mutateAsync)
  const made = rotate.data
  useUnsaved(made !== undefined)
  return (
    <>
      <ConfirmButton
        title={`Rotate key ${row.name}?`}
        consequence="It gets a new secret, shown once. The old secret stops working at once: calls that still use it are refused."
        action="Rotate key"
        color="river"
        onConfirm={confirm}
      >
        Rotate
      </ConfirmButton>
      <Modal
        opened={made !== undefined}
        onClose={() => rotate.reset()}
        size="xl"
        title={`Key ${row.name}`}
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        {made !== undefined && (
          <KeySecret
            made={made}
            title="The new secret is ready, the old one no longer works"
            onKept={() => rotate.reset()}
          />
        )}
      </Modal>
    </>
  )
}

export function RevokeKey({ row }: { readonly row: KeyRow }) {
  const revoke = useRevokeKey(row.id)
  const confirm = useAnyway(row.version, revoke.mutateAsync)
  const [error, setError] = useState<Error | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const isSure = typed.trim() === row.name.trim()
  const close = (): void => {
    setOpen(false)
    setTyped('')
    setError(null)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isSure) return
    void confirm().then(() => {
      close()
      notifications.show({ message: `${row.name} is revoked. Calls with it are now refused.` })
    }, setError)
  }
  return (
    <>
      <Button variant="light" color="red" onClick={() => setOpen(true)}>
        Revoke
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Revoke key ${row.name}?`}>
        <form onSubmit={submit}>
          <Text mb="md">
            Calls with it are refused from now on. This cannot be undone. What it spent stays in
            every figure.
          </Text>
          <TextInput
            label={`Type ${row.name} to confirm`}
            autoComplete="off"
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <FormFault error={error} />
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" color="red" disabled={!isSure} loading={revoke.isPending}>
              Revoke key
            </Button>
          </Group>
        </form>
      </Modal>
    </>
  )
}
