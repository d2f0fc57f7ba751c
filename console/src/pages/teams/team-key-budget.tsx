// What each key of a team may spend: one budget that is kept with the team. Its leads see it here,
// and only who sets budgets of the whole company changes it.

import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { TeamAnswer } from '../../../../src/api/contract.ts'
import { KEY_BUDGET_FIELDS } from '../../../../src/resources/key-budget.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { useCan, useSeesCompany } from '../../data/session.ts'
import { useRemoveKeyBudget, useSetKeyBudget } from './set-key-budget.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { FieldInputs } from '../../ui/forms/field-inputs.tsx'
import { closeOnce, FormDialog } from '../../ui/forms/form-dialog.tsx'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { useNew } from '../../ui/forms/use-new.ts'
import { TextLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { KEY_BUDGET_FORM, NO_BUDGET } from '../keys/key-draft.ts'

interface TeamProps {
  readonly team: TeamAnswer
}

export function TeamKeyBudget({ team }: TeamProps) {
  const { key_budget: budget } = team
  const isCompany = useSeesCompany()
  const canChange = useCan('write:budgets') && isCompany && team.status === 'active'
  return (
    <Panel
      heading="What each key may spend"
      description="For each of its keys apart, new ones from their first call."
      actions={canChange && <Actions team={team} />}
    >
      {budget === null ? (
        <p className="quiet">Its keys are given no budget.</p>
      ) : (
        <Text>
          {formatUsd(budget.limit_usd)} each {budget.period}
          {budget.blocking ? ', then its calls are refused. ' : '; alerts only. '}
          <TextLink href={`/budgets#${budget.budget_id}`}>Its budget</TextLink>
        </Text>
      )}
    </Panel>
  )
}

function Actions({ team }: TeamProps) {
  const [isOpen, setOpen] = useState(false)
  const set = useSetKeyBudget(team.id)
  const remove = useRemoveKeyBudget(team.id)
  const close = (): void => closeOnce(set, () => setOpen(false))
  const { key_budget: budget } = team
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {budget === null ? 'Set a budget' : 'Change'}
      </Button>
      {budget !== null && (
        <ConfirmButton
          title={`Give the keys of ${team.name} no budget?`}
          consequence="What they have spent stays on record. Nothing of this budget limits them any more."
          action="Remove it"
          done="Its keys are given no budget."
          onConfirm={() => remove.mutateAsync(undefined)}
        >
          Remove
        </ConfirmButton>
      )}
      <FormDialog isOpen={isOpen} onClose={close} title="What each key may spend">
        <KeyBudgetForm team={team} set={set} onClose={close} />
      </FormDialog>
    </>
  )
}

interface FormProps extends TeamProps {
  readonly set: ReturnType<typeof useSetKeyBudget>
  readonly onClose: () => void
}

function KeyBudgetForm({ team, set, onClose }: FormProps) {
  const { key_budget: budget } = team
  const { fields, rest, submit } = useNew(KEY_BUDGET_FORM, {
    first: budget === null ? NO_BUDGET : KEY_BUDGET_FORM.toDraft(budget),
    error: set.error,
    onSend: (body) =>
      set.mutate(body, {
        onSuccess: ({ name }) => {
          notifications.show({ message: `The budget of each key of ${name} is saved.` })
          onClose()
        },
      }),
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Group align="flex-start" gap="lg">
          <FieldInputs fields={KEY_BUDGET_FIELDS} names={['limit_usd', 'period']} {...fields} />
        </Group>
        <FieldInputs fields={KEY_BUDGET_FIELDS} names={['blocking']} {...fields} />
      </Stack>
      <FormEnd error={rest} action="Save" isPending={set.isPending} onCancel={onClose} />
    </form>
  )
}
