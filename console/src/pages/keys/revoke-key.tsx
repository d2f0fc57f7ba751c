// Revokes a key. It says what will happen first, and asks for the name, since it cannot be undone.

import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { KeyRow } from '../../../../src/api/contract.ts'
import { useRevokeKey } from '../../data/keys.ts'
import { useAnyway } from '../../data/use-anyway.ts'
import { FormFault } from '../../ui/forms/form-fault.tsx'

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
