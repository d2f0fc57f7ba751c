// Edits a budget. Only what was changed is sent.

import { Button, Modal, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { BudgetRow } from '../../../../src/api/contract.ts'
import { BUDGET_FIELDS, findBudgetFaults, toBudgetChange, toBudgetDraft } from './budget-draft.ts'
import type { BudgetFaults } from './budget-draft.ts'
import { useChangeBudget } from './budgets.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { BudgetFields } from './budget-fields.tsx'

export interface EditBudgetProps {
  readonly budget: BudgetRow
}

export function EditBudget({ budget }: EditBudgetProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={`Edit ${budget.name}`}
        onClick={() => setOpen(true)}
      >
        Edit
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        size="lg"
        title={`Budget ${budget.name}`}
        closeOnClickOutside={false}
      >
        <EditBudgetForm budget={budget} onClose={() => setOpen(false)} />
      </Modal>
    </>
  )
}

interface EditBudgetFormProps extends EditBudgetProps {
  readonly onClose: () => void
}

function EditBudgetForm({ budget, onClose }: EditBudgetFormProps) {
  const change = useChangeBudget(budget.id)
  // The figures keep changing behind the form: it is compared with the budget as it opened.
  const [stored] = useState(() => toBudgetDraft(budget))
  const [draft, setDraft] = useState(stored)
  const [own, setOwn] = useState<BudgetFaults>({})
  const refusal = toFormRefusal(change.error, BUDGET_FIELDS)
  const body = toBudgetChange(stored, draft)
  const isJudged = ['limit_usd', 'scope', 'period'].some((field) => field in body)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const found = findBudgetFaults(draft)
    setOwn(found)
    if (Object.keys(found).length > 0) return
    if (Object.keys(body).length === 0) {
      onClose()
      return
    }
    change.mutate(body, {
      onSuccess: (row) => {
        onClose()
        notifications.show({ message: `Budget ${row.name} saved.` })
      },
    })
  }
  return (
    <form onSubmit={submit} noValidate>
      <BudgetFields
        draft={draft}
        onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
        faults={{ ...refusal.fields, ...own }}
      />
      {isJudged && (
        <Text size="sm" c="dimmed" mt="md">
          It is evaluated again at once: every threshold that is reached under the new terms raises
          its alert.
        </Text>
      )}
      <FormEnd error={refusal.rest} action="Save" isPending={change.isPending} onCancel={onClose} />
    </form>
  )
}
