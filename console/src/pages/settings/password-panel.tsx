// Changes the user's own password. What was typed is forgotten once it is sent.

import { Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import type { ReactElement } from 'react'
import type { PasswordChange } from '../../../../src/api/contract.ts'
import { useChangePassword } from './account.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { FormFault } from '../../ui/forms/form-fault.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'

const EMPTY: PasswordChange = { current_password: '', password: '' }

export interface PasswordPanelProps {
  readonly hasPassword: boolean
}

export function PasswordPanel({ hasPassword }: PasswordPanelProps): ReactElement {
  return (
    <Panel heading="Password" description="Changing it signs out all your other sessions.">
      {hasPassword ? (
        <PasswordForm />
      ) : (
        <p className="quiet">
          You sign in through the identity provider, without a password in Weir.
        </p>
      )}
    </Panel>
  )
}

function PasswordForm() {
  const form = useForm<PasswordChange>({ initialValues: EMPTY })
  const { mutate, error, isPending } = useChangePassword()
  const refusal = toFormRefusal(error, ['current_password', 'password'])
  const change = (body: PasswordChange): void => {
    mutate(body, {
      onSuccess: () => {
        form.reset()
        notifications.show({ message: 'Password changed.' })
      },
    })
  }
  return (
    <form onSubmit={form.onSubmit(change)}>
      <Stack>
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
          error={refusal.fields.current_password}
        />
        <PasswordField
          label="New password"
          description="At least 12 characters. A sentence works well."
          autoComplete="new-password"
          minLength={12}
          {...form.getInputProps('password')}
          error={refusal.fields.password}
        />
      </Stack>
      <FormFault error={refusal.rest} />
      <Group justify="flex-end" mt="md">
        <Button type="submit" loading={isPending}>
          Change password
        </Button>
      </Group>
    </form>
  )
}
