// Signs a device in: a person types the code that it shows, or confirms it, sees who asks and for
// what, and approves or denies. Must stay true: a code from the address is only ever filled in.

import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import type { Device, DeviceDecision } from '../../../../src/api/contract.ts'
import { useSession } from '../../data/session.ts'
import { Entrance } from '../../ui/entrance.tsx'
import { FormFault } from '../../ui/forms/form-end.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { useDecideDevice, useFindDevice } from './device-requests.ts'
import { toAskedWords } from './device-words.ts'

const route = getRouteApi('/device')

export function DevicePage(): ReactElement {
  const { user_code: given } = route.useSearch()
  const find = useFindDevice()
  const decide = useDecideDevice()
  if (decide.data !== undefined) return <Decided decision={decide.data.decision} />
  if (find.data === undefined) {
    return (
      <Entrance
        title="Sign a device in"
        description="Claude Code shows a code while you sign in. Continue only with a code that your own device shows now."
      >
        <CodeForm given={given ?? ''} find={find} />
      </Entrance>
    )
  }
  return (
    <Entrance title="Approve this sign-in?">
      <Approval device={find.data} decide={decide} />
    </Entrance>
  )
}

interface CodeFormProps {
  readonly given: string
  readonly find: ReturnType<typeof useFindDevice>
}

function CodeForm({ given, find }: CodeFormProps) {
  const [code, setCode] = useState(given)
  const email = useSession()?.user.email
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    find.mutate(code)
  }
  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        label="Code"
        description="Eight letters, such as WDJB-MJHT."
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={32}
        autoFocus={given === ''}
      />
      <FormFault error={find.error} />
      <Button type="submit" fullWidth mt="lg" loading={find.isPending}>
        {given === '' ? 'Continue' : 'My device shows this code'}
      </Button>
      <Text size="sm" c="dimmed" mt="md">
        You are signed in as {email}.
      </Text>
    </form>
  )
}

interface ApprovalProps {
  readonly device: Device
  readonly decide: ReturnType<typeof useDecideDevice>
}

function Approval({ device, decide }: ApprovalProps) {
  const { teams, fault, user_code: code } = device
  const [teamId, setTeamId] = useState(teams[0]?.id ?? null)
  const { what, where, warning } = toAskedWords(device)
  const send = (isDenied: boolean) => () =>
    decide.mutate({ user_code: code, team_id: teamId, isDenied })
  return (
    <Stack gap="md">
      <Text ff="monospace" fz="xl" fw={600}>
        {code}
      </Text>
      <Text>{what}</Text>
      <Text size="sm" c="dimmed">
        {where}
      </Text>
      {warning !== null && (
        <Alert role="status" color="yellow" icon={<WarningIcon />}>
          {warning}
        </Alert>
      )}
      {fault !== null && (
        <Alert role="alert" color="red" icon={<WarningIcon />}>
          {fault}
        </Alert>
      )}
      {teams.length > 0 && (
        <Select
          label="Team"
          description="Its calls are booked to this team, within the limits of the team."
          data={teams.map(({ id, name }) => ({ value: id, label: name }))}
          value={teamId}
          onChange={setTeamId}
          allowDeselect={false}
        />
      )}
      <FormFault error={decide.error} />
      <Group grow>
        <Button variant="default" onClick={send(true)} disabled={decide.isPending}>
          Deny
        </Button>
        <Button onClick={send(false)} loading={decide.isPending} disabled={fault !== null}>
          Approve
        </Button>
      </Group>
    </Stack>
  )
}

function Decided({ decision }: DeviceDecision) {
  return decision === 'approved' ? (
    <Entrance
      title="The device is signed in"
      description="Go back to it: it goes on within a few seconds. You can close this page."
    >
      <Text size="sm" c="dimmed">
        It is among your keys as “Claude Code”, where you can pause or revoke it.
      </Text>
    </Entrance>
  ) : (
    <Entrance
      title="The sign-in was denied"
      description="Nobody was given access, and the code is no longer valid."
    >
      <Text size="sm" c="dimmed">
        If you did not begin this sign-in, tell an administrator who sent you here.
      </Text>
    </Entrance>
  )
}
