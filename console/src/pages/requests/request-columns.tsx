// What the log shows of a call, on one line. At phone width it takes two, the rest is behind the
// row.

import { UnstyledButton } from '@mantine/core'
import type { RequestRow } from '../../../../src/api/contract.ts'
import { toReason } from '../../../../src/api/requests/call-words.ts'
import { STATUS_WORDS } from './call-words.ts'
import { formatCount } from '../../data/format-count.ts'
import { formatDuration } from '../../data/format-duration.ts'
import { formatClock, formatDay, readZone } from '../../data/format-time.ts'
import type { TableColumn } from '../../ui/data-table.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { toCallCost } from './call-cost-words.ts'
import type { ReactElement } from 'react'
import { toHref } from '../../data/search-values.ts'
import { TextLink } from '../../ui/link.tsx'

export interface ColumnOptions {
  /** By id. */
  readonly keyNames: ReadonlyMap<string, string>
  readonly onDimension: (key: string, value: string) => void
}

export function createRequestColumns(options: ColumnOptions): readonly TableColumn<RequestRow>[] {
  const { keyNames, onDimension } = options
  return [
    {
      id: 'time',
      header: `Time (${readZone()})`,
      cell: ({ started_at: at }) => (
        <span className="call-time">
          {formatClock(at)} <span className="call-beside">{formatDay(at)}</span>
        </span>
      ),
      canOrder: true,
    },
    { id: 'model', header: 'Model', grow: 3, cell: (row) => <Model call={row} /> },
    {
      id: 'key',
      header: 'Key and dimensions',
      grow: 5,
      cell: (row) => (
        <span className="call-who">
          <KeyName id={row.api_key} names={keyNames} />
          <Dimensions dims={row.dims} onDimension={onDimension} />
        </span>
      ),
      isWideOnly: true,
    },
    {
      id: 'cost',
      header: 'Cost',
      cell: (row) => <CallCost call={row} />,
      amount: (row) => toCallCost(row).text,
      align: 'right',
      canOrder: true,
    },
    {
      id: 'duration',
      header: 'Duration',
      cell: (row) => formatDuration(row.duration_ms),
      align: 'right',
      isWideOnly: true,
      canOrder: true,
    },
    {
      id: 'tokens',
      header: 'Tokens in / out',
      isExtra: true,
      cell: (row) => <Tokens call={row} />,
      align: 'right',
      isWideOnly: true,
    },
    {
      id: 'status',
      header: 'Status',
      cell: (row) => <CallStatusBadge call={row} />,
      isWideOnly: true,
    },
  ]
}

function Model({ call }: { readonly call: RequestRow }) {
  const { model, requested_model: requested, provider } = call
  const isOther = model !== null && requested !== null && requested !== model
  return (
    <span className="call-model">
      <span title={model ?? requested ?? ''}>{model ?? requested ?? 'not reported'}</span>{' '}
      <span className="call-beside">
        {provider}
        {isOther && `, requested ${requested}`}
      </span>
      {call.status !== 'delivered' && (
        <span className="cell-under narrow-only">{STATUS_WORDS[call.status].label}</span>
      )}
    </span>
  )
}

interface KeyNameProps {
  readonly id: string | null
  readonly names: ReadonlyMap<string, string>
}

function KeyName({ id, names }: KeyNameProps) {
  if (id === null) return <span className="quiet">not known</span>
  const name = names.get(id)
  return (
    <span className={name === undefined ? 'call-key mono' : 'call-key'} title={id}>
      {name ?? id}
    </span>
  )
}

function CallStatusBadge({ call }: { readonly call: RequestRow }) {
  const { label, tone, meaning } = STATUS_WORDS[call.status]
  const reason = toReason(call)
  return (
    <span className="call-status" title={[label, reason, meaning].filter(Boolean).join('. ')}>
      <StatusBadge tone={tone}>{label}</StatusBadge>
      {reason !== null && <span className="cell-under mono">{reason}</span>}
    </span>
  )
}

function Tokens({ call }: { readonly call: RequestRow }) {
  const { input_tokens: input, output_tokens: output } = call
  if (input === null && output === null) return <span className="quiet">not known</span>
  const show = (count: number | null): string => (count === null ? '?' : formatCount(count))
  return (
    <>
      {show(input)} / {show(output)}
    </>
  )
}

interface DimensionsProps {
  readonly dims: RequestRow['dims']
  readonly onDimension: ColumnOptions['onDimension']
}

/** More would leave no room for their names. */
const DIMS_SHOWN_MAX = 2

function Dimensions({ dims, onDimension }: DimensionsProps) {
  const all = Object.entries(dims)
  const more = all.slice(DIMS_SHOWN_MAX).map(([key, value]) => `${key}=${value}`)
  return (
    <span className="call-dims">
      {all.slice(0, DIMS_SHOWN_MAX).map(([key, value]) => (
        <UnstyledButton
          key={key}
          className="call-dim"
          title={`Only calls with ${key}=${value}`}
          onClick={() => onDimension(key, value)}
        >
          {key}={value}
        </UnstyledButton>
      ))}
      {more.length > 0 && (
        <span className="quiet" title={more.join(', ')}>
          +{more.length}
        </span>
      )}
    </span>
  )
}

/** An unknown cost is a word with a link to fix it, never an amount. */
function CallCost({ call }: { readonly call: RequestRow }): ReactElement {
  const { kind, text, reason } = toCallCost(call)
  const title = reason === null ? {} : { title: reason }
  switch (kind) {
    case 'unpriced': {
      const href = toHref('/prices', { tab: 'missing', search: call.model ?? undefined })
      return (
        <TextLink href={href} label={`unpriced: set a price for ${call.model ?? 'it'}`} {...title}>
          {text}
        </TextLink>
      )
    }
    case 'elsewhere':
      return (
        <span {...title}>
          <StatusBadge tone="accent">{text}</StatusBadge>
        </span>
      )
    case 'denied':
    case 'free':
      return (
        <span className="quiet" {...title}>
          {text}
        </span>
      )
    case 'exact':
    case 'estimated':
      return (
        <span {...title}>
          {text}
          {kind === 'estimated' && <span className="unseen"> {reason}</span>}
        </span>
      )
  }
}
