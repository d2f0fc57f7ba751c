// What deserves a look: unusual spend, budgets near their limit, calls without a price, and
// estimated calls, each with a link.

import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { budgetStatesQuery } from './overview-figures.ts'
import { toNotices } from './overview-notices.ts'
import type { Notice } from './overview-notices.ts'
import type { Overview } from '../../../../src/api/contract.ts'
import { incidentsQuery, listOpen } from '../../data/alerts/incidents.ts'
import { NAMES_AT_HAND, useKeyNames } from '../../data/key-names.ts'
import { IncidentActions } from '../incident-actions.tsx'
import { Meter } from '../../ui/charts/meter.tsx'
import { Fault } from '../../ui/fault.tsx'
import { CheckIcon, InfoIcon, WarningIcon } from '../../ui/icons.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'

export interface NoticesPanelProps {
  readonly overview: Overview | undefined
}

export function NoticesPanel({ overview }: NoticesPanelProps) {
  const budgets = useQuery(budgetStatesQuery)
  const incidents = useQuery(incidentsQuery)
  const open = incidents.data === undefined ? [] : listOpen(incidents.data)
  const keyNames = useKeyNames(NAMES_AT_HAND, open.length > 0)
  const failed = [budgets, incidents].find(({ data }) => data === undefined)
  if (failed !== undefined && failed.error !== null) {
    const { error, refetch } = failed
    return (
      <Panel heading="Needs attention">
        <Fault
          title="Budgets and unusual spend could not be read"
          error={error}
          onRetry={() => void refetch()}
        />
      </Panel>
    )
  }
  return (
    <Panel heading="Needs attention">
      {overview === undefined || budgets.data === undefined || incidents.data === undefined ? (
        <Skeleton h={150} />
      ) : (
        <NoticeList
          notices={toNotices(overview, {
            budgets: budgets.data.rows,
            incidents: open,
            keyNames,
          })}
        />
      )}
    </Panel>
  )
}

function NoticeList({ notices }: { readonly notices: readonly Notice[] }) {
  if (notices.length === 0) {
    return (
      <ul className="overview-notices">
        <li>
          <CheckIcon />
          <span>
            Nothing spends far more than usual, every call this month has a price, none is
            estimated, and no budget is near its limit.
          </span>
        </li>
      </ul>
    )
  }
  return (
    <ul className="overview-notices">
      {notices.map((notice) => (
        <li key={notice.id} className={`notice-${notice.tone}`}>
          {notice.tone === 'neutral' ? <InfoIcon /> : <WarningIcon />}
          <span>
            <strong>{notice.title}</strong>
            <br />
            {notice.text}
          </span>
          {notice.spentPercent !== undefined && (
            <Meter percent={notice.spentPercent} tone={notice.tone === 'bad' ? 'bad' : 'warning'} />
          )}
          <div className="notice-link">
            <TextLink href={notice.href}>{notice.linkText}</TextLink>
            {notice.incident !== undefined && (
              <IncidentActions alert={notice.incident} title={notice.title} />
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
