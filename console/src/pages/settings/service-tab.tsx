// This Weir itself: its version, its data and their age, and whether every call is recorded.

import { Alert, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import type { Service } from '../../../../src/api/contract.ts'
import { formatBytes, formatCount, formatCounted } from '../../data/format-count.ts'
import {
  formatDate,
  formatPriceVersion,
  formatRelative,
  formatTime,
} from '../../data/format-time.ts'
import { serviceQuery } from '../../data/service.ts'
import {
  COMPLETENESS_FIGURES,
  isDiskLow,
  toCompletenessWords,
  toPriceDataWords,
} from './service-words.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Fault } from '../../ui/fault.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Stat, Stats } from '../../ui/charts/stat.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

export function ServiceTab(): ReactElement {
  const { data, error, refetch } = useQuery(serviceQuery)
  if (data === undefined) {
    if (error !== null) return <Fault error={error} onRetry={() => void refetch()} />
    return <WaitingPanel />
  }
  return (
    <>
      {data.fault !== null && (
        <Alert role="alert" color="red" title="Weir is not ready" icon={<WarningIcon />}>
          {data.fault}
        </Alert>
      )}
      <CompletenessPanel service={data} />
      <div className="panels">
        <ProgramPanel service={data} />
        <DataPanel service={data} />
        <PriceDataPanel service={data} />
      </div>
    </>
  )
}

interface ServiceProps {
  readonly service: Service
}

function CompletenessPanel({ service: { completeness, data } }: ServiceProps) {
  const { tone, label, text } = toCompletenessWords(completeness)
  return (
    <Panel
      heading="Is every call recorded?"
      description={`All calls that were forwarded since Weir’s first start, as of ${formatTime(completeness.as_of)}.`}
      actions={<StatusBadge tone={tone}>{label}</StatusBadge>}
    >
      <Text mb="md">{text}</Text>
      <Stats>
        {COMPLETENESS_FIGURES.map(({ id, label: name, note }) => (
          <Stat key={id} label={name} value={formatCount(completeness[id])} note={note} />
        ))}
        <Stat label="Denied" value={formatCount(data.denied)} note="by Weir, and not forwarded" />
      </Stats>
    </Panel>
  )
}

function ProgramPanel({ service }: ServiceProps) {
  const { version, node_version: node, started_at: started, proxy_url: proxy } = service
  const since = formatRelative(started, Date.parse(service.as_of))
  return (
    <Panel heading="Program">
      <Facts
        facts={[
          { name: 'Version', value: `Weir ${version}` },
          { name: 'Runs on', value: `Node.js ${node}` },
          {
            name: 'Started',
            value: (
              <>
                {since}
                <span className="cell-under">{formatTime(started)}</span>
              </>
            ),
          },
          {
            name: 'Proxy',
            value: (
              <Group gap="0.25rem 0.5rem">
                <span className="mono">{proxy}</span>
                <CopyButton label="the address of the proxy" text={proxy} />
              </Group>
            ),
          },
        ]}
      />
    </Panel>
  )
}

function DataPanel({ service: { data, as_of: asOf } }: ServiceProps) {
  const { oldest_record_at: oldest, newest_record_at: newest, free_bytes: free } = data
  const nowMs = Date.parse(asOf)
  return (
    <Panel
      heading="Data"
      actions={isDiskLow(free) && <StatusBadge tone="warning">Low disk space</StatusBadge>}
    >
      <Facts
        facts={[
          {
            name: 'Calls in the log',
            value: (
              <>
                {formatCount(data.records)}
                <span className="cell-under">denied ones included</span>
              </>
            ),
          },
          { name: 'Oldest', value: oldest === null ? 'none yet' : formatDate(oldest) },
          { name: 'Newest', value: newest === null ? 'none yet' : formatRelative(newest, nowMs) },
          { name: 'Kept for', value: formatCounted(data.retention_days, 'day') },
          { name: 'Usage', value: formatSize(data.usage_bytes) },
          { name: 'Settings', value: formatSize(data.settings_bytes) },
          { name: 'Journals', value: formatSize(data.journal_bytes, 'on the proxies') },
          { name: 'Free space', value: formatSize(free) },
          { name: 'Directory', value: <span className="mono">{data.directory}</span> },
        ]}
      />
    </Panel>
  )
}

function formatSize(bytes: number | null, missing = 'not known'): string {
  return bytes === null ? missing : formatBytes(bytes)
}

function PriceDataPanel({ service: { price_data: prices } }: ServiceProps) {
  const { tone, label, text } = toPriceDataWords(prices)
  const { imported_at: importedAt, imported_by: importedBy } = prices
  const imported = importedAt === null ? 'shipped with Weir' : `imported ${formatDate(importedAt)}`
  return (
    <Panel heading="Price data">
      <Facts
        facts={[
          { name: 'Version', value: formatPriceVersion(prices.version) },
          { name: 'Age', value: <StatusBadge tone={tone}>{label}</StatusBadge> },
          { name: 'Published', value: formatDate(prices.published_at.slice(0, 10)) },
          {
            name: 'Source',
            value: importedBy === null ? imported : `${imported} by ${importedBy}`,
          },
        ]}
      />
      <Text size="sm" c="dimmed" mt="sm">
        {text}{' '}
        <TextLink href="/prices?tab=missing" underline="always">
          Models without a price
        </TextLink>
      </Text>
    </Panel>
  )
}

function WaitingPanel(): ReactElement {
  return (
    <Panel>
      <Skeleton h={20} w="30%" />
      <Skeleton h={120} mt="md" />
    </Panel>
  )
}
