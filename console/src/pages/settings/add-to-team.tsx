// Takes a user into a team.

import { Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { MemberRow, UserRow } from '../../../../src/api/contract.ts'
import { useAddMember } from '../../data/teams.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { TeamSelect } from '../keys/team-select.tsx'
import { MemberRoleField } from '../teams/member-role-field.tsx'

export interface AddToTeamProps {
  /** Null while nobody is added. */
  readonly user: UserRow | null
  readonly onClose: () => void
}

export function AddToTeam({ user, onClose }: AddToTeamProps) {
  const title = `Add ${user?.email ?? ''} to a team`
  return (
    <FormDialog isOpen={user !== null} onClose={onClose} title={title}>
      {user !== null && <JoinForm user={user} onClose={onClose} />}
    </FormDialog>
  )
}

function JoinForm({ user, onClose }: { readonly user: UserRow; readonly onClose: () => void }) {
  const [teamId, setTeamId] = useState<string>()
  const [role, setRole] = useState<MemberRow['role']>('member')
  const [isMissing, setMissing] = useState(false)
  const { mutate, error, isPending } = useAddMember(teamId ?? '')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setMissing(teamId === undefined)
    if (teamId === undefined) return
    const onSuccess = (): void => {
      notifications.show({ message: `${user.email} was added to the team.` })
      onClose()
    }
    mutate({ user_id: user.id, role }, { onSuccess })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TeamSelect
          none="Choose a team"
          value={teamId}
          onChange={setTeamId}
          error={isMissing && teamId === undefined ? 'Choose a team.' : undefined}
        />
        <MemberRoleField value={role} onChange={setRole} />
      </Stack>
      <FormEnd error={error} action="Add" isPending={isPending} onCancel={onClose} />
    </form>
  )
}
