// The people who may sign in: listed, invited, changed. For administrators.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { UserRow } from '../../../../src/api/contract.ts'
import { USER_FIELDS } from '../../../../src/resources/user.ts'
import { formatDate, formatRelative } from '../../data/format-time.ts'
import { usersQuery } from '../../data/known-names.ts'
import { useSession } from '../../data/session.ts'
import { toUserActions, USER_ACTION_NAMES } from './users.ts'
import type { TableColumn } from '../../ui/data-table.tsx'
import { Dropdown, DropdownItem } from '../../ui/dropdown.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { ChangeRole } from './change-role.tsx'
import { InviteUser } from './invite-user.tsx'
import { UserActionDialog } from './user-action-dialog.tsx'
import type { AskedAction } from './user-action-dialog.tsx'
import './settings.css'

export function UsersTab(): ReactElement {
  const query = useQuery(usersQuery)
  const [isInviting, setInviting] = useState(false)
  const [asked, setAsked] = useState<AskedAction | null>(null)
  const [changed, setChanged] = useState<UserRow | null>(null)
  const ownId = useSession()?.user.id ?? null
  return (
    <>
      <ListPanel
        query={query}
        heading="Users"
        description="Who may sign in, and their role in the whole company. Who is in a team is on its page."
        actions={
          <Button leftSection={<PlusIcon size={16} />} onClick={() => setInviting(true)}>
            Invite a user
          </Button>
        }
        caption="Users"
        columns={createColumns(ownId, { onAsk: setAsked, onChangeRole: setChanged })}
        rows={query.data?.rows}
        rowKey={(row) => row.id}
        empty={<EmptyState title="No users" />}
        expected={3}
      />
      <InviteUser isOpen={isInviting} onClose={() => setInviting(false)} />
      <ChangeRole user={changed} onClose={() => setChanged(null)} />
      <UserActionDialog asked={asked} onClose={() => setAsked(null)} />
    </>
  )
}

function createColumns(
  ownId: string | null,
  menu: Omit<ActionMenuProps, 'user'>,
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
      cell: (row) => <ActionMenu user={row} {...menu} />,
      align: 'right',
    },
  ]
}

interface ActionMenuProps {
  readonly user: UserRow
  readonly onAsk: (asked: AskedAction) => void
  readonly onChangeRole: (user: UserRow) => void
}

function ActionMenu({ user, onAsk, onChangeRole }: ActionMenuProps) {
  return (
    <Dropdown
      button={(opens) => (
        <Button size="xs" variant="default" aria-label={`Manage ${user.email}`} {...opens}>
          Manage
        </Button>
      )}
    >
      <DropdownItem onClick={() => onChangeRole(user)}>Change role</DropdownItem>
      {toUserActions(user).map((action) => (
        <DropdownItem
          key={action}
          isDanger={action === 'remove'}
          onClick={() => onAsk({ user, action })}
        >
          {USER_ACTION_NAMES[action]}
        </DropdownItem>
      ))}
    </Dropdown>
  )
}

/** Most users can sign in; only what differs is shown. */
function UserRole({ user }: { readonly user: UserRow }) {
  const isInvited = !user.has_password && !user.is_oidc
  return (
    <>
      {USER_FIELDS.role.names[user.role]}
      <span className="user-state">
        {user.is_disabled && <StatusBadge tone="bad">Disabled</StatusBadge>}
        {!user.is_disabled && isInvited && <StatusBadge tone="accent">Invited</StatusBadge>}
      </span>
    </>
  )
}
