// Edits a budget. Only what was changed is sent, and nothing of others is overwritten unseen.

import { Button, Modal, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { BudgetRow } from '../../../../src/api/contract.ts'
import { BUDGET_FORM, findBudgetFaults, toBudgetWords } from './budget-draft.ts'
import type { BudgetFaults } from './budget-draft.ts'
import { readBudget, useChangeBudget } from './budgets.ts'
import { toChangeLines } from '../../data/meanwhile.ts'
import { useEditor } from '../../data/use-editor.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { ChangedMeanwhile } from '../../ui/forms/changed-meanwhile.tsx'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { useHasUnsaved, useUnsaved } from '../../ui/forms/use-unsaved.ts'
import { BudgetFields } from './budget-fields.tsx'

export interface EditBudgetProps {
  readonly budget: BudgetRow
}

export function EditBudget({ budget }: EditBudgetProps) {
  const [isOpen, setOpen] = useState(false)
  const hasTyped = useHasUnsaved()
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
        closeOnEscape={!hasTyped}
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
  const [opened] = useState(budget)
  const editor = useEditor({
    row: opened,
    fields: BUDGET_FORM.names,
    toDraft: BUDGET_FORM.toDraft,
    readAgain: () => readBudget(budget.id),
  })
  const { draft, stored, version, meanwhile, write, onRefused } = editor
  const [own, setOwn] = useState<BudgetFaults>({})
  const refusal = toFormRefusal(change.error, BUDGET_FORM.names, toBudgetWords(draft))
  const body = BUDGET_FORM.toChange({ stored, draft }, Date.now())
  const isJudged = ['limit_usd', 'scope', 'period'].some((field) => field in body)
  const conflicts = BUDGET_FORM.toConflicts(editor)
  useUnsaved(Object.keys(body).length > 0)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const found = findBudgetFaults(draft)
    setOwn(found)
    if (Object.keys(found).length > 0) return
    if (Object.keys(body).length === 0) {
      onClose()
      return
    }
    const onSuccess = (row: BudgetRow): void => {
      onClose()
      notifications.show({ message: `Budget ${row.name} saved.` })
    }
    change.mutate({ body, version }, { onError: onRefused, onSuccess })
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
      {meanwhile !== null && (
        <ChangedMeanwhile
          lines={toChangeLines(meanwhile.changes)}
          conflicts={conflicts}
          onKeepTheirs={(field) => write({ [field]: stored[field] })}
        />
      )}
      <FormEnd
        error={meanwhile === null ? refusal.rest : null}
        action={conflicts.length === 0 ? 'Save' : 'Save yours over it'}
        isPending={change.isPending}
        onCancel={onClose}
      />
    </form>
  )
}
