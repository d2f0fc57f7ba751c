// Takes a user into a team, by their address.

import { Autocomplete, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { MemberRow, TeamAnswer } from '../../../../src/api/contract.ts'
import { USER_FIELDS } from '../../../../src/resources/user.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { useUserNames } from '../../data/known-names.ts'
import { useAddMember } from '../../data/teams.ts'
import { useUnsaved } from '../../data/unsaved.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { MemberRoleField } from './member-role-field.tsx'

export interface AddMemberProps {
  readonly team: TeamAnswer
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function AddMember({ team, isOpen, onClose }: AddMemberProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={`Add someone to ${team.name}`}>
      <AddForm team={team} onClose={onClose} />
    </FormDialog>
  )
}

const WORDS = {
  email: {
    text: 'No user has this address. An administrator can invite them under Settings.',
    match: /^email is of no user/,
  },
}

function AddForm({ team, onClose }: Omit<AddMemberProps, 'isOpen'>) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<MemberRow['role']>('member')
  const users = useUserNames()
  const { mutate, error, isPending } = useAddMember(team.id)
  const refusal = toFormRefusal(error, ['email'], WORDS)
  useUnsaved(email !== '')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const onSuccess = (added: MemberRow): void => {
      notifications.show({ message: `${added.email} is now in ${team.name}.` })
      onClose()
    }
    mutate({ email: email.trim(), role }, { onSuccess })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Autocomplete
          label={USER_FIELDS.email.label}
          placeholder={USER_FIELDS.email.example}
          data={[...users.values()]}
          limit={20}
          openOnFocus={false}
          value={email}
          onChange={setEmail}
          data-autofocus
          error={refusal.fields.email}
        />
        <MemberRoleField value={role} onChange={setRole} />
      </Stack>
      <FormEnd error={refusal.rest} action="Add" isPending={isPending} onCancel={onClose} />
    </form>
  )
}
