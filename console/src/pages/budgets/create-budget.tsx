// Creates a budget, with one target if wanted; others can be added later. Then shows the webhook's
// secret, once.

import { Button, Checkbox, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { NewBudget, NewTarget } from '../../../../src/api/contract.ts'
import { BUDGET_FORM, findBudgetFaults, NEW_BUDGET, toBudgetWords } from './budget-draft.ts'
import type { BudgetDraft, BudgetFaults } from './budget-draft.ts'
import { useCreateBudget } from './budgets.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { closeOnce, OnceDialog } from '../../ui/forms/once-dialog.tsx'
import { useUnsaved } from '../../ui/forms/use-unsaved.ts'
import { BudgetFields } from './budget-fields.tsx'
import { TARGET_WORDS, TargetFields } from './target-fields.tsx'
import { WebhookSecrets } from './webhook-secrets.tsx'
import type { WebhookSecret } from './webhook-secrets.tsx'

export function CreateBudget() {
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
      <Button leftSection={<PlusIcon size={16} />} onClick={() => setOpen(true)}>
        Create a budget
      </Button>
      <OnceDialog
        isOpen={isOpen}
        onClose={close}
        size="lg"
        title={isSecret ? `Budget ${create.data?.name ?? ''}` : 'Create a budget'}
        hasSecret={isSecret}
      >
        {isSecret ? (
          <WebhookSecrets secrets={secrets} onKept={close} />
        ) : (
          <CreateBudgetForm create={create} onSend={send} onCancel={close} />
        )}
      </OnceDialog>
    </>
  )
}

interface CreateBudgetFormProps {
  readonly create: ReturnType<typeof useCreateBudget>
  readonly onSend: (body: NewBudget) => void
  readonly onCancel: () => void
}

const FIELDS = [...BUDGET_FORM.names, 'address'] as const

function CreateBudgetForm({ create, onSend, onCancel }: CreateBudgetFormProps) {
  const [draft, setDraft] = useState<BudgetDraft>(NEW_BUDGET)
  const [target, setTarget] = useState<NewTarget | null>(null)
  const [own, setOwn] = useState<BudgetFaults & { readonly address?: string }>({})
  const refusal = toFormRefusal(create.error, FIELDS, {
    ...toBudgetWords(draft),
    address: TARGET_WORDS,
  })
  useUnsaved(draft !== NEW_BUDGET || target !== null)
  const faults = { ...refusal.fields, ...own }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const isNowhere = target?.address.trim() === ''
    const address = isNowhere ? { address: 'Enter where alerts are sent.' } : {}
    const found = { ...findBudgetFaults(draft), ...address }
    setOwn(found)
    if (Object.keys(found).length > 0) return
    const body = BUDGET_FORM.toBody(draft, Date.now())
    if (target === null) onSend(body)
    else onSend({ ...body, targets: [{ ...target, address: target.address.trim() }] })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <BudgetFields
          draft={draft}
          onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
          faults={faults}
        />
        <Checkbox
          label="Send its alerts to a target"
          checked={target !== null}
          onChange={(event) =>
            setTarget(event.currentTarget.checked ? { kind: 'webhook', address: '' } : null)
          }
        />
        {target !== null && (
          <TargetFields target={target} onChange={setTarget} error={faults.address} />
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
