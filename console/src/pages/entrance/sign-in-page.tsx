// Sign in: by password or through the identity provider. An error code in the address is put into
// our own words, and the page to go to afterwards is on this host.

import { Alert, Button, Divider, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ReactElement } from 'react'
import { toHref } from '../../data/search-values.ts'
import { signInQuery, useSession, useSignIn } from '../../data/session.ts'
import { EntranceForm, PASSWORD } from './entrance-form.tsx'
import { toSignInNotice } from './sign-in-words.ts'
import { Entrance } from '../../ui/entrance.tsx'
import { Fault } from '../../ui/fault.tsx'
import { InfoIcon, WarningIcon } from '../../ui/icons.tsx'

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

const PARTS = [{ name: 'email', label: 'Email', autoComplete: 'username' }, PASSWORD] as const

function PasswordForm({ to }: { readonly to: string }) {
  const signIn = useSignIn()
  const navigate = route.useNavigate()
  return (
    <EntranceForm
      parts={PARTS}
      beginning={signIn}
      onSend={({ email, password }, then) => signIn.mutate({ email, password }, then)}
      onSignedIn={() => void navigate({ href: to, replace: true })}
      action="Sign in"
    />
  )
}
