// Sign in: by password or through the identity provider. An error code in the address is put into
// our own words, and the page to go to afterwards is on this host.

import { Alert, Button, Divider, Skeleton, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ReactElement } from 'react'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { toHref } from '../../data/search-values.ts'
import { signInQuery, useSession, useSignIn } from '../../data/session.ts'
import { toAttemptFault, toSignInNotice } from './sign-in-words.ts'
import { Entrance } from '../../ui/entrance.tsx'
import { Fault } from '../../ui/fault.tsx'
import { FormFault } from '../../ui/forms/form-end.tsx'
import { InfoIcon, WarningIcon } from '../../ui/icons.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'

const route = getRouteApi('/sign-in')

export function SignInPage(): ReactElement {
  const { to, error: code } = route.useSearch()
  const { data, error, refetch } = useQuery(signInQuery)
  useLeadOn(to ?? '/')
  const notice = toSignInNotice(code)
  return (
    <Entrance title="Sign in" description="See what AI costs you, and why.">
      <Stack gap="md">
        {notice !== null && (
          <Alert
            role={notice.isFault ? 'alert' : 'status'}
            color={notice.isFault ? 'red' : 'river'}
            icon={notice.isFault ? <WarningIcon /> : <InfoIcon />}
          >
            {notice.text}
          </Alert>
        )}
        {error !== null && <Fault error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton h={196} aria-hidden="true" />}
        {data?.needs_setup === true && (
          <Alert role="status" color="yellow" icon={<InfoIcon />} title="Not set up yet">
            Weir printed a link when it first started. Open it to create the first administrator.
          </Alert>
        )}
        {data?.has_password === true && <PasswordForm to={to ?? '/'} />}
        {data?.has_password === true && data.oidc_name !== null && <Divider label="or" />}
        {data !== undefined && data.oidc_name !== null && (
          <Button
            // A page of the API, not of the console.
            component="a"
            href={toHref('/v1/oidc/start', { to })}
            variant={data.has_password ? 'default' : 'filled'}
            fullWidth
          >
            Continue with {data.oidc_name}
          </Button>
        )}
      </Stack>
    </Entrance>
  )
}

/** A user who is signed in is sent on. */
function useLeadOn(to: string): void {
  const navigate = route.useNavigate()
  const isSignedIn = useSession() !== null
  useEffect(() => {
    if (isSignedIn) void navigate({ href: to, replace: true })
  }, [isSignedIn, navigate, to])
}

const FIELDS = ['email', 'password'] as const

function PasswordForm({ to }: { readonly to: string }) {
  const signIn = useSignIn()
  const navigate = route.useNavigate()
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '' } })
  const refusal = toFormRefusal(signIn.error, FIELDS)
  const submit = form.onSubmit((values) => {
    const onError = (error: Error): void => form.setErrors(toFormRefusal(error, FIELDS).fields)
    const onSuccess = (): void => void navigate({ href: to, replace: true })
    signIn.mutate(values, { onError, onSuccess })
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
      </Stack>
      <FormFault error={refusal.rest === null ? null : toAttemptFault(refusal.rest)} />
      <Button type="submit" fullWidth mt="lg" loading={signIn.isPending}>
        Sign in
      </Button>
    </form>
  )
}
