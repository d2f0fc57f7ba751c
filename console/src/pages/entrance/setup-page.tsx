// Set up Weir: the one-time link of the first start creates the first administrator.

import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { signInQuery, useSetup } from '../../data/session.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Entrance } from '../../ui/entrance.tsx'
import { TextLink } from '../../ui/link.tsx'
import { EntranceForm, NEW_PASSWORD } from './entrance-form.tsx'

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

const PARTS = [
  {
    name: 'name',
    label: 'Name',
    description: 'Shown to others beside your changes.',
    autoComplete: 'name',
  },
  {
    name: 'email',
    label: 'Email',
    description: 'You sign in with it. Weir sends no email to it.',
    autoComplete: 'username',
  },
  NEW_PASSWORD,
] as const

function SetupForm({ code }: { readonly code: string }) {
  const setup = useSetup()
  const navigate = route.useNavigate()
  return (
    <EntranceForm
      parts={PARTS}
      beginning={setup}
      onSend={(values, then) => setup.mutate({ code, ...values }, then)}
      onSignedIn={() => void navigate({ to: '/', replace: true })}
      action="Create administrator"
    />
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
