// The log of alerts, newest first: what happened, the figures behind it, where it was sent and the
// outcome of each attempt.

import { Group, Skeleton, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { AlertRow } from '../../../../src/api/contract.ts'
import {
  TARGET_KIND_NAMES,
  toAlertWords,
  toDeliveryWords,
  toIncidentWords,
} from '../../data/alerts/alert-words.ts'
import { alertsQuery } from './budgets.ts'
import { formatCounted } from '../../data/format-count.ts'
import { formatTime } from '../../data/format-time.ts'
import { NAMES_AT_HAND, useKeyNames } from '../../data/key-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Pager } from '../../ui/list-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { IncidentActions } from '../incident-actions.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

export function AlertsTab() {
  const query = useInfiniteQuery(alertsQuery)
  const rows = query.data?.pages.flatMap((page) => page.rows)
  const keyNames = useKeyNames(NAMES_AT_HAND, rows !== undefined)
  if (query.error !== null)
    return <Fault error={query.error} onRetry={() => void query.refetch()} />
  if (rows === undefined) return <Skeleton h={320} radius="lg" />
  if (rows.length === 0) {
    return (
      <Panel>
        <EmptyState title="No alerts yet">
          An alert is raised when a budget reaches a threshold, when it is forecast to exceed its
          limit, or when something spends far more than usual.
        </EmptyState>
      </Panel>
    )
  }
  return (
    <Panel isFlush>
      <ol className="alert-log" aria-label="Alerts, newest first">
        {rows.map((row) => (
          <Alert key={row.id} alert={row} keyNames={keyNames} />
        ))}
      </ol>
      <Pager
        text={`${formatCounted(rows.length, 'alert')}${query.hasNextPage ? ', and older ones' : ''}`}
        query={query}
      />
    </Panel>
  )
}

interface AlertProps {
  readonly alert: AlertRow
  readonly keyNames: ReadonlyMap<string, string>
}

function Alert({ alert, keyNames }: AlertProps) {
  const words = toAlertWords(alert, keyNames)
  const incident = toIncidentWords(alert)
  const link = toLink(alert.budget_id, words.callsHref)
  return (
    <li>
      <Group gap="0.25rem 0.75rem">
        <StatusBadge tone={words.tone}>{words.kind}</StatusBadge>
        {incident !== null && <StatusBadge tone={incident.tone}>{incident.state}</StatusBadge>}
        <Text component="time" dateTime={alert.at} size="sm" c="dimmed">
          {formatTime(alert.at)}
        </Text>
      </Group>
      <p className="alert-title">{words.title}</p>
      <p className="alert-text">{words.text}</p>
      {link !== null && (
        <p className="alert-text">
          <TextLink href={link.href} label={`${link.text}: ${words.title}`}>
            {link.text}
          </TextLink>
        </p>
      )}
      {incident !== null && incident.mark !== null && (
        <p className="quiet alert-sent">{incident.mark}</p>
      )}
      <Deliveries deliveries={alert.deliveries} />
      <IncidentActions alert={alert} title={words.title} />
    </li>
  )
}

/** Where it is seen what it is about. */
function toLink(budgetId: string | null, callsHref: string | undefined) {
  if (callsHref !== undefined) return { href: callsHref, text: 'See the calls' }
  return budgetId === null ? null : { href: `/budgets#${budgetId}`, text: 'See the budget' }
}

function Deliveries({ deliveries }: { readonly deliveries: AlertRow['deliveries'] }) {
  const { tone, text } = toDeliveryWords(deliveries)
  if (deliveries.length === 0) return <p className="quiet alert-sent">{text}</p>
  return (
    <details className="alert-sent">
      <summary>
        <span className={`alert-${tone}`}>{text}</span>
      </summary>
      <ul>
        {deliveries.map((delivery) => (
          <li key={delivery.target_id}>
            <strong>{TARGET_KIND_NAMES[delivery.kind]}</strong> {delivery.address}
            <ol>
              {delivery.attempts.map(({ at, delivered, detail }) => (
                <li key={at}>
                  {formatTime(at)}: {delivered ? 'delivered' : 'not delivered'}, {detail}
                </li>
              ))}
              {delivery.next_at !== null && <li>Next attempt {formatTime(delivery.next_at)}</li>}
            </ol>
          </li>
        ))}
      </ul>
    </details>
  )
}
