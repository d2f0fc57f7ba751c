// Adds a target of alerts; then shows a webhook's secret, once.

import { Button, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { BudgetRow, NewTarget } from '../../../../src/api/contract.ts'
import { useAddTarget } from './budgets.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { closeOnce, FormDialog } from '../../ui/forms/form-dialog.tsx'
import { useUnsaved } from '../../data/unsaved.ts'
import { NOWHERE, TARGET_WORDS, TargetFields, toTrimmed } from './target-fields.tsx'
import { WebhookSecrets } from './webhook-secrets.tsx'

export interface AddTargetProps {
  /** Null: for alerts without a budget. */
  readonly budget: Pick<BudgetRow, 'id' | 'name'> | null
}

const NEW_TARGET: NewTarget = { kind: 'webhook', address: '' }

export function AddTarget({ budget }: AddTargetProps) {
  const [isOpen, setOpen] = useState(false)
  const add = useAddTarget(budget?.id ?? null)
  const secret = add.data?.secret ?? null
  const close = (): void => closeOnce(add, () => setOpen(false))
  const send = (target: NewTarget): void => {
    add.mutate(target, {
      onSuccess: (made) => {
        if (made.secret !== null) return
        close()
        notifications.show({ message: `Alerts now go to ${made.address}.` })
      },
    })
  }
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<PlusIcon size={14} />}
        aria-label={
          budget === null
            ? 'Add a target for alerts without a budget'
            : `Add a target to ${budget.name}`
        }
        onClick={() => setOpen(true)}
      >
        Add a target
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={close}
        title={budget === null ? 'Add a general target' : `Add a target to ${budget.name}`}
        hasSecret={secret !== null}
      >
        {secret === null ? (
          <AddTargetForm add={add} onSend={send} onCancel={close} />
        ) : (
          <WebhookSecrets secrets={[{ address: add.data?.address ?? '', secret }]} onKept={close} />
        )}
      </FormDialog>
    </>
  )
}

interface AddTargetFormProps {
  readonly add: ReturnType<typeof useAddTarget>
  readonly onSend: (target: NewTarget) => void
  readonly onCancel: () => void
}

function AddTargetForm({ add, onSend, onCancel }: AddTargetFormProps) {
  const [target, setTarget] = useState(NEW_TARGET)
  const [isNowhere, setNowhere] = useState(false)
  const refusal = toFormRefusal(add.error, ['address'], { address: TARGET_WORDS })
  useUnsaved(target.address !== '')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const sent = toTrimmed(target)
    setNowhere(sent.address === '')
    if (sent.address !== '') onSend(sent)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TargetFields
          target={target}
          onChange={setTarget}
          error={isNowhere ? NOWHERE : refusal.fields.address}
        />
      </Stack>
      <FormEnd
        error={refusal.rest}
        action="Add target"
        isPending={add.isPending}
        onCancel={onCancel}
      />
    </form>
  )
}
