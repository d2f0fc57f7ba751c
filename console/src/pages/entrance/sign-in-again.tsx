// Signs in again where the session ended under a page with something unsaved. It covers the page,
// which is nobody's to see meanwhile, and only the same user goes on with it.

import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import type { ReactElement } from 'react'
import type { SessionAnswer } from '../../../../src/api/contract.ts'
import { readSignedIn, signInQuery, useResume, useSignInAgain } from '../../data/session.ts'
import { toHref } from '../../data/search-values.ts'
import { InfoIcon } from '../../ui/icons.tsx'
import { EntranceForm, PASSWORD } from './entrance-form.tsx'
import './sign-in-again.css'

export interface SignInAgainProps {
  /** Whose session ended. */
  readonly user: SessionAnswer['user']
  /** Gives up what is unsaved. */
  readonly onLeave: () => void
}

export function SignInAgain({ user, onLeave }: SignInAgainProps): ReactElement {
  const place = useRef<HTMLDialogElement>(null)
  const title = useId()
  const { data } = useQuery(signInQuery)
  const other = useOtherTab(user)
  // Above every other dialog, and all behind it is inert.
  useEffect(() => place.current?.showModal(), [])
  return (
    <dialog
      ref={place}
      className="sign-in-again"
      aria-labelledby={title}
      onCancel={(event) => event.preventDefault()}
    >
      <Stack gap="md">
        <Title order={2} id={title}>
          Sign in again
        </Title>
        <Text>
          Your session has ended. What you typed is still here, and not saved yet. Sign in as{' '}
          <strong>{user.email}</strong> to go on with it.
        </Text>
        {other !== null && (
          <Alert role="status" color="yellow" icon={<InfoIcon />}>
            {other} is signed in now, in another tab of this browser.
          </Alert>
        )}
        {data?.has_password !== false && <PasswordForm email={user.email} />}
        {data !== undefined && data.oidc_name !== null && (
          <Button
            // In a tab of its own, since leaving this page would lose what was typed.
            component="a"
            href={toHref('/v1/oidc/start', {})}
            target="_blank"
            rel="noopener"
            variant="default"
            fullWidth
          >
            Continue with {data.oidc_name} in a new tab
          </Button>
        )}
        <Group justify="center">
          <Button variant="subtle" color="gray" onClick={onLeave}>
            Leave without saving
          </Button>
        </Group>
      </Stack>
    </dialog>
  )
}

function PasswordForm({ email }: { readonly email: string }) {
  const signIn = useSignInAgain()
  return (
    <>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <EntranceForm
        parts={PARTS}
        beginning={signIn}
        onSend={({ password }, then) => signIn.mutate({ email, password }, then)}
        onSignedIn={useResumed()}
        action="Sign in"
      />
    </>
  )
}

const PARTS = [PASSWORD]

function useResumed(): (session: SessionAnswer) => void {
  const resume = useResume()
  return (session) => {
    resume(session)
    notifications.show({ message: 'You are signed in again. Nothing was saved meanwhile.' })
  }
}

/** Looks whether someone has signed in elsewhere when the tab comes back: the name of another. */
function useOtherTab({ id }: SessionAnswer['user']): string | null {
  const [other, setOther] = useState<string | null>(null)
  const resume = useRef(useResumed())
  useEffect(() => {
    const look = async (): Promise<void> => {
      const session = await readSignedIn()
      if (session?.user.id === id) resume.current(session)
      else setOther(session?.user.email ?? null)
    }
    const onFocus = (): void => void look().catch(() => undefined)
    window.addEventListener('focus', onFocus)
    return () => window.removeEventListener('focus', onFocus)
  }, [id])
  return other
}
