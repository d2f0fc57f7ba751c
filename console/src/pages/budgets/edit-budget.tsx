// Edits or deletes a budget. Only what was changed is sent, and nothing of others is overwritten
// unseen.

import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { BudgetRow } from '../../../../src/api/contract.ts'
import { BUDGET_FORM } from './budget-draft.ts'
import { readBudget, useChangeBudget, useDeleteBudget } from './budgets.ts'
import { useAnyway } from '../../data/meanwhile.ts'
import { ChangedMeanwhile } from '../../ui/forms/changed-meanwhile.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { useEdited } from '../../ui/forms/use-edited.ts'
import { BudgetFields } from './budget-fields.tsx'

export interface EditBudgetProps {
  readonly budget: BudgetRow
}

export function BudgetActions(props: EditBudgetProps) {
  return (
    <Group gap="xs" wrap="nowrap">
      <EditBudget {...props} />
      <DeleteBudget {...props} />
    </Group>
  )
}

/** Its targets go with it; its alerts stay in the log. */
function DeleteBudget({ budget: { id, name, version, blocking } }: EditBudgetProps) {
  const { mutateAsync } = useDeleteBudget(id)
  const refused = blocking ? ', and the budget no longer refuses calls' : ''
  return (
    <ConfirmButton
      size="xs"
      label={`Delete ${name}`}
      title={`Delete budget ${name}?`}
      consequence={`This spending is no longer watched${refused}. Its alerts stay in the log.`}
      action="Delete budget"
      done={`Budget ${name} deleted.`}
      onConfirm={useAnyway(version, mutateAsync)}
    >
      Delete
    </ConfirmButton>
  )
}

function EditBudget({ budget }: EditBudgetProps) {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
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
      <FormDialog isOpen={isOpen} onClose={close} size="lg" title={`Budget ${budget.name}`}>
        <EditBudgetForm budget={budget} onClose={close} />
      </FormDialog>
    </>
  )
}

interface EditBudgetFormProps extends EditBudgetProps {
  readonly onClose: () => void
}

function EditBudgetForm({ budget, onClose }: EditBudgetFormProps) {
  const change = useChangeBudget(budget.id)
  // The figures keep changing behind the form: it is compared with the budget as it opened.
  const [opened] = useState(budget)
  const [own, setOwn] = useState({})
  const form = useEdited(BUDGET_FORM, {
    row: opened,
    readAgain: () => readBudget(budget.id),
    saving: change,
    onSaved: (row) => {
      onClose()
      notifications.show({ message: `Budget ${row.name} saved.` })
    },
  })
  const { draft, body, refusal, meanwhile, conflicts, write } = form
  const isJudged = ['limit_usd', 'scope', 'period'].some((field) => field in body)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const found = BUDGET_FORM.findFaults(draft)
    setOwn(found)
    if (Object.keys(found).length > 0) return
    if (Object.keys(body).length === 0) onClose()
    else form.save()
  }
  return (
    <form onSubmit={submit} noValidate>
      <BudgetFields draft={draft} onChange={write} faults={{ ...refusal.fields, ...own }} />
      {isJudged && (
        <Text size="sm" c="dimmed" mt="md">
          It is evaluated again at once: every threshold that is reached under the new terms raises
          its alert.
        </Text>
      )}
      {meanwhile !== null && <ChangedMeanwhile {...form} changes={meanwhile.changes} />}
      <FormEnd
        error={meanwhile === null ? refusal.rest : null}
        action={conflicts.length === 0 ? 'Save' : 'Save yours over it'}
        isPending={change.isPending}
        onCancel={onClose}
      />
    </form>
  )
}
