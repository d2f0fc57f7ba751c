// Invites a user: their address, name and role; the answer is a one-time link.

import { Modal, Radio, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { NewUserBody, UserLinkAnswer } from '../../../../src/api/contract.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { useInviteUser } from './users.ts'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { useHasUnsaved, useUnsaved } from '../../ui/forms/use-unsaved.ts'
import { LinkOnce } from './link-once.tsx'

export interface InviteUserProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function InviteUser({ isOpen, onClose }: InviteUserProps): ReactElement {
  const hasTyped = useHasUnsaved()
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="Invite a user"
      closeOnClickOutside={false}
      closeOnEscape={!hasTyped}
    >
      <InviteForm onClose={onClose} />
    </Modal>
  )
}

const WORDS = {
  email: { text: 'Enter an email address, such as ada@example.com.' },
  name: { text: 'Enter a name of at most 100 characters, in one line.' },
  role: { text: 'Choose a role.' },
}

const NEW_USER: NewUserBody = { email: '', name: '', role: 'viewer' }

function InviteForm({ onClose }: Pick<InviteUserProps, 'onClose'>) {
  const form = useForm<NewUserBody>({ initialValues: NEW_USER })
  const { mutate, error, isPending } = useInviteUser()
  const [link, setLink] = useState<UserLinkAnswer | null>(null)
  const refusal = toFormRefusal(error, ['email', 'name', 'role'], WORDS)
  useUnsaved(link === null && form.isDirty())
  if (link !== null) return <LinkOnce link={link} onClose={onClose} />
  return (
    <form onSubmit={form.onSubmit((body) => mutate(body, { onSuccess: setLink }))} noValidate>
      <Stack>
        <TextInput
          label="Email address"
          type="email"
          required
          withAsterisk={false}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('email')}
          error={refusal.fields.email}
        />
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          autoComplete="off"
          {...form.getInputProps('name')}
          error={refusal.fields.name}
        />
        <Radio.Group label="Role" {...form.getInputProps('role')}>
          <Stack gap="xs" mt="xs">
            <Radio
              value="viewer"
              label="Viewer"
              description="Can view figures, calls and keys. Cannot change anything."
            />
            <Radio value="admin" label="Administrator" description="Can change everything." />
          </Stack>
        </Radio.Group>
      </Stack>
      <FormEnd error={refusal.rest} action="Invite" isPending={isPending} onCancel={onClose} />
    </form>
  )
}
