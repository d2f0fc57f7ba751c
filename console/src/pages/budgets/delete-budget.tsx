// Deletes a budget and its targets; its alerts stay in the log.

import { notifications } from '@mantine/notifications'
import type { BudgetRow } from '../../../../src/api/contract.ts'
import { useDeleteBudget } from './budgets.ts'
import { useAnyway } from '../../data/use-anyway.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'

export function DeleteBudget({ budget }: { readonly budget: BudgetRow }) {
  const end = useDeleteBudget(budget.id)
  const remove = useAnyway(budget.version, end.mutateAsync)
  const confirm = async (): Promise<void> => {
    await remove()
    notifications.show({ message: `Budget ${budget.name} deleted.` })
  }
  return (
    <ConfirmButton
      size="xs"
      label={`Delete ${budget.name}`}
      title={`Delete budget ${budget.name}?`}
      consequence={
        budget.blocking
          ? 'This spending is no longer watched, and the budget no longer refuses calls. Its alerts stay in the log.'
          : 'This spending is no longer watched. Its alerts stay in the log.'
      }
      action="Delete budget"
      onConfirm={confirm}
    >
      Delete
    </ConfirmButton>
  )
}
