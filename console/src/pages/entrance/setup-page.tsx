// Set up Weir: the one-time link of the first start creates the first administrator.

import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { signInQuery, useSetup } from '../../data/session.ts'
import { toAttemptFault } from './sign-in-words.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Entrance } from '../../ui/entrance.tsx'
import { FormFault } from '../../ui/forms/form-end.tsx'
import { TextLink } from '../../ui/link.tsx'
import { NewPasswordField } from './new-password-field.tsx'

const route = getRouteApi('/setup')
const NEW_USER = 'npx weir users create --email EMAIL --role admin'

export function SetupPage(): ReactElement {
  const { code } = route.useSearch()
  const { data } = useQuery(signInQuery)
  if (code === undefined) return <NoLink title="This link is incomplete" />
  if (data?.needs_setup === false) return <NoLink title="Weir is already set up" />
  return (
    <Entrance title="Set up Weir" description="You will be its first administrator.">
      <SetupForm code={code} />
    </Entrance>
  )
}

const FIELDS = ['name', 'email', 'password'] as const

function SetupForm({ code }: { readonly code: string }) {
  const setup = useSetup()
  const navigate = route.useNavigate()
  const initialValues = { name: '', email: '', password: '' }
  const form = useForm({ mode: 'uncontrolled', initialValues })
  const refusal = toFormRefusal(setup.error, FIELDS)
  const submit = form.onSubmit((values) => {
    const onError = (error: Error): void => form.setErrors(toFormRefusal(error, FIELDS).fields)
    const onSuccess = (): void => void navigate({ to: '/', replace: true })
    setup.mutate({ code, ...values }, { onError, onSuccess })
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Shown to others beside your changes."
          name="name"
          autoComplete="name"
          required
          withAsterisk={false}
          autoFocus
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Email"
          description="You sign in with it. Weir sends no email to it."
          name="email"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <NewPasswordField key={form.key('password')} {...form.getInputProps('password')} />
      </Stack>
      <FormFault error={refusal.rest === null ? null : toAttemptFault(refusal.rest)} />
      <Button type="submit" fullWidth mt="lg" loading={setup.isPending}>
        Create administrator
      </Button>
    </form>
  )
}

function NoLink({ title }: { readonly title: string }) {
  return (
    <Entrance title={title} description="Weir prints the link when it first starts. It works once.">
      <Stack gap="md">
        <p className="fault-text">
          If you have an account,{' '}
          <TextLink href="/sign-in" underline="always">
            sign in
          </TextLink>
          . Otherwise create one on the machine that Weir runs on; it prints a link to set the
          password:
        </p>
        <CodeBlock label="the command that creates an administrator" text={NEW_USER} />
      </Stack>
    </Entrance>
  )
}
