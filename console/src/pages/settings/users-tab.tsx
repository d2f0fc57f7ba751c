// The people who may sign in: listed, invited, changed. For administrators.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { UserRow } from '../../../../src/api/contract.ts'
import { formatDate, formatRelative } from '../../data/format-time.ts'
import { useSession } from '../../data/session.ts'
import { usersQuery } from './users.ts'
import type { UserAction } from './users.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableColumn } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Fault } from '../../ui/fault.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panel.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { InviteUser } from './invite-user.tsx'
import { UserActionDialog } from './user-action-dialog.tsx'
import { UserActionMenu } from './user-action-menu.tsx'

interface Asked {
  readonly user: UserRow
  readonly action: UserAction
}

export function UsersTab(): ReactElement {
  const { data, error, refetch } = useQuery(usersQuery)
  const [isInviting, setInviting] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const ownId = useSession()?.user.id ?? null
  return (
    <>
      {error !== null && <Fault error={error} onRetry={() => void refetch()} />}
      <Panel
        heading="Users"
        description="Administrators can change everything. Viewers can see figures, calls and keys."
        actions={
          <Button leftSection={<PlusIcon size={16} />} onClick={() => setInviting(true)}>
            Invite a user
          </Button>
        }
        isFlush
      >
        <DataTable
          caption="Users"
          columns={createColumns(ownId, (user, action) => setAsked({ user, action }))}
          rows={data?.rows}
          hasFailed={error !== null}
          rowKey={(row) => row.id}
          empty={<EmptyState title="No users" />}
          expected={3}
        />
      </Panel>
      <InviteUser isOpen={isInviting} onClose={() => setInviting(false)} />
      <UserActionDialog asked={asked} onClose={() => setAsked(null)} />
    </>
  )
}

function createColumns(
  ownId: string | null,
  onAsk: (user: UserRow, action: UserAction) => void,
): readonly TableColumn<UserRow>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      cell: (row) => (
        <>
          {row.name}
          {row.id === ownId && <span className="quiet"> (you)</span>}
          <span className="cell-under">{row.email}</span>
          <span className="cell-under narrow-only">
            <UserRole user={row} />
          </span>
        </>
      ),
    },
    { id: 'role', header: 'Role', cell: (row) => <UserRole user={row} />, isWideOnly: true },
    {
      id: 'sign-in',
      header: 'Last sign-in',
      cell: ({ last_sign_in_at: at }) =>
        at === null ? <span className="quiet">never</span> : formatRelative(at, Date.now()),
      isWideOnly: true,
    },
    {
      id: 'created',
      header: 'Added',
      cell: ({ created_at: at }) => formatDate(at),
      isWideOnly: true,
    },
    {
      id: 'actions',
      header: <span className="unseen">Actions</span>,
      cell: (row) => <UserActionMenu user={row} onChoose={(action) => onAsk(row, action)} />,
      align: 'right',
    },
  ]
}

/** Most users can sign in; only what differs is shown. */
function UserRole({ user }: { readonly user: UserRow }) {
  const isInvited = !user.has_password && !user.is_oidc
  return (
    <>
      {user.role === 'admin' ? 'Administrator' : 'Viewer'}
      <span className="user-state">
        {user.is_disabled && <StatusBadge tone="bad">Disabled</StatusBadge>}
        {!user.is_disabled && isInvited && <StatusBadge tone="accent">Invited</StatusBadge>}
      </span>
    </>
  )
}
