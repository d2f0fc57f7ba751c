// API key: one key, its state, what it spent, what limits it and what it may do. Report and
// settings are tabs. A revoked key can be viewed but not changed.

import { Alert, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { KeyRow } from '../../../../src/api/contract.ts'
import { formatRelative, formatTime } from '../../data/format-time.ts'
import { keyQuery } from '../../data/keys.ts'
import { toHref } from '../../data/search-values.ts'
import { toTeamHref } from '../../data/teams.ts'
import { READ_ONLY_REASON, useCan } from '../../data/session.ts'
import { Fault } from '../../ui/fault.tsx'
import { InfoIcon, WarningIcon } from '../../ui/icons.tsx'
import { TextLink, useLink } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { PageTabs } from '../../ui/page-tabs.tsx'
import { CredentialStatus, STATUS_NAMES } from './credential-status.tsx'
import { KeyBudgets, OwnBudgets } from './key-budgets.tsx'
import { FAILED_STATUSES } from '../requests/requests-search.ts'
import { KeySettings } from './key-settings.tsx'
import { KeyModels, KeySpend } from './key-spend.tsx'
import { toOwnerWords } from './key-words.ts'
import { OldSecret, PauseKey, RevokeKey, RotateKey } from './key-actions.tsx'
import './keys.css'

const route = getRouteApi('/shell/keys/$id')

export function KeyPage(): ReactElement {
  const { id } = route.useParams()
  const { tab = 'report' } = route.useSearch()
  const navigate = route.useNavigate()
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
      <Notices row={row} canChange={canChange} />
      <PageTabs
        label="This key"
        chosen={tab}
        onChoose={(search) => void navigate({ search, replace: true })}
        tabs={[
          { name: 'report', label: 'Report', content: <Report row={row} /> },
          {
            name: 'settings',
            label: 'Settings',
            content: (
              <>
                {!canChange && (
                  <Alert color="gray" icon={<InfoIcon />}>
                    {READ_ONLY_REASON}
                  </Alert>
                )}
                <KeySettings key={row.id} row={row} isReadOnly={!canChange || isRevoked} />
                <OwnBudgets row={row} isReadOnly={isRevoked} />
              </>
            ),
          },
        ]}
      />
    </Page>
  )
}

/** What stops it, what its team does not allow any more, and a secret that still works. */
function Notices({ row, canChange }: KeyLinksProps) {
  if (row.status === 'revoked') {
    return (
      row.revoked_at !== null && (
        <Alert color="gray" icon={<InfoIcon />} title="Revoked">
          Calls with this key have been refused since {formatTime(row.revoked_at)}. What it spent
          stays in every figure.
        </Alert>
      )
    )
  }
  return (
    <>
      {row.state.reason !== null && (
        <Alert color="yellow" icon={<InfoIcon />} title={toAlertTitle(row.state)}>
          {row.state.reason}
        </Alert>
      )}
      {row.warnings.length > 0 && (
        <Alert color="yellow" icon={<WarningIcon />} title="Beyond the limits of its team">
          {row.warnings.map((warning) => (
            <div key={warning}>{warning}</div>
          ))}
        </Alert>
      )}
      {row.old_secret_ends_at !== null && (
        <OldSecret row={row} endsAt={row.old_secret_ends_at} canChange={canChange} />
      )}
    </>
  )
}

function Report({ row }: { readonly row: KeyRow }) {
  return (
    <>
      <KeySpend keyId={row.id} />
      <KeyBudgets row={row} />
      <KeyModels keyId={row.id} />
    </>
  )
}

function toAlertTitle({ status }: KeyRow['state']): string {
  return status === 'active' ? 'A budget is used up' : STATUS_NAMES[status]
}

function About({ row }: { readonly row: KeyRow }) {
  return (
    <Group component="span" gap="0.1rem 0.9rem">
      <CredentialStatus status={row.state.status} />
      <span className="mono">{row.id}</span>
      {row.team_id !== null && (
        <span>
          Team <TextLink href={toTeamHref(row.team_id)}>{row.team ?? row.team_id}</TextLink>
        </span>
      )}
      {row.person !== null && <span>Personal key of {row.person}</span>}
      {row.owner !== null && <span>Owner {toOwnerWords(row)}</span>}
      {row.cost_center !== null && <span>Cost center {row.cost_center}</span>}
      {row.last_used_at !== null && (
        <span>Last used {formatRelative(row.last_used_at, Date.now())}</span>
      )}
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
      <Button
        component={Link}
        variant="subtle"
        href={toHref('/requests', { api_key: row.id, status: FAILED_STATUSES })}
      >
        Failed calls
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
