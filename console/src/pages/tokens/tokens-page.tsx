// Access tokens: the tokens with which programs ask the API. A user who may not see them gets a
// page that says so, and no request is sent that would be refused.

import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { TokenRowAnswer } from '../../../../src/api/contract.ts'
import { formatDate, formatRelative, formatTime } from '../../data/format-time.ts'
import { useCan } from '../../data/session.ts'
import { tokensQuery, useRevokeToken } from './tokens.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import type { TableColumn } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { CredentialStatus, STATUS_NAMES } from '../keys/credential-status.tsx'
import { CreateToken } from './create-token.tsx'

const TITLE = 'Access tokens'
const DESCRIPTION = 'For programs, dashboards and agents that use the API.'

export function TokensPage(): ReactElement {
  // Only administrators: a token could have more rights than its creator.
  if (useCan('admin')) return <TokenList />
  return (
    <Page title={TITLE} description={DESCRIPTION}>
      <Panel>
        <EmptyState title="Only administrators can see access tokens">
          If your program needs one, ask an administrator to create it.
        </EmptyState>
      </Panel>
    </Page>
  )
}

function TokenList() {
  const query = useQuery(tokensQuery)
  const [isCreating, setCreating] = useState(false)
  return (
    <Page
      docs="api/clients"
      title={TITLE}
      description={DESCRIPTION}
      actions={
        <Button leftSection={<PlusIcon size={16} />} onClick={() => setCreating(true)}>
          Create a token
        </Button>
      }
    >
      <ListPanel
        query={query}
        caption={TITLE}
        columns={createColumns(query.dataUpdatedAt)}
        rows={query.data?.rows}
        rowKey={(row) => row.id}
        expected={4}
        empty={
          <EmptyState title="No tokens yet">
            Programs use tokens as people use sign-in. Create one for each program, so that each can
            be revoked separately.
          </EmptyState>
        }
      />
      <CreateToken isOpen={isCreating} onClose={() => setCreating(false)} />
    </Page>
  )
}

function createColumns(nowMs: number): readonly TableColumn<TokenRowAnswer>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      grow: 3,
      cell: (row) => (
        <>
          {row.name}
          <span className="cell-under mono">{row.id}</span>
          <NarrowLines row={row} nowMs={nowMs} />
        </>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      isWideOnly: true,
      cell: (row) => <CredentialStatus status={row.status} />,
    },
    {
      id: 'scopes',
      header: 'Scopes',
      grow: 2,
      isWideOnly: true,
      cell: (row) => <div className="mono cell-scopes">{row.scopes.join(', ')}</div>,
    },
    {
      id: 'used',
      header: 'Last used',
      isWideOnly: true,
      cell: (row) => toUsed(row, nowMs),
    },
    {
      id: 'expires',
      header: 'Expires',
      isWideOnly: true,
      cell: toExpires,
    },
    {
      id: 'created',
      header: 'Created',
      isWideOnly: true,
      isExtra: true,
      cell: (row) => formatDate(row.created_at),
    },
    {
      id: 'end',
      header: <span className="unseen">Revoke</span>,
      align: 'right',
      cell: (row) => <RevokeToken row={row} />,
    },
  ]
}

function toUsed({ last_used_at: at }: TokenRowAnswer, nowMs: number): string {
  return at === null ? 'Never' : formatRelative(at, nowMs)
}

function toExpires({ expires_at: at }: TokenRowAnswer): string {
  return at === null ? 'Never' : formatDate(at)
}

interface NarrowLinesProps {
  readonly row: TokenRowAnswer
  readonly nowMs: number
}

/** What has no column at phone width. */
function NarrowLines({ row, nowMs }: NarrowLinesProps) {
  return (
    <>
      <span className="cell-under narrow-only cell-scopes">{row.scopes.join(', ')}</span>
      <span className="cell-under narrow-only">
        {STATUS_NAMES[row.status]}. Used: {toUsed(row, nowMs).toLowerCase()}
      </span>
      <span className="cell-under narrow-only">Expires: {toExpires(row)}</span>
    </>
  )
}

function RevokeToken({ row }: { readonly row: TokenRowAnswer }) {
  const revoke = useRevokeToken()
  if (row.revoked_at !== null) {
    return (
      <Text component="span" size="sm" c="dimmed" title={formatTime(row.revoked_at)}>
        {formatDate(row.revoked_at)}
      </Text>
    )
  }
  return (
    <ConfirmButton
      size="compact-sm"
      label={`Revoke ${row.name}`}
      title={`Revoke token ${row.name}?`}
      consequence="Requests with it are refused from now on. This cannot be undone."
      action="Revoke token"
      done={`${row.name} is revoked. Requests with it are now refused.`}
      onConfirm={() => revoke.mutateAsync(row.id)}
    >
      Revoke
    </ConfirmButton>
  )
}
