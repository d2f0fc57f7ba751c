// The providers and their health, from the calls of the last hour.

import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import type { ProviderHealth } from '../../../../src/api/contract.ts'
import { formatCount } from '../../data/format-count.ts'
import { formatDuration } from '../../data/format-duration.ts'
import { formatRelative } from '../../data/format-time.ts'
import { toHref } from '../../data/search-values.ts'
import { serviceQuery } from '../../data/service.ts'
import { toProviderState } from './service-words.ts'
import type { TableColumn } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

export function ProvidersTab(): ReactElement {
  const query = useQuery(serviceQuery)
  const { data } = query
  const nowMs = data === undefined ? 0 : Date.parse(data.as_of)
  // Those in use come first; the rest keep the order of the configuration.
  const rows = data?.providers.toSorted((one, other) => other.calls - one.calls)
  return (
    <ListPanel
      query={query}
      heading="Providers"
      description="From the calls of the last hour, without those that Weir itself refused."
      caption="Providers"
      columns={createColumns(nowMs)}
      rows={rows}
      rowKey={(row) => row.id}
      rowHref={(row) => toHref('/requests', { provider: row.id, range: 'hour' })}
      empty={<EmptyState title="No providers are configured" />}
    />
  )
}

function createColumns(nowMs: number): readonly TableColumn<ProviderHealth>[] {
  return [
    { id: 'name', header: 'Provider', grow: 1, cell: (row) => row.id },
    {
      id: 'state',
      header: 'State',
      cell: (row) => {
        const { tone, label, text } = toProviderState(row)
        return (
          <span title={text}>
            <StatusBadge tone={tone}>{label}</StatusBadge>
          </span>
        )
      },
    },
    {
      id: 'credential',
      header: 'Stored credential',
      cell: (row) => (row.has_credential ? 'yes' : <None />),
      isWideOnly: true,
    },
    { id: 'calls', header: 'Calls', cell: (row) => formatCount(row.calls), align: 'right' },
    {
      id: 'failures',
      header: 'Failed',
      cell: (row) => formatCount(row.failures),
      align: 'right',
    },
    {
      id: 'refusals',
      header: 'Refused',
      isExtra: true,
      cell: (row) => formatCount(row.refusals),
      align: 'right',
      isWideOnly: true,
    },
    {
      id: 'first-byte',
      header: 'First byte, median',
      cell: ({ first_byte_ms: ms }) => (ms === null ? <None /> : formatDuration(ms)),
      align: 'right',
      isWideOnly: true,
    },
    {
      id: 'last',
      header: 'Last call',
      cell: ({ last_call_at: at }) => (at === null ? <None /> : formatRelative(at, nowMs)),
      isWideOnly: true,
    },
    {
      id: 'url',
      header: 'Address',
      grow: 2,
      cell: ({ url, shape }) => (
        <>
          <span className="mono">{url}</span>
          {shape !== null && <span className="cell-under">your own, speaks {shape}</span>}
        </>
      ),
      isWideOnly: true,
    },
  ]
}

function None() {
  return <span className="quiet">none</span>
}
