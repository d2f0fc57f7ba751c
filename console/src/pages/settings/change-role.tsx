// Gives a user another role.

import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { UserRow } from '../../../../src/api/contract.ts'
import { USER_FIELDS } from '../../../../src/resources/user.ts'
import { useAnyway } from '../../data/meanwhile.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { RoleField } from './role-field.tsx'
import { useChangeUser } from './users.ts'

export interface ChangeRoleProps {
  /** Null while nobody's is changed. */
  readonly user: UserRow | null
  readonly onClose: () => void
}

export function ChangeRole({ user, onClose }: ChangeRoleProps) {
  return (
    <FormDialog isOpen={user !== null} onClose={onClose} title={`The role of ${user?.email ?? ''}`}>
      {user !== null && <RoleForm user={user} onClose={onClose} />}
    </FormDialog>
  )
}

function RoleForm({ user, onClose }: { readonly user: UserRow; readonly onClose: () => void }) {
  const { id, email } = user
  const [role, setRole] = useState(user.role)
  const [error, setError] = useState<Error | null>(null)
  const { mutateAsync, isPending } = useChangeUser()
  const change = useAnyway(user.version, (version) =>
    mutateAsync({ id, version, change: { role } }),
  )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setError(null)
    const onDone = (): void => {
      notifications.show({ message: `${email}: ${USER_FIELDS.role.names[role]} from now on.` })
      onClose()
    }
    void change().then(onDone, setError)
  }
  return (
    <form onSubmit={submit}>
      <RoleField value={role} onChange={setRole} />
      <FormEnd error={error} action="Change role" isPending={isPending} onCancel={onClose} />
    </form>
  )
}
