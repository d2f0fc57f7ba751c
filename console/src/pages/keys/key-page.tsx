// API key: one key, whose it is, what it spent, what it may do, and rotating and revoking it. A
// revoked key can be viewed but not changed.

import { Alert, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { KeyRow } from '../../../../src/api/contract.ts'
import { formatDate, formatRelative, formatTime } from '../../data/format-time.ts'
import { keyQuery } from '../../data/keys.ts'
import { toHref } from '../../data/search-values.ts'
import { READ_ONLY_REASON, useCan } from '../../data/session.ts'
import { Fault } from '../../ui/fault.tsx'
import { InfoIcon } from '../../ui/icons.tsx'
import { TextLink, useLink } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { CredentialStatus } from './credential-status.tsx'
import { KeySettings } from './key-settings.tsx'
import { KeyModels, KeySpend } from './key-spend.tsx'
import { OldSecret, PauseKey, RevokeKey, RotateKey } from './key-actions.tsx'
import './keys.css'

const route = getRouteApi('/shell/keys/$id')

export function KeyPage(): ReactElement {
  const { id } = route.useParams()
  const { data: row, error, refetch } = useQuery(keyQuery(id))
  const canChange = useCan('write:keys')
  if (row === undefined) {
    return (
      <Page title="API key" description={<span className="mono">{id}</span>}>
        {error !== null && (
          <Fault title="The key could not be read" error={error} onRetry={() => void refetch()} />
        )}
        <TextLink href="/keys">All API keys</TextLink>
      </Page>
    )
  }
  const isRevoked = row.status === 'revoked'
  return (
    <Page
      docs="policy"
      title={row.name}
      description={<About row={row} />}
      actions={<KeyLinks row={row} canChange={canChange && !isRevoked} />}
    >
      {isRevoked && row.revoked_at !== null && (
        <Alert color="gray" icon={<InfoIcon />} title="Revoked">
          Calls with this key have been refused since {formatTime(row.revoked_at)}. What it spent
          stays in every figure.
        </Alert>
      )}
      {row.status === 'paused' && row.paused_at !== null && (
        <Alert color="yellow" icon={<InfoIcon />} title="Paused">
          Calls with this key have been refused since {formatTime(row.paused_at)}, until it is
          resumed.
        </Alert>
      )}
      {!isRevoked && row.old_secret_ends_at !== null && (
        <OldSecret row={row} endsAt={row.old_secret_ends_at} canChange={canChange} />
      )}
      {!canChange && (
        <Alert color="gray" icon={<InfoIcon />}>
          {READ_ONLY_REASON}
        </Alert>
      )}
      <KeySpend keyId={row.id} />
      <KeyModels keyId={row.id} />
      <KeySettings key={row.id} row={row} isReadOnly={!canChange || isRevoked} />
    </Page>
  )
}

function About({ row }: { readonly row: KeyRow }) {
  return (
    <Group component="span" gap="0.1rem 0.9rem">
      <CredentialStatus status={row.status} />
      <span className="mono">{row.id}</span>
      {row.owner !== null && <span>Owner {row.owner}</span>}
      {row.cost_center !== null && <span>Cost center {row.cost_center}</span>}
      <span>
        {row.last_used_at === null
          ? 'Never used'
          : `Last used ${formatRelative(row.last_used_at, Date.now())}`}
      </span>
      <span>Created {formatDate(row.created_at)}</span>
      {row.expires_at !== null && <span>Expires {formatTime(row.expires_at)}</span>}
      {row.note !== null && <span className="key-note">{row.note}</span>}
    </Group>
  )
}

interface KeyLinksProps {
  readonly row: KeyRow
  readonly canChange: boolean
}

function KeyLinks({ row, canChange }: KeyLinksProps) {
  const Link = useLink()
  const canAudit = useCan('admin')
  return (
    <>
      <Button component={Link} variant="subtle" href={toHref('/requests', { api_key: row.id })}>
        Its requests
      </Button>
      {canAudit && (
        <Button component={Link} variant="subtle" href={toHref('/audit', { subject: row.id })}>
          Its audit log
        </Button>
      )}
      {canChange && <RotateKey row={row} />}
      {canChange && <PauseKey row={row} />}
      {canChange && <RevokeKey row={row} />}
    </>
  )
}
