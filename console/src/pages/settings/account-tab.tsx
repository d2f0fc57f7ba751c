// The user's own account: who they are, their password, and where they are signed in.

import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import type { PasswordChange, SessionRow } from '../../../../src/api/contract.ts'
import { sessionsQuery, toAgentName, useChangePassword, useEndSession } from './account.ts'
import { formatRelative, formatTime } from '../../data/format-time.ts'
import { useSession } from '../../data/session.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import type { TableColumn } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { FormFault } from '../../ui/forms/form-end.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'

export function AccountTab(): ReactElement {
  const session = useSession()
  return (
    <>
      <div className="panels">
        <Panel heading="You">
          {session !== null && (
            <Facts
              facts={[
                { name: 'Name', value: session.user.name },
                { name: 'Email', value: session.user.email },
                {
                  name: 'Role',
                  value:
                    session.user.role === 'admin'
                      ? 'Administrator: can change everything'
                      : 'Viewer: can view, not change',
                },
                { name: 'Signed in until', value: formatTime(session.expires_at) },
              ]}
            />
          )}
        </Panel>
        <PasswordPanel hasPassword={session?.user.has_password ?? false} />
      </div>
      <SessionsPanel />
    </>
  )
}

function SessionsPanel() {
  const query = useQuery(sessionsQuery)
  const { mutateAsync: end } = useEndSession()
  return (
    <ListPanel
      query={query}
      heading="Where you are signed in"
      description="If you see a session that is not yours, sign it out, then change your password."
      caption="Your sessions"
      columns={createColumns((id) => end(id))}
      rows={query.data?.rows}
      rowKey={(row) => row.id}
      empty={<EmptyState title="No sessions" />}
      expected={2}
    />
  )
}

function createColumns(
  onEnd: (id: string) => Promise<unknown>,
): readonly TableColumn<SessionRow>[] {
  return [
    {
      id: 'agent',
      header: 'Browser',
      cell: ({ agent, address, last_seen_at: at }) => (
        <span title={agent ?? ''}>
          {toAgentName(agent)}
          {address !== null && <span className="cell-under">from {address}</span>}
          <span className="cell-under narrow-only">{formatRelative(at, Date.now())}</span>
        </span>
      ),
    },
    {
      id: 'seen',
      header: 'Last seen',
      cell: ({ last_seen_at: at }) => formatRelative(at, Date.now()),
      isWideOnly: true,
    },
    {
      id: 'begun',
      header: 'Signed in',
      cell: ({ created_at: at }) => formatTime(at),
      isWideOnly: true,
    },
    {
      id: 'end',
      header: <span className="unseen">Sign out</span>,
      align: 'right',
      cell: (row) =>
        row.is_current ? (
          <StatusBadge tone="good">This session</StatusBadge>
        ) : (
          <ConfirmButton
            size="xs"
            label={`Sign out: ${toAgentName(row.agent)}`}
            title="Sign out this session?"
            consequence={`${toAgentName(row.agent)} has to sign in again.`}
            action="Sign out"
            onConfirm={() => onEnd(row.id)}
          >
            Sign out
          </ConfirmButton>
        ),
    },
  ]
}

const EMPTY: PasswordChange = { current_password: '', password: '' }

interface PasswordPanelProps {
  readonly hasPassword: boolean
}

/** What was typed is forgotten once it is sent. */
function PasswordPanel({ hasPassword }: PasswordPanelProps): ReactElement {
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
