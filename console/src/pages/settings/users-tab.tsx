// The people who may sign in: listed, invited, changed. For administrators.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { UserRow } from '../../../../src/api/contract.ts'
import { USER_FIELDS } from '../../../../src/resources/user.ts'
import { formatDate, formatRelative } from '../../data/format-time.ts'
import { usersQuery } from '../../data/known-names.ts'
import { toTeamHref } from '../../data/teams.ts'
import { useSession } from '../../data/session.ts'
import { toUserActions, USER_ACTION_NAMES } from './users.ts'
import type { TableColumn } from '../../ui/data-table.tsx'
import { Dropdown, DropdownItem } from '../../ui/dropdown.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { TextLink } from '../../ui/link.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { AddToTeam } from './add-to-team.tsx'
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
  const [joining, setJoining] = useState<UserRow | null>(null)
  const ownId = useSession()?.user.id ?? null
  return (
    <>
      <ListPanel
        query={query}
        heading="Users"
        description="Who may sign in, their role in the whole company, and the teams they are in."
        actions={
          <Button leftSection={<PlusIcon size={16} />} onClick={() => setInviting(true)}>
            Invite a user
          </Button>
        }
        caption="Users"
        columns={createColumns(ownId, {
          onAsk: setAsked,
          onChangeRole: setChanged,
          onAddToTeam: setJoining,
        })}
        rows={query.data?.rows}
        rowKey={(row) => row.id}
        empty={<EmptyState title="No users" />}
        expected={3}
      />
      <InviteUser isOpen={isInviting} onClose={() => setInviting(false)} />
      <AddToTeam user={joining} onClose={() => setJoining(null)} />
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
            <UserTeams user={row} />
          </span>
        </>
      ),
    },
    { id: 'role', header: 'Role', cell: (row) => <UserRole user={row} />, isWideOnly: true },
    { id: 'teams', header: 'Teams', cell: (row) => <UserTeams user={row} />, isWideOnly: true },
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
  readonly onAddToTeam: (user: UserRow) => void
}

function ActionMenu({ user, onAsk, onChangeRole, onAddToTeam }: ActionMenuProps) {
  return (
    <Dropdown
      button={(opens) => (
        <Button size="xs" variant="default" aria-label={`Manage ${user.email}`} {...opens}>
          Manage
        </Button>
      )}
    >
      <DropdownItem onClick={() => onChangeRole(user)}>Change role</DropdownItem>
      <DropdownItem onClick={() => onAddToTeam(user)}>Add to a team</DropdownItem>
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

const SHOWN_TEAMS = 3

/** Where they are taken out again, too. */
function UserTeams({ user: { teams = [] } }: { readonly user: UserRow }) {
  return (
    <>
      {teams.slice(0, SHOWN_TEAMS).map(({ team_id: id, name, role }) => (
        <span key={id} className="user-team">
          <TextLink href={`${toTeamHref(id)}?tab=people`}>{name}</TextLink>
          {role === 'lead' && <span className="quiet"> (lead)</span>}
        </span>
      ))}
      {teams.length > SHOWN_TEAMS && (
        <span className="cell-under">and {teams.length - SHOWN_TEAMS} more</span>
      )}
    </>
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
