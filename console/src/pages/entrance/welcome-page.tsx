// Welcome: a one-time link for setting a password.

import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { useWelcome } from '../../data/session.ts'
import { toAttemptFault } from './sign-in-words.ts'
import { Entrance } from '../../ui/entrance.tsx'
import { FormFault } from '../../ui/forms/form-end.tsx'
import { TextLink } from '../../ui/link.tsx'
import { NewPasswordField } from './new-password-field.tsx'

const route = getRouteApi('/welcome')
const FIELDS = ['password'] as const

export function WelcomePage(): ReactElement {
  const { code } = route.useSearch()
  if (code === undefined) {
    return (
      <Entrance
        title="This link is incomplete"
        description="Open it exactly as you received it, or ask an administrator for a new one."
      >
        <TextLink href="/sign-in">Sign in with your password</TextLink>
      </Entrance>
    )
  }
  return (
    <Entrance title="Welcome" description="Choose a password to sign in.">
      <WelcomeForm code={code} />
    </Entrance>
  )
}

function WelcomeForm({ code }: { readonly code: string }) {
  const welcome = useWelcome()
  const navigate = route.useNavigate()
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } })
  const refusal = toFormRefusal(welcome.error, FIELDS)
  const submit = form.onSubmit((values) => {
    const onError = (error: Error): void => form.setErrors(toFormRefusal(error, FIELDS).fields)
    const onSuccess = (): void => void navigate({ to: '/', replace: true })
    welcome.mutate({ code, ...values }, { onError, onSuccess })
  })
  return (
    <form onSubmit={submit} noValidate>
      <NewPasswordField autoFocus key={form.key('password')} {...form.getInputProps('password')} />
      <FormFault error={refusal.rest === null ? null : toAttemptFault(refusal.rest)} />
      <Button type="submit" fullWidth mt="lg" loading={welcome.isPending}>
        Set password and sign in
      </Button>
    </form>
  )
}
