// Who is in a team: leads and members, by whom they are there, and what they may do.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MemberRow, TeamAnswer } from '../../../../src/api/contract.ts'
import { formatDate } from '../../data/format-time.ts'
import { membersQuery, useAddMember, useRemoveMember } from '../../data/teams.ts'
import type { TableColumn } from '../../ui/data-table.tsx'
import { Dropdown, DropdownItem } from '../../ui/dropdown.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Confirmation } from '../../ui/forms/confirm-button.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { AddMember } from './add-member.tsx'
import { MEMBER_ROLE_NAMES, MEMBER_SOURCE_NAMES, toMemberActionWords } from './member-words.ts'
import type { MemberAction } from './member-words.ts'
import { useLeads } from './use-leads.ts'

interface AskedMember {
  readonly member: MemberRow
  readonly action: MemberAction
}

export function TeamPeople({ team }: { readonly team: TeamAnswer }) {
  const query = useQuery(membersQuery(team.id))
  const canChange = useLeads(team) && team.status === 'active'
  const [isAdding, setAdding] = useState(false)
  const [asked, setAsked] = useState<AskedMember | null>(null)
  const change: TableColumn<MemberRow> = {
    id: 'change',
    header: <span className="unseen">Actions</span>,
    align: 'right',
    cell: (member) => <MemberMenu member={member} onAsk={setAsked} />,
  }
  return (
    <>
      <ListPanel
        query={query}
        heading="People"
        description="Leads see everything of the team and manage its keys and people. Members take personal keys."
        actions={
          canChange && (
            <Button
              size="xs"
              variant="default"
              leftSection={<PlusIcon size={16} />}
              onClick={() => setAdding(true)}
            >
              Add someone
            </Button>
          )
        }
        caption={`People in ${team.name}`}
        columns={canChange ? [...COLUMNS, change] : COLUMNS}
        rows={query.data?.rows}
        rowKey={(row) => row.user_id}
        empty={
          <EmptyState title="Nobody is in it yet">
            Add users by their address, as leads or as members.
          </EmptyState>
        }
        lines={2}
        expected={3}
      />
      <AddMember team={team} isOpen={isAdding} onClose={() => setAdding(false)} />
      <MemberQuestion team={team} asked={asked} onClose={() => setAsked(null)} />
    </>
  )
}

const COLUMNS: readonly TableColumn<MemberRow>[] = [
  {
    id: 'name',
    header: 'Name',
    grow: 1,
    cell: (row) => (
      <>
        {row.name}
        <span className="cell-under">{row.email}</span>
        <span className="cell-under narrow-only">{MEMBER_ROLE_NAMES[row.role]}</span>
      </>
    ),
  },
  {
    id: 'role',
    header: 'Role',
    isWideOnly: true,
    cell: (row) => (
      <>
        {MEMBER_ROLE_NAMES[row.role]}
        {row.is_disabled && (
          <span className="user-state">
            <StatusBadge tone="bad">Disabled</StatusBadge>
          </span>
        )}
      </>
    ),
  },
  {
    id: 'source',
    header: 'Added',
    isWideOnly: true,
    cell: (row) => MEMBER_SOURCE_NAMES[row.source],
  },
  {
    id: 'keys',
    header: 'Personal keys',
    align: 'right',
    isWideOnly: true,
    cell: (row) => row.keys,
  },
  { id: 'since', header: 'Since', isWideOnly: true, cell: (row) => formatDate(row.since) },
]

interface MemberMenuProps {
  readonly member: MemberRow
  readonly onAsk: (asked: AskedMember) => void
}

function MemberMenu({ member, onAsk }: MemberMenuProps) {
  const isLead = member.role === 'lead'
  return (
    <Dropdown
      button={(opens) => (
        <Button size="xs" variant="default" aria-label={`Manage ${member.email}`} {...opens}>
          Manage
        </Button>
      )}
    >
      <DropdownItem onClick={() => onAsk({ member, action: isLead ? 'member' : 'lead' })}>
        {isLead ? 'Make member' : 'Make lead'}
      </DropdownItem>
      <DropdownItem isDanger onClick={() => onAsk({ member, action: 'remove' })}>
        Remove
      </DropdownItem>
    </Dropdown>
  )
}

interface MemberQuestionProps {
  readonly team: TeamAnswer
  readonly asked: AskedMember | null
  readonly onClose: () => void
}

function MemberQuestion({ team, asked, onClose }: MemberQuestionProps) {
  const { mutateAsync: add } = useAddMember(team.id)
  const { mutateAsync: remove } = useRemoveMember(team.id)
  const about = asked && { email: asked.member.email, team: team.name }
  const words = asked && about && toMemberActionWords(asked.action, about)
  return (
    <FormDialog isOpen={asked !== null} onClose={onClose} title={words?.title ?? ''}>
      {asked !== null && words !== null && (
        <Confirmation
          {...words}
          onConfirm={() => {
            const { member, action } = asked
            if (action === 'remove') return remove(member.user_id)
            return add({ user_id: member.user_id, role: action })
          }}
          onClose={onClose}
        />
      )}
    </FormDialog>
  )
}
