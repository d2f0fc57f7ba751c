// Creates a team, and leads to who is in it.

import { Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { TEAM_FIELDS } from '../../../../src/resources/team.ts'
import { useCreateTeam } from '../../data/teams.ts'
import { FieldInputs } from '../../ui/forms/field-inputs.tsx'
import { closeOnce, FormDialog } from '../../ui/forms/form-dialog.tsx'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { useNew } from '../../ui/forms/use-new.ts'
import { TEAM_FORM, withName } from './team-draft.ts'
import { DepartmentField } from './team-fields.tsx'

export interface CreateTeamProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function CreateTeam({ isOpen, onClose }: CreateTeamProps) {
  const create = useCreateTeam()
  const close = (): void => closeOnce(create, onClose)
  return (
    <FormDialog isOpen={isOpen} onClose={close} title="Create a team">
      <CreateTeamForm create={create} onCancel={close} />
    </FormDialog>
  )
}

interface CreateTeamFormProps {
  readonly create: ReturnType<typeof useCreateTeam>
  readonly onCancel: () => void
}

function CreateTeamForm({ create, onCancel }: CreateTeamFormProps) {
  const { error, isPending, mutate } = create
  const navigate = useNavigate()
  const { fields, rest, submit } = useNew(TEAM_FORM, {
    error,
    onSend: (body) =>
      mutate(body, {
        onSuccess: ({ id, name }) => {
          notifications.show({ message: `Team ${name} created. Nobody is in it yet.` })
          const search = { tab: 'people' } as const
          void navigate({ to: '/teams/$id', params: { id }, search, ignoreBlocker: true })
        },
      }),
  })
  const { draft, onChange } = fields
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <FieldInputs
          fields={TEAM_FIELDS}
          names={['name']}
          {...fields}
          onChange={({ name = '' }) => onChange(withName(draft, name))}
        />
        <FieldInputs fields={TEAM_FIELDS} names={['slug']} {...fields} />
        <DepartmentField {...fields} />
        <FieldInputs fields={TEAM_FIELDS} names={['cost_center']} {...fields} />
      </Stack>
      <FormEnd error={rest} action="Create team" isPending={isPending} onCancel={onCancel} />
    </form>
  )
}
