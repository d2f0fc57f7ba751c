// Ends a budget, with its targets; what it told stays in the log.

import { notifications } from '@mantine/notifications'
import type { BudgetRow } from '../../../../src/api/contract.ts'
import { useDeleteBudget } from './budgets.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'

export function DeleteBudget({ budget }: { readonly budget: BudgetRow }) {
  const end = useDeleteBudget(budget.id)
  const confirm = async (): Promise<void> => {
    await end.mutateAsync(undefined)
    notifications.show({ message: `The budget ${budget.name} is deleted.` })
  }
  return (
    <ConfirmButton
      size="xs"
      label={`Delete ${budget.name}`}
      title={`Delete the budget ${budget.name}?`}
      consequence={
        budget.blocking
          ? 'Nothing watches this spending any more, and calls are not refused by it from now on. Its alerts stay in the log.'
          : 'Nothing watches this spending any more. Its alerts stay in the log.'
      }
      action="Delete the budget"
      onConfirm={confirm}
    >
      Delete
    </ConfirmButton>
  )
}
