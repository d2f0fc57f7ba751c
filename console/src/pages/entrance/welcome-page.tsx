// Welcome: a one-time link for setting a password.

import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useWelcome } from '../../data/session.ts'
import { Entrance } from '../../ui/entrance.tsx'
import { TextLink } from '../../ui/link.tsx'
import { EntranceForm, NEW_PASSWORD } from './entrance-form.tsx'

const route = getRouteApi('/welcome')

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

const PARTS = [NEW_PASSWORD]

function WelcomeForm({ code }: { readonly code: string }) {
  const welcome = useWelcome()
  const navigate = route.useNavigate()
  return (
    <EntranceForm
      parts={PARTS}
      beginning={welcome}
      onSend={({ password }, then) => welcome.mutate({ code, password }, then)}
      onSignedIn={() => void navigate({ to: '/', replace: true })}
      action="Set password and sign in"
    />
  )
}
