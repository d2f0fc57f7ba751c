// Invites a user: their address, name and role; the answer is a one-time link.

import { Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { NewUserBody, UserLinkAnswer } from '../../../../src/api/contract.ts'
import { USER_FIELDS } from '../../../../src/resources/user.ts'
import { createFieldForm } from '../../data/forms/field-form.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { useInviteUser } from './users.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { useUnsaved } from '../../data/unsaved.ts'
import { LinkOnce } from './link-once.tsx'
import { RoleField } from './role-field.tsx'

export interface InviteUserProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function InviteUser({ isOpen, onClose }: InviteUserProps): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Invite a user">
      <InviteForm onClose={onClose} />
    </FormDialog>
  )
}

const FORM = createFieldForm(USER_FIELDS)
const NEW_USER: NewUserBody = { email: '', name: '', role: 'viewer' }

function InviteForm({ onClose }: Pick<InviteUserProps, 'onClose'>) {
  const form = useForm<NewUserBody>({ initialValues: NEW_USER })
  const { mutate, error, isPending } = useInviteUser()
  const [link, setLink] = useState<UserLinkAnswer | null>(null)
  const refusal = toFormRefusal(error, FORM.names, FORM.wordsOf(form.values))
  useUnsaved(link === null && form.isDirty())
  if (link !== null) return <LinkOnce link={link} onClose={onClose} />
  return (
    <form onSubmit={form.onSubmit((body) => mutate(body, { onSuccess: setLink }))} noValidate>
      <Stack>
        <TextInput
          label={USER_FIELDS.email.label}
          type="email"
          required
          withAsterisk={false}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('email')}
          error={refusal.fields.email}
        />
        <TextInput
          label={USER_FIELDS.name.label}
          required
          withAsterisk={false}
          autoComplete="off"
          {...form.getInputProps('name')}
          error={refusal.fields.name}
        />
        <RoleField value={form.values.role} onChange={(role) => form.setFieldValue('role', role)} />
      </Stack>
      <FormEnd error={refusal.rest} action="Invite" isPending={isPending} onCancel={onClose} />
    </form>
  )
}
