// Creates a budget, with one target if wanted; others can be added later. Then shows the webhook's
// secret, once.

import { Button, Checkbox, Stack } from '@mantine/core'
import type { ButtonProps } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { NewBudget, NewTarget } from '../../../../src/api/contract.ts'
import { BUDGET_FORM, NEW_BUDGET } from './budget-draft.ts'
import type { BudgetDraft } from './budget-draft.ts'
import { useCreateBudget } from './budgets.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { closeOnce, FormDialog } from '../../ui/forms/form-dialog.tsx'
import { useNew } from '../../ui/forms/use-new.ts'
import { useUnsaved } from '../../data/unsaved.ts'
import { BudgetFields } from './budget-fields.tsx'
import { NOWHERE, TARGET_WORDS, TargetFields, toTrimmed } from './target-fields.tsx'
import { WebhookSecrets } from './webhook-secrets.tsx'
import type { WebhookSecret } from './webhook-secrets.tsx'

export interface CreateBudgetProps {
  /** What its form begins with. */
  readonly first?: BudgetDraft
  readonly look?: Pick<ButtonProps, 'size' | 'variant'>
}

export function CreateBudget({ first = NEW_BUDGET, look }: CreateBudgetProps) {
  const [isOpen, setOpen] = useState(false)
  const create = useCreateBudget()
  const secrets = (create.data?.targets ?? []).flatMap(({ address, secret }): WebhookSecret[] =>
    secret === undefined ? [] : [{ address, secret }],
  )
  const isSecret = secrets.length > 0
  const close = (): void => closeOnce(create, () => setOpen(false))
  const send = (body: NewBudget): void => {
    create.mutate(body, {
      onSuccess: (made) => {
        notifications.show({ message: `Budget ${made.name} created.` })
        if (made.targets.every(({ secret }) => secret === undefined)) close()
      },
    })
  }
  return (
    <>
      <Button {...look} leftSection={<PlusIcon size={16} />} onClick={() => setOpen(true)}>
        Create a budget
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={close}
        size="lg"
        title={isSecret ? `Budget ${create.data?.name ?? ''}` : 'Create a budget'}
        hasSecret={isSecret}
      >
        {isSecret ? (
          <WebhookSecrets secrets={secrets} onKept={close} />
        ) : (
          <CreateBudgetForm first={first} create={create} onSend={send} onCancel={close} />
        )}
      </FormDialog>
    </>
  )
}

interface CreateBudgetFormProps {
  readonly first: BudgetDraft
  readonly create: ReturnType<typeof useCreateBudget>
  readonly onSend: (body: NewBudget) => void
  readonly onCancel: () => void
}

function CreateBudgetForm({ first, create, onSend, onCancel }: CreateBudgetFormProps) {
  const [target, setTarget] = useState<NewTarget | null>(null)
  const [isNowhere, setNowhere] = useState(false)
  const form = useNew(BUDGET_FORM, {
    first,
    error: create.error,
    onSend: (body) => onSend(target === null ? body : { ...body, targets: [toTrimmed(target)] }),
  })
  const refusal = toFormRefusal(form.rest, ['address'], { address: TARGET_WORDS })
  useUnsaved(target !== null)
  const submit = (event: FormEvent): void => {
    const hasAddress = target === null || toTrimmed(target).address !== ''
    setNowhere(!hasAddress)
    form.submit(event, hasAddress)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <BudgetFields {...form.fields} />
        <Checkbox
          label="Send its alerts to a target"
          checked={target !== null}
          onChange={(event) =>
            setTarget(event.currentTarget.checked ? { kind: 'webhook', address: '' } : null)
          }
        />
        {target !== null && (
          <TargetFields
            target={target}
            onChange={setTarget}
            error={isNowhere ? NOWHERE : refusal.fields.address}
          />
        )}
      </Stack>
      <FormEnd
        error={refusal.rest}
        action="Create budget"
        isPending={create.isPending}
        onCancel={onCancel}
      />
    </form>
  )
}
